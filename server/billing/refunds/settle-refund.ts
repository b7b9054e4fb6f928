import type { Failure, GatewayRefund } from '#platform/adapters/gateway/port.ts'
import type { Tx } from '#platform/data/db.ts'
import { required } from '#platform/required.ts'
import { gatewayOf, type PaymentContext, transactAsSystem } from '../charges/payment-context.ts'
import { lockInvoiceById } from '../invoices/invoice.access.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { lockSettingsShared, readSettings } from '../settings/billing-settings.sql.ts'
import { draftForRefund, issueIfEnabled } from './rectify-refunded.ts'
import { emitRefunded, emitRefundFailed } from './refund.events.ts'
import type { RefundPartRow, RefundRow } from './refund.row.ts'
import { keyLifetimeSeconds, nextState, refundResultOf } from './refund.rules.ts'
import {
  bookPart,
  listParts,
  postponePart,
  readPart,
  readRefund,
  setRefund,
  updatePart,
} from './refund.sql.ts'
import { findGatewayRefund, requestPart } from './request-part.ts'

export type RefundPartRef = { organizationId: string; id: string }
/** The result of a part: its refund at the gateway, or the reason why there is none. */
export type PartResult = { refund: GatewayRefund } | { failure: Pick<Failure, 'code'> }
type PartSettleOptions = { refusal?: Failure; isPolled?: boolean }

/**
 * Reads a part's refund from the gateway and records the result. Requests, the worker and gateway notices call this
 * in any order and simultaneously: each reads the refund itself. When there is no refund, either the gateway
 * refused it (`refusal`), or the requester has gone (`isPolled`): then the request is repeated with its key until the
 * key is too old, and after that the part has failed for good.
 */
export async function settleRefund(
  context: PaymentContext,
  ref: RefundPartRef,
  known: PartSettleOptions = {},
): Promise<void> {
  const { organizationId, id } = ref
  const part = await readPart(context.database.of(organizationId), id)
  const result = await readPartResult(context, organizationId, part, known)
  if (result) await recordPartResult(context, ref, result)
  // a gateway that stays silent must not delay other rows
  else if (known.isPolled) await context.database.transact(organizationId, tx => postponePart(tx, part))
}

async function readPartResult(
  context: PaymentContext,
  organizationId: string,
  part: RefundPartRow,
  known: PartSettleOptions,
): Promise<PartResult | undefined> {
  const gateway = await gatewayOf(context, organizationId, part.gateway_account_id)
  const refund = await findGatewayRefund(gateway, part)
  if (refund) return { refund }
  // no answer, or nothing new
  if (refund === null || part.state === 'FAILED') return undefined
  if (known.refusal) return { failure: known.refusal }
  if (!known.isPolled) return undefined
  if (part.age_seconds > keyLifetimeSeconds) return { failure: { code: 'gateway_unavailable' } }
  const answer = await requestPart(gateway, organizationId, part)
  if (!answer) return undefined
  return 'refund' in answer ? answer : { failure: answer.refusal }
}

/** Records the result of a part. */
export async function recordPartResult(
  context: PaymentContext,
  { organizationId, id }: RefundPartRef,
  result: PartResult,
): Promise<void> {
  await transactAsSystem(context, organizationId, tx => applyPartResult(tx, context, id, result))
}

/**
 * Every transaction locks the settings first, then the invoice, then the refund. The rectifying invoice is drafted,
 * and issued when the settings say so, in this transaction: no crash can separate it from the refund.
 */
export async function applyPartResult(
  tx: Tx,
  { log }: Pick<PaymentContext, 'log'>,
  id: string,
  result: PartResult,
): Promise<void> {
  const { invoice_id, refund_id, creates_rectifying_invoice } = await readPart(tx, id)
  if (creates_rectifying_invoice && (await readSettings(tx)).issuesRectifyingAtOnce)
    await lockSettingsShared(tx)
  const invoice = await lockInvoiceById(tx, invoice_id)
  const [refund, parts] = await Promise.all([readRefund(tx, refund_id), listParts(tx, refund_id)])
  const before = required(
    parts.find(part => part.id === id),
    'a part of its refund',
  )
  const part = await updatePart(tx, before, partUpdateOf(before, result))
  if (part.state === before.state) return
  invoice.refunded_cents = await bookPart(tx, part, ledgerEntryOf(before, part))
  const all = parts.map(each => (each.id === id ? part : each))
  if (part.state === 'FAILED') {
    const about = { organizationId: tx.organizationId, refundId: refund_id, failureCode: part.failure_code }
    log?.error(about, 'a refund failed')
  }
  const rectifying = await endRefund(tx, invoice, refund, all, part)
  if (rectifying) await issueIfEnabled(tx, log, refund, rectifying)
}

function partUpdateOf(part: RefundPartRow, result: PartResult): Parameters<typeof updatePart>[2] {
  if ('failure' in result) {
    // another process found the refund in the meantime
    if (part.gateway_refund_id !== null || part.state === 'FAILED') return unchanged(part)
    return { state: 'FAILED', gatewayRefundId: null, failureCode: result.failure.code ?? 'refused' }
  }
  const { id, status, failureCode } = result.refund
  const state = nextState(part, status)
  if (state === part.state) return { ...unchanged(part), gatewayRefundId: id }
  return { state, gatewayRefundId: id, failureCode: state === 'FAILED' ? (failureCode ?? status) : null }
}

function unchanged({
  state,
  gateway_refund_id,
  failure_code,
}: RefundPartRow): Parameters<typeof updatePart>[2] {
  return { state, gatewayRefundId: gateway_refund_id, failureCode: failure_code }
}

function ledgerEntryOf(
  before: RefundPartRow,
  { state, amount_cents: cents }: RefundPartRow,
): Parameters<typeof bookPart>[2] {
  if (state === 'SUCCEEDED') return { kind: 'REFUND', amountCents: -cents }
  return before.state === 'SUCCEEDED' ? { kind: 'REVERSAL', amountCents: cents } : undefined
}

/**
 * Writes the result of the refund and emits its events: for the whole refund when it ends, and later for a part
 * that changes. Returns the draft of the rectifying invoice, if any.
 */
async function endRefund(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  parts: RefundPartRow[],
  part: RefundPartRow,
): Promise<InvoiceRow | null> {
  const { failedCents, ...outcome } = refundResultOf(refund, parts)
  if (outcome.status === 'PENDING') {
    await setRefund(tx, { ...refund, ...outcome })
    return null
  }
  const isFirst = refund.status === 'PENDING'
  const started =
    isFirst && outcome.status === 'SUCCEEDED' && refund.creates_rectifying_invoice
      ? await draftForRefund(tx, invoice, refund, outcome.amount_cents)
      : null
  const rectifying_invoice_id = started?.id ?? refund.rectifying_invoice_id
  const ended = await setRefund(tx, { ...refund, ...outcome, rectifying_invoice_id })
  const failureCode = parts.find(({ failure_code }) => failure_code !== null)?.failure_code ?? null
  const given = isFirst ? outcome.amount_cents : part.amount_cents
  const failed = isFirst ? failedCents : part.amount_cents
  if (isFirst ? outcome.status === 'SUCCEEDED' : part.state === 'SUCCEEDED')
    await emitRefunded(tx, invoice, ended, given)
  if (isFirst ? failedCents > 0 : part.state === 'FAILED')
    await emitRefundFailed(tx, invoice, ended, { amountCents: failed, failureCode })
  return started
}
