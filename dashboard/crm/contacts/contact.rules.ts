import type { Contact } from '#contract/crm/contacts.ts'

/** The name of a contact, or else the e-mail; undefined after both were erased. */
export function contactName({ firstName, lastName, email }: Contact): string | undefined {
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? undefined)
}

/** Whether a contact can enter the customer portal, or what keeps them out (PRT-1). */
export function portalAccessOf({
  archivedAt,
  clientId,
  email,
}: Contact): 'portalOpen' | 'portalArchived' | 'portalNoClient' | 'portalNoEmail' {
  if (archivedAt !== null) return 'portalArchived'
  if (clientId === null) return 'portalNoClient'
  return email === null ? 'portalNoEmail' : 'portalOpen'
}
