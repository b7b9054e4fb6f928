import { fail } from '#platform/fail.ts'
import { emailKey } from '#server/crm/index.ts'

/** The addresses that are known for an invoice. */
export type AddressBook = {
  /** Who gets it when nobody is named. */
  defaultAddress: string | null
  known: readonly (string | null)[]
}
export type MailRecipients = { to: string[]; cc: string[] }

/**
 * Whom an invoice goes to, each once, as the organization writes their addresses. All of those who are asked for have to be
 * known, or nobody gets it. Refuses INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED and INVOICE_EMAIL_NO_RECIPIENT (SND-2 to SND-5).
 */
export function resolveRecipients(
  request: MailRecipients,
  { defaultAddress: usual, known }: AddressBook,
): MailRecipients {
  // the first one stands for those that differ in capitals only
  const byKey = new Map<string, string>()
  for (const address of [usual, ...known])
    if (address !== null && !byKey.has(emailKey(address))) byKey.set(emailKey(address), address)
  const knownOf = (address: string) =>
    byKey.get(emailKey(address)) ?? fail('INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED')
  const [named, copies] = [request.to.map(knownOf), request.cc.map(knownOf)]
  const to = named.length > 0 ? [...new Set(named)] : [usual ?? fail('INVOICE_EMAIL_NO_RECIPIENT')]
  return { to, cc: [...new Set(copies)].filter(address => !to.includes(address)) }
}
