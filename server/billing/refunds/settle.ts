import type { Failure, GatewayRefund } from '#platform/adapters/gateway/port.ts'
import type { Tx } from '#platform/data/database.ts'
import { gatewayOf, type Till, transactFor } from '../charges/till.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { keepSettings, settingsOf } from '../settings/billing-settings.sql.ts'
import { askFor, lookFor } from './ask.ts'
import { beginRectifying, issueIfWished } from './rectify.ts'
import { tellOfFailedRefund, tellOfRefund } from './refund.events.ts'
import type { PartRow, RefundRow } from './refund.row.ts'
import { keySeconds, nextState, outcomeOf } from './refund.rules.ts'
import {
  bookPart,
  findPart,
  findRefund,
  movePart,
  partsOfRefund,
  postponePart,
  setRefund,
} from './refund.sql.ts'

/** Where a part of a refund is. */
export type Place = { organizationId: string; id: string }
/** What became of a part: its refund as the gateway has it, or why there is none. */
export type Seen = { refund: GatewayRefund } | { failure: Pick<Failure, 'code'> }
type Known = { refusal?: Failure; isLate?: boolean }

/**
 * Brings a part of a refund in step with what the gateway says of it now. Requests, the worker and notices of the gateway
 * all come here, in any order and at the same time: each looks for itself. One that is not there was refused (`refusal`),
 * or whoever asked for it has gone (`isLate`): then it is asked for again with its key, until the key is too old to be
 * known; after that it is not there for good.
 */
export async function settleRefund(till: Till, place: Place, known: Known = {}): Promise<void> {
  const { organizationId, id } = place
  const part = (await findPart(till.database.of(organizationId), id))!
  const seen = await look(till, organizationId, part, known)
  if (seen) await record(till, place, seen)
  // a gateway that is silent for long does not keep others waiting
  else if (known.isLate) await till.database.transact(organizationId, tx => postponePart(tx, part))
}

async function look(
  till: Till,
  organizationId: string,
  part: PartRow,
  known: Known,
): Promise<Seen | undefined> {
  const gateway = await gatewayOf(till, organizationId, part.gateway_account_id)
  const refund = await lookFor(gateway, part)
  if (refund) return { refund }
  // the gateway did not say, or says again what is known
  if (refund === null || part.state === 'FAILED') return undefined
  if (known.refusal) return { failure: known.refusal }
  if (!known.isLate) return undefined
  if (part.age_seconds > keySeconds) return { failure: { code: 'gateway_unavailable' } }
  const answer = await askFor(gateway, organizationId, part)
  if (!answer) return undefined
  return 'refund' in answer ? answer : { failure: answer.refusal }
}

/** Writes what was seen of a part. */
export async function record(till: Till, { organizationId, id }: Place, seen: Seen): Promise<void> {
  await transactFor(till, organizationId, tx => apply(tx, till, id, seen))
}

/**
 * The invoice is locked before what is given back of it, by everybody, and the settings before the invoice, as whoever
 * issues a draft does. The rectifying invoice is begun, and issued when the organization wishes that, in this transaction:
 * no process can die between the refund and it.
 */
export async function apply(tx: Tx, { log }: Pick<Till, 'log'>, id: string, seen: Seen): Promise<void> {
  const { invoice_id, refund_id, creates_rectifying_invoice } = (await findPart(tx, id))!
  if (creates_rectifying_invoice && (await settingsOf(tx)).issuesRectifyingAtOnce) await keepSettings(tx)
  const invoice = (await lockInvoiceById(tx, invoice_id))!
  const [refund, parts] = await Promise.all([findRefund(tx, refund_id), partsOfRefund(tx, refund_id)])
  const before = parts.find(part => part.id === id)!
  const part = await movePart(tx, before, stateOf(before, seen))
  if (part.state === before.state) return
  invoice.refunded_cents = await bookPart(tx, part, movedBy(before, part))
  const all = parts.map(each => (each.id === id ? part : each))
  if (part.state === 'FAILED') {
    const about = { organizationId: tx.organizationId, refundId: refund_id, failureCode: part.failure_code }
    log?.error(about, 'money could not be given back')
  }
  const rectifying = await end(tx, invoice, refund!, all, part)
  if (rectifying) await issueIfWished(tx, log, refund!, rectifying)
}

function stateOf(part: PartRow, seen: Seen): Parameters<typeof movePart>[2] {
  if ('failure' in seen) {
    // somebody else has found it meanwhile
    if (part.gateway_refund_id !== null || part.state === 'FAILED') return unchanged(part)
    return { state: 'FAILED', gatewayRefundId: null, failureCode: seen.failure.code ?? 'refused' }
  }
  const { id, status, failureCode } = seen.refund
  const state = nextState(part, status)
  if (state === part.state) return { ...unchanged(part), gatewayRefundId: id }
  return { state, gatewayRefundId: id, failureCode: state === 'FAILED' ? (failureCode ?? status) : null }
}

function unchanged({ state, gateway_refund_id, failure_code }: PartRow): Parameters<typeof movePart>[2] {
  return { state, gatewayRefundId: gateway_refund_id, failureCode: failure_code }
}

function movedBy(before: PartRow, { state, amount_cents: cents }: PartRow): Parameters<typeof bookPart>[2] {
  if (state === 'SUCCEEDED') return { kind: 'REFUND', amountCents: -cents }
  return before.state === 'SUCCEEDED' ? { kind: 'REVERSAL', amountCents: cents } : undefined
}

/**
 * Writes what the refund is now, and tells of it: once it has ended of all of it, and later of the part that changed.
 * Answers the draft of the rectifying invoice that it began.
 */
async function end(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  parts: PartRow[],
  part: PartRow,
): Promise<InvoiceRow | null> {
  const { failedCents, ...outcome } = outcomeOf(refund, parts)
  if (outcome.status === 'PENDING') {
    await setRefund(tx, { ...refund, ...outcome })
    return null
  }
  const isFirst = refund.status === 'PENDING'
  const begun =
    isFirst && outcome.status === 'SUCCEEDED' && refund.creates_rectifying_invoice
      ? await beginRectifying(tx, invoice, refund, outcome.amount_cents)
      : null
  const rectifying_invoice_id = begun?.id ?? refund.rectifying_invoice_id
  const ended = await setRefund(tx, { ...refund, ...outcome, rectifying_invoice_id })
  const failureCode = parts.find(({ failure_code }) => failure_code !== null)?.failure_code ?? null
  const given = isFirst ? outcome.amount_cents : part.amount_cents
  const failed = isFirst ? failedCents : part.amount_cents
  if (isFirst ? outcome.status === 'SUCCEEDED' : part.state === 'SUCCEEDED')
    await tellOfRefund(tx, invoice, ended, given)
  if (isFirst ? failedCents > 0 : part.state === 'FAILED')
    await tellOfFailedRefund(tx, invoice, ended, { amountCents: failed, failureCode })
  return begun
}
