import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import type { Services } from '#platform/services.ts'
import { replay } from '../idempotency-key.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { assertIssued } from '../invoices/invoice.rules.ts'
import { addMailLink } from '../links/mail-link.ts'
import { addressBookOf } from './address-book.ts'
import { quota } from './quota.ts'
import { type MailRecipients, resolveRecipients } from './recipients.ts'
import type { InvoiceDeliveryRow } from './sending.row.ts'
import { findByKey, findLastSame, insertDelivery } from './sending.sql.ts'
import { builtIn, type TemplateText } from './templates/mail-template.rules.ts'
import { findDefault, findTemplate } from './templates/mail-template.sql.ts'

/** The request, its fingerprint, and the id of the new delivery. */
export type SendRequest = MailRecipients & {
  deliveryId: string
  invoiceId: string
  userId: string | undefined
  message: string | undefined
  templateId: string | undefined
  fingerprint: string
  key: string | undefined
}
/** A new delivery (`started`), or an earlier one with the same key (`replayed`). */
export type StartedDelivery =
  | {
      as: 'started'
      invoice: InvoiceRow
      delivery: InvoiceDeliveryRow
      template: TemplateText
      /** The secret of the link in the mail. */
      linkToken: string
    }
  | { as: 'replayed'; delivery: InvoiceDeliveryRow }

/**
 * Starts to send an invoice: resolves the recipients and the text, takes a slot of the hourly quota, and stores the
 * delivery before the mail server is called (SND-2, SND-11).
 */
export async function startDelivery(
  tx: Tx,
  caller: Caller,
  request: SendRequest,
  { cipher, publicUrl }: Pick<Services, 'cipher' | 'publicUrl'>,
): Promise<StartedDelivery> {
  const { applicationId } = caller
  const invoice = await lockInvoice(tx, caller, request.invoiceId, request.userId)
  const repeated = await repeatedBy(tx, applicationId ?? caller.personId, request)
  if (repeated) return { as: 'replayed', delivery: repeated }
  assertIssued(invoice)
  const requested = [...request.to, ...request.cc]
  const { to, cc } = resolveRecipients(request, await addressBookOf(tx, cipher, invoice, requested))
  const template = await templateFor(tx, request.templateId)
  const last = await findLastSame(tx, invoice.id, request.fingerprint)
  const delivery = await insertDelivery(tx, {
    id: request.deliveryId,
    invoice_id: invoice.id,
    application_id: applicationId,
    idempotency_key: request.key ?? null,
    fingerprint: request.fingerprint,
    slot_at: applicationId === null ? null : await quota.take(tx, applicationId),
    recipients: to,
    copies: cc,
    created_by: caller.personId || null,
    message_id: mayHaveBeenSent(last, to, cc) ? last.message_id : `${newId()}@${domainOf(publicUrl)}`,
  })
  // another invoice used this key at the same moment
  if (!delivery) fail('IDEMPOTENCY_KEY_REUSED')
  const linkToken = await addMailLink(tx, invoice.id)
  return { as: 'started', invoice, delivery, template, linkToken }
}

async function repeatedBy(
  tx: Tx,
  senderId: string,
  { key, fingerprint }: SendRequest,
): Promise<InvoiceDeliveryRow | undefined> {
  if (key === undefined) return undefined
  const repeated = await findByKey(tx, senderId, key)
  if (repeated) replay(tx, repeated, fingerprint)
  return repeated
}

async function templateFor(tx: Tx, id: string | undefined): Promise<TemplateText> {
  if (id === undefined) return (await findDefault(tx)) ?? builtIn
  return (await findTemplate(tx, id)) ?? fail('TEMPLATE_NOT_FOUND')
}

/** Whether the same recipients may already have received the mail and must not see it twice. */
function mayHaveBeenSent(
  last: InvoiceDeliveryRow | undefined,
  to: string[],
  cc: string[],
): last is InvoiceDeliveryRow {
  if (last?.state !== 'UNKNOWN') return false
  return last.recipients.join() === to.join() && last.copies.join() === cc.join()
}

function domainOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[^\w.-]/g, '')
}
