import { createHash } from 'node:crypto'
import { type InvoiceSent, sendInvoice, sendInvoiceByHand } from '#contract/billing/sending.ts'
import { limits } from '#contract/limits.ts'
import { MailFailure } from '#platform/adapters/mail.ts'
import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Services, type Transact, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { fileNameOf, printInvoice } from '../invoices/print.ts'
import { lookAgain } from '../look-again.ts'
import { type Asked, type Begun, begin } from './begin.ts'
import { end } from './end.ts'
import { type DeliveryRow, showSent } from './sending.row.ts'
import { findDelivery, type Outcome } from './sending.sql.ts'

type Body = { userId?: string; to?: string[]; cc?: string[]; message?: string; templateId?: string }

/** Sends an invoice by mail (SND-1). */
export const send = workflow(sendInvoice, ({ services, caller, transact, params, body, idempotencyKey }) =>
  sendOnce(services, caller, transact, askedFor(params.id, body, idempotencyKey)),
)

/** The same for people. */
export const sendByHand = workflow(
  sendInvoiceByHand,
  ({ services, caller, transact, params, body, idempotencyKey }) =>
    sendOnce(services, caller, transact, askedFor(params.id, body, idempotencyKey)),
)

function askedFor(invoiceId: string, body: Body, key: string | undefined): Asked {
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
  services: Services,
  caller: Caller,
  transact: Transact,
  asked: Asked,
): Promise<InvoiceSent> {
  const db = services.database.of(caller.organizationId)
  const recorded = { subject: asked.invoiceId, detail: { deliveryId: asked.deliveryId } }
  const begun = await transact(tx => begin(tx, caller, asked, services), {
    ...recorded,
    changed: ['deliveries'],
  })
  if (begun.as === 'repeats') return answerOf(await outcomeOf(db, begun.delivery))
  const outcome = await handOver(services, db, begun)
  const changed = outcome.state === 'SENT' ? ['sentAt'] : ['deliveries']
  const ended = await transact(tx => end(tx, caller, begun.delivery, outcome), { ...recorded, changed })
  return answerOf(ended)
}

/** Gives the message to the mail server, outside any transaction. */
async function handOver(
  { mail, log }: Services,
  db: Db,
  { invoice, delivery, letter }: Begun & { as: 'begun' },
): Promise<Outcome> {
  try {
    const pdf = await printInvoice(db, invoice)
    const { rejected } = await mail.send({
      ...letter,
      to: delivery.recipients,
      cc: delivery.copies,
      messageId: delivery.message_id,
      ...(invoice.issuer && { fromName: invoice.issuer.name }),
      ...(invoice.issuer?.email && { replyTo: invoice.issuer.email }),
      attachments: [{ filename: fileNameOf(invoice), content: pdf, contentType: 'application/pdf' }],
    })
    return { state: 'SENT', refused: rejected, answer: null }
  } catch (error) {
    const isServers = error instanceof MailFailure
    // what the server says names people: it stands with the delivery
    if (isServers) log?.warn({ deliveryId: delivery.id }, 'the mail server did not take an invoice')
    else log?.error({ deliveryId: delivery.id, err: error }, 'an invoice could not be mailed')
    const answer = isServers ? error.answer : null
    return {
      state: isServers && error.mayGoOut ? 'UNKNOWN' : 'REFUSED',
      refused: [],
      answer: answer?.replace(/\p{Cc}+/gu, ' ').slice(0, limits.mailAnswer) ?? null,
    }
  }
}

function answerOf(delivery: DeliveryRow | undefined): InvoiceSent {
  return delivery?.state === 'SENT' ? showSent(delivery) : fail('INVOICE_EMAIL_NOT_SENT')
}

/** Longer than a message is given to the mail server: whoever began it is likely gone. */
const patienceSeconds = 35

/** What came of a delivery that another call may still be at. Refuses INVOICE_EMAIL_IN_PROGRESS when nobody knows yet. */
async function outcomeOf(db: Db, delivery: DeliveryRow): Promise<DeliveryRow> {
  const isRunning = ({ state, age_seconds }: DeliveryRow) =>
    state === 'SENDING' && age_seconds < patienceSeconds
  const seen = await lookAgain(delivery, isRunning, () => findDelivery(db, delivery.id))
  if (seen.state !== 'SENDING') return seen
  const retryAfterSeconds = Math.max(1, limits.mailGivenSeconds - seen.age_seconds)
  fail('INVOICE_EMAIL_IN_PROGRESS', { retryAfterSeconds })
}
