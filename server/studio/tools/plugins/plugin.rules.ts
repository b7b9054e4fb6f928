import { fold } from '#platform/fold.ts'

/**
 * The name of an organization's marketplace: `patio-` and its name as one word. Claude Code refuses names that sound
 * like Anthropic's own; such a one, or none at all, gives way to the end of the organization's id.
 */
export function marketplaceName(organization: string, organizationId: string): string {
  const words = fold(organization)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '')
  const isTaken = /official/.test(words) && /claude|anthropic/.test(words)
  return `patio-${words === '' || isTaken ? organizationId.slice(-8) : words}`
}
