import type { Issuer } from '#contract/crm/issuer.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'
import type { ClientRow } from '#server/crm/index.ts'
import type { InvoiceRow, Party } from '../invoice.row.ts'

const dayMs = 86_400_000

/** The organization as a party of an invoice. */
export function issuerParty({ legalName, taxId, address, city, postalCode, country, email }: Issuer): Party {
  return { name: legalName, taxId, address, city, postalCode, country, email }
}

/** The client as a party of an invoice. */
export function recipientParty(client: ClientRow): Party {
  const { name, tax_id: taxId, address, city, postal_code: postalCode, country, email } = client
  return { name, taxId, address, city, postalCode, country, email }
}

/**
 * Refuses RECIPIENT_INCOMPLETE when the address of the recipient is incomplete, or the tax id of a recipient in the
 * issuer's country is missing. RD 1619/2012, article 6.
 */
export function assertComplete(recipient: Party, issuer: Party): void {
  const needed: (keyof Party)[] = ['address', 'city', 'country']
  if (recipient.country === issuer.country) needed.push('taxId')
  const details: ErrorDetail[] = needed
    .filter(name => recipient[name] === null)
    .map(name => ({ path: name, code: 'required', message: 'is required on an invoice' }))
  if (details.length > 0) fail('RECIPIENT_INCOMPLETE', { details })
}

/**
 * Refuses VALIDATION_ERROR for a day more than `daysAhead` after today. Tomorrow may have begun in another time zone; the
 * tax office accepts no later day than its own (TAX-5).
 */
export function assertNotFuture(date: string, today: string, daysAhead: 0 | 1): void {
  if (Date.parse(date) > Date.parse(today) + daysAhead * dayMs) refuse('issueDate', 'is in the future')
}

/** The issue date: no earlier than the last one of its series. Refuses VALIDATION_ERROR for an earlier request. */
export function issueDateOf(requestedDate: string | undefined, last: string): string {
  if (requestedDate !== undefined && requestedDate < last)
    refuse('issueDate', `must not be before ${last}, the date of the last invoice in the series`)
  return last
}

/** The due date. Refuses VALIDATION_ERROR for a day before the issue date. */
export function dueDateOf(invoice: InvoiceRow, issueDate: string, paymentDays: number): string {
  const due =
    invoice.due_date ?? new Date(Date.parse(issueDate) + paymentDays * dayMs).toISOString().slice(0, 10)
  if (due < issueDate) refuse('dueDate', 'must not be before the issue date')
  return due
}

/** The amount that a rectifying invoice takes off the other. A positive one is due by itself. */
export function amountTakenOff({ total_cents }: Pick<InvoiceRow, 'total_cents'>): number {
  return Math.max(-total_cents, 0)
}

/** Refuses RECTIFIED_TOO_MUCH when the rectified invoice would become negative. */
export function assertRectifiable(rectified: InvoiceRow, draft: InvoiceRow): void {
  if (rectified.total_cents - rectified.rectified_cents < amountTakenOff(draft)) fail('RECTIFIED_TOO_MUCH')
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'date', message }] })
}
