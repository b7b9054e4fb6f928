import type { Invoice } from './invoice.ts'
import type {
  Delivery,
  InvoiceLink,
  InvoiceMovements,
  LedgerEntry,
  ListCharge,
  ListedRefundOfInvoice,
} from './invoice-reads.ts'

/** Something that happened to an invoice. */
export type InvoiceEvent = { id: string; at: string } & (
  | { kind: 'created' | 'issued' | 'voided' }
  | { kind: 'mailed'; delivery: Delivery }
  | { kind: 'reminded'; days: number }
  | { kind: 'linkMade' | 'linkRevoked'; link: InvoiceLink }
  | { kind: 'charge'; charge: ListCharge }
  | { kind: 'refund'; refund: ListedRefundOfInvoice }
  | { kind: 'money'; entry: LedgerEntry; method: string | undefined; reference: string | null }
)

/**
 * The history of an invoice, the newest event first. Charges and refunds that succeeded are in the ledger and appear
 * once, as the movement of money that they are.
 */
export function invoiceEvents(
  invoice: Pick<Invoice, 'id' | 'createdAt' | 'issuedAt' | 'voidedAt' | 'payments'>,
  { charges, refunds, deliveries, links, reminders, ledger }: InvoiceMovements,
): InvoiceEvent[] {
  const { id, createdAt, issuedAt, voidedAt, payments } = invoice
  const own = [
    { kind: 'created' as const, at: createdAt },
    { kind: 'issued' as const, at: issuedAt },
    { kind: 'voided' as const, at: voidedAt },
  ]
  const events: InvoiceEvent[] = [
    ...own.flatMap(({ kind, at }) => (at === null ? [] : [{ id: `${id} ${kind}`, kind, at }])),
    ...deliveries.map(delivery => ({
      id: delivery.id,
      kind: 'mailed' as const,
      at: delivery.endedAt ?? delivery.createdAt,
      delivery,
    })),
    ...reminders.flatMap(({ days, sentAt }) =>
      sentAt === null ? [] : [{ id: `${id} reminded ${days}`, kind: 'reminded' as const, at: sentAt, days }],
    ),
    ...links.map(link => ({ id: link.id, kind: 'linkMade' as const, at: link.createdAt, link })),
    ...links.flatMap(link =>
      link.revokedAt === null
        ? []
        : [{ id: `${link.id} revoked`, kind: 'linkRevoked' as const, at: link.revokedAt, link }],
    ),
    ...charges
      .filter(({ status }) => status !== 'SUCCEEDED')
      .map(charge => ({
        id: charge.id,
        kind: 'charge' as const,
        at: charge.endedAt ?? charge.createdAt,
        charge,
      })),
    ...refunds
      .filter(({ status }) => status !== 'SUCCEEDED')
      .map(refund => ({ id: refund.id, kind: 'refund' as const, at: refund.createdAt, refund })),
    ...ledger.map(entry => {
      const payment = payments.find(({ id: paymentId }) => paymentId === entry.paymentId)
      return {
        id: entry.id,
        kind: 'money' as const,
        at: entry.at,
        entry,
        method: payment?.method,
        reference: payment?.reference ?? null,
      }
    }),
  ]
  // of two at the same moment, the one that is listed later here came later
  return events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).toReversed()
}
