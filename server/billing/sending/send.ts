import { createHash } from 'node:crypto'
import { type InvoiceSent, sendInvoice, sendInvoiceByHand } from '#contract/billing/sending.ts'
import { limits } from '#contract/limits.ts'
import { MailFailure } from '#platform/adapters/mail.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Transact, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { MailDeliveryServices } from '#platform/jobs/mail-queue.ts'
import type { Services } from '#platform/services.ts'
import { mailSenderOf } from '#server/crm/index.ts'
import { accountForCurrency } from '../charges/page/payment-page.json.ts'
import { pdfFileName, renderInvoicePdf } from '../invoices/read-pdf.ts'
import { linkUrl } from '../links/payment-link.token.ts'
import { pollWhile } from '../poll-while.ts'
import { endDelivery } from './end-delivery.ts'
import { invoiceMail, payUrlOf } from './invoice-mail.ts'
import { type InvoiceDeliveryRow, showSent } from './sending.row.ts'
import { type DeliveryResult, findDelivery } from './sending.sql.ts'
import { type SendRequest, type StartedDelivery, startDelivery } from './start-delivery.ts'

type InvoiceMailServices = MailDeliveryServices & Pick<Services, 'files' | 'cipher'>
type Body = { userId?: string; to?: string[]; cc?: string[]; message?: string; templateId?: string }

/** Sends an invoice by mail (SND-1). */
export const send = workflow(sendInvoice, ({ services, caller, transact, params, body, idempotencyKey }) =>
  sendOnce(services, caller, transact, sendRequestOf(params.id, body, idempotencyKey)),
)

/** The same for members. */
export const sendByHand = workflow(
  sendInvoiceByHand,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    sendOnce(services, caller, transact, sendRequestOf(params.id, body, idempotencyKey)),
)

function sendRequestOf(invoiceId: string, body: Body, key: string | undefined): SendRequest {
  const { userId, to = [], cc = [], message, templateId } = body
  const call = JSON.stringify([invoiceId, userId, to, cc, message, templateId])
  return {
    deliveryId: newId(),
    invoiceId,
    userId,
    to,
    cc,
    message,
    templateId,
    key,
    fingerprint: createHash('sha256').update(call).digest('hex'),
  }
}

async function sendOnce(
  services: InvoiceMailServices,
  caller: Caller,
  transact: Transact,
  request: SendRequest,
): Promise<InvoiceSent> {
  const db = services.database.of(caller.organizationId)
  const recorded = { subject: request.invoiceId, detail: { deliveryId: request.deliveryId } }
  const started = await transact(tx => startDelivery(tx, caller, request, services), {
    ...recorded,
    changed: ['deliveries'],
  })
  if (started.as === 'replayed') return replyOf(await waitForDelivery(db, started.delivery))
  const outcome = await deliver(services, db, started, request.message)
  const changed = outcome.state === 'SENT' ? ['sentAt'] : ['deliveries']
  const ended = await transact(tx => endDelivery(tx, caller, started.delivery, outcome), {
    ...recorded,
    changed,
  })
  return replyOf(ended)
}

/** Hands the mail to the mail server, outside any transaction. */
async function deliver(
  { files, mail, log, publicUrl }: InvoiceMailServices,
  db: Db,
  { invoice, delivery, template, linkToken }: StartedDelivery & { as: 'started' },
  message: string | undefined,
): Promise<DeliveryResult> {
  try {
    const [sender, account] = await Promise.all([
      mailSenderOf(files, db),
      accountForCurrency(db, invoice.currency),
    ])
    const page = { url: linkUrl({ publicUrl }, linkToken), isPayable: account !== undefined }
    const pdf = await renderInvoicePdf(files, db, invoice, payUrlOf(invoice, page))
    const letter = invoiceMail(invoice, template, { sender, page }, message)
    const { rejected } = await mail.send({
      ...letter,
      to: delivery.recipients,
      cc: delivery.copies,
      messageId: delivery.message_id,
      attachments: [
        ...letter.attachments,
        { filename: pdfFileName(invoice), content: pdf, contentType: 'application/pdf' },
      ],
    })
    return { state: 'SENT', refused: rejected, server_reply: null }
  } catch (error) {
    const isServers = error instanceof MailFailure
    // the server's reply may name people, so it is stored with the delivery instead of the log
    if (isServers) log?.warn({ deliveryId: delivery.id }, 'the mail server did not take an invoice')
    else log?.error({ deliveryId: delivery.id, err: error }, 'an invoice could not be mailed')
    const reply = isServers ? error.answer : null
    return {
      state: isServers && error.mayGoOut ? 'UNKNOWN' : 'REFUSED',
      refused: [],
      server_reply: reply?.replace(/\p{Cc}+/gu, ' ').slice(0, limits.mailAnswer) ?? null,
    }
  }
}

function replyOf(delivery: InvoiceDeliveryRow | undefined): InvoiceSent {
  return delivery?.state === 'SENT' ? showSent(delivery) : fail('INVOICE_EMAIL_NOT_SENT')
}

/** Longer than a hand-over takes: the process that started an older delivery is probably gone. */
const waitSeconds = 35

/**
 * Waits while another request may work on a delivery. Refuses INVOICE_EMAIL_IN_PROGRESS when the result is still
 * unknown.
 */
async function waitForDelivery(db: Db, delivery: InvoiceDeliveryRow): Promise<InvoiceDeliveryRow> {
  const isRunning = ({ state, age_seconds }: InvoiceDeliveryRow) =>
    state === 'SENDING' && age_seconds < waitSeconds
  const seen = await pollWhile(delivery, isRunning, () => findDelivery(db, delivery.id))
  if (seen.state !== 'SENDING') return seen
  const retryAfterSeconds = Math.max(1, limits.mailGivenSeconds - seen.age_seconds)
  fail('INVOICE_EMAIL_IN_PROGRESS', { retryAfterSeconds })
}
