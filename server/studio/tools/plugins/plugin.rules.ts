import { fold } from '#platform/fold.ts'

/**
 * The name of an organization's plugin marketplace: `patio-` and its name as one word. Claude Code rejects names that
 * imitate Anthropic's own. The end of the organization's id replaces such a name or an empty one.
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
