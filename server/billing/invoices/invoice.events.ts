import type { billingEvents } from '#contract/billing/events.ts'
import type { EventData } from '#contract/events.ts'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import type { InvoiceRow } from './invoice.row.ts'
import { dueOf, statusOf } from './invoice.rules.ts'
import { nextSequence } from './invoice.sql.ts'

type InvoiceEventName = keyof typeof billingEvents
type CommonField =
  | 'invoiceId'
  | 'number'
  | 'userId'
  | 'status'
  | 'currency'
  | 'totalCents'
  | 'paidCents'
  | 'dueCents'
  | 'sequence'

/**
 * Emits an event for the application of an invoice, with the current amounts and the next sequence number, or the one that
 * `nextSequences` returned for several invoices together. The transaction must have locked the invoice. An invoice without an application has no events; people are notified that it
 * changed, because its payer and the gateway change it too (PEO-6).
 */
export async function emitInvoiceEvent<N extends InvoiceEventName>(
  tx: Tx,
  actor: EventActor,
  invoice: InvoiceRow,
  name: N,
  data: Omit<EventData<N>, CommonField>,
  sequence?: number,
): Promise<void> {
  if (invoice.application_id === null) return announceInvoice(tx, actor, invoice.id)
  const head: Pick<EventData<InvoiceEventName>, CommonField> = {
    invoiceId: invoice.id,
    number: invoice.number,
    userId: invoice.external_user_id,
    status: statusOf(invoice),
    currency: invoice.currency,
    totalCents: invoice.total_cents,
    paidCents: invoice.paid_cents,
    dueCents: dueOf(invoice),
    sequence: sequence ?? (await nextSequence(tx, invoice.id)),
  }
  emit(tx, actor, name, { ...head, ...data } as unknown as EventData<N>, {
    applicationId: invoice.application_id,
  })
}

/** Announces to people that an invoice changed. */
export function announceInvoice(tx: Tx, actor: EventActor, id: string): void {
  const announced = tx.pending.events.findLast(({ name }) => name === 'invoice.changed')
  if (!announced || (announced.data as EventData<'invoice.changed'>).ids.length === limits.idsPerFrame) {
    emit(tx, actor, 'invoice.changed', { ids: [id] })
    return
  }
  const { ids } = announced.data as EventData<'invoice.changed'>
  if (!ids.includes(id)) ids.push(id)
}
