import type { Tx } from '#platform/data/db.ts'
import type { EventActor } from '#platform/events/emit.ts'
import { required } from '#platform/required.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import { emitInvoiceEvent } from '../invoices/invoice.events.ts'
import { quota } from './quota.ts'
import { acceptedOf, type InvoiceDeliveryRow } from './sending.row.ts'
import { type DeliveryResult, setDeliveryResult, setSent } from './sending.sql.ts'

/**
 * Records the result of a delivery. Only a mail that the server accepted marks the invoice as sent and emits an
 * event. A refused mail returns its quota slot; a mail that may have been sent keeps it. Undefined when the result
 * was known already.
 */
export async function endDelivery(
  tx: Tx,
  actor: EventActor,
  { id, invoice_id }: Pick<InvoiceDeliveryRow, 'id' | 'invoice_id'>,
  outcome: DeliveryResult,
): Promise<InvoiceDeliveryRow | undefined> {
  const invoice = await lockInvoiceById(tx, invoice_id)
  const delivery = await setDeliveryResult(tx, id, outcome)
  if (!delivery) return undefined
  const { slot_at, application_id, ended_at } = delivery
  if (delivery.state !== 'SENT') {
    if (delivery.state === 'REFUSED' && application_id !== null && slot_at !== null)
      await quota.release(tx, application_id, slot_at)
    return delivery
  }
  const sentAt = required(ended_at, 'the end of a delivery')
  await setSent(tx, invoice_id, sentAt)
  const data = { source: 'manual', recipients: acceptedOf(delivery), sentAt } as const
  await emitInvoiceEvent(tx, actor, { ...invoice, sent_at: sentAt }, 'INVOICE_SENT', data)
  return delivery
}
