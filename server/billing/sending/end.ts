import type { Tx } from '#platform/data/database.ts'
import type { EventActor } from '#platform/events/emit.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import { tellOfInvoice } from '../invoices/invoice.events.ts'
import { quota } from './quota.ts'
import { acceptedOf, type DeliveryRow } from './sending.row.ts'
import { type Outcome, setEnded, setSent } from './sending.sql.ts'

/**
 * Writes what came of a delivery. Only what the mail server took makes an invoice sent and is announced. A mail that
 * was refused gives its place in the hour back; one that may have gone out keeps it. Undefined when that was known already.
 */
export async function end(
  tx: Tx,
  actor: EventActor,
  { id, invoice_id }: Pick<DeliveryRow, 'id' | 'invoice_id'>,
  outcome: Outcome,
): Promise<DeliveryRow | undefined> {
  const invoice = (await lockInvoiceById(tx, invoice_id))!
  const delivery = await setEnded(tx, id, outcome)
  if (!delivery) return undefined
  const { slot_at, application_id, ended_at } = delivery
  if (delivery.state !== 'SENT') {
    if (delivery.state === 'REFUSED' && slot_at !== null) await quota.release(tx, application_id!, slot_at)
    return delivery
  }
  const sentAt = ended_at!
  await setSent(tx, invoice_id, sentAt)
  const told = { source: 'manual', recipients: acceptedOf(delivery), sentAt } as const
  await tellOfInvoice(tx, actor, { ...invoice, sent_at: sentAt }, 'INVOICE_SENT', told)
  return delivery
}
