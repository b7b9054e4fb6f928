import { fail } from '#platform/fail.ts'
import { emailKey } from '#server/crm/index.ts'

export type AddressBook = {
  /** Used when the request names no recipient. */
  defaultAddress: string | null
  known: readonly (string | null)[]
}
export type MailRecipients = { to: string[]; cc: string[] }

/**
 * Resolves the recipients, without duplicates and in the organization's spelling. One unknown address refuses the
 * whole mail: INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED or INVOICE_EMAIL_NO_RECIPIENT (SND-2 to SND-5).
 */
export function resolveRecipients(
  request: MailRecipients,
  { defaultAddress: usual, known }: AddressBook,
): MailRecipients {
  // the first spelling wins over those that differ in case only
  const byKey = new Map<string, string>()
  for (const address of [usual, ...known])
    if (address !== null && !byKey.has(emailKey(address))) byKey.set(emailKey(address), address)
  const knownOf = (address: string) =>
    byKey.get(emailKey(address)) ?? fail('INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED')
  const [named, copies] = [request.to.map(knownOf), request.cc.map(knownOf)]
  const to = named.length > 0 ? [...new Set(named)] : [usual ?? fail('INVOICE_EMAIL_NO_RECIPIENT')]
  return { to, cc: [...new Set(copies)].filter(address => !to.includes(address)) }
}
