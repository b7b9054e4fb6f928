import type { Issuer } from '#contract/crm/issuer.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'
import type { ClientRow } from '#server/crm/index.ts'
import type { InvoiceRow, Party } from '../invoice.row.ts'

const dayMs = 86_400_000

/** The organization as it stands on an invoice. */
export function issuerParty({ legalName, taxId, address, city, postalCode, country, email }: Issuer): Party {
  return { name: legalName, taxId, address, city, postalCode, country, email }
}

/** The client as it stands on an invoice. */
export function recipientParty(client: ClientRow): Party {
  const { name, tax_id: taxId, address, city, postal_code: postalCode, country, email } = client
  return { name, taxId, address, city, postalCode, country, email }
}

/**
 * Refuses RECIPIENT_INCOMPLETE when the paper would not say enough about who receives it: where they are, and, in the
 * country of who issues it, by which number the tax office knows them. RD 1619/2012, article 6.
 */
export function assertComplete(recipient: Party, issuer: Party): void {
  const needed: (keyof Party)[] = ['address', 'city', 'country']
  if (recipient.country === issuer.country) needed.push('taxId')
  const details: ErrorDetail[] = needed
    .filter(name => recipient[name] === null)
    .map(name => ({ path: name, code: 'required', message: 'is needed on an invoice' }))
  if (details.length > 0) fail('RECIPIENT_INCOMPLETE', { details })
}

/** Refuses VALIDATION_ERROR for a day that is not there yet; anywhere it may be tomorrow already. */
export function assertNotFuture(date: string, today: string): void {
  if (Date.parse(date) > Date.parse(today) + dayMs) refuse('issueDate', 'is in the future')
}

/** The day of an invoice that comes after all others of its series. Refuses VALIDATION_ERROR for an earlier one. */
export function issueDateOf(asked: string | undefined, last: string): string {
  if (asked !== undefined && asked < last)
    refuse('issueDate', `must not be before ${last}, as of the last number`)
  return last
}

/** When it is to be paid. Refuses VALIDATION_ERROR for a day before the invoice. */
export function dueDateOf(invoice: InvoiceRow, issueDate: string, paymentDays: number): string {
  const due =
    invoice.due_date ?? new Date(Date.parse(issueDate) + paymentDays * dayMs).toISOString().slice(0, 10)
  if (due < issueDate) refuse('dueDate', 'must not be before the day of the invoice')
  return due
}

/** What a rectifying invoice takes off the debt of the other. What one adds is due of itself. */
export function amountTakenOff({ total_cents }: Pick<InvoiceRow, 'total_cents'>): number {
  return Math.max(-total_cents, 0)
}

/** Refuses RECTIFIED_TOO_MUCH when less than nothing would be left of an invoice. */
export function assertRectifiable(rectified: InvoiceRow, draft: InvoiceRow): void {
  if (rectified.total_cents - rectified.rectified_cents < amountTakenOff(draft)) fail('RECTIFIED_TOO_MUCH')
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'date', message }] })
}
