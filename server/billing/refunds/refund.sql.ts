import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { hasLiveKey, isKeyExpired } from '../idempotency-key.ts'
import {
  type RefundPartRow,
  type RefundPartState,
  type RefundRow,
  refundColumns,
  refundPartColumns,
} from './refund.row.ts'
import {
  type CollectedPayment,
  firstPollSeconds,
  type NewRefundPart,
  nextPollSeconds,
} from './refund.rules.ts'

type RefundColumn =
  | 'id'
  | 'invoice_id'
  | 'application_id'
  | 'source'
  | 'amount_cents'
  | 'currency'
  | 'is_full'
type RefundOption = 'reason' | 'creates_rectifying_invoice' | 'created_by' | 'idempotency_key' | 'fingerprint'
export type NewRefund = Pick<RefundRow, RefundColumn | RefundOption>

const fromPart = `from refund_part p
  join refund r on r.organization_id = $organization and r.id = p.refund_id
  join payment m on m.organization_id = $organization and m.id = p.payment_id
  where p.organization_id = $organization`

const select = sql<RefundRow, { id: string }>(
  `select ${refundColumns} from refund r where r.organization_id = $organization and r.id = $id`,
)
// index refund_of
const selectOfInvoice = sql<RefundRow, { invoiceId: string }>(
  `select ${refundColumns} from refund r where r.organization_id = $organization and r.invoice_id = $invoiceId
   order by r.created_at desc, r.id desc limit ${limits.pageLimit}`,
)
// index refund_key
const selectByKey = sql<RefundRow, { applicationId: string; key: string }>(
  `select ${refundColumns} from refund r where ${hasLiveKey('r')}`,
)
const retireKey = sql<never, { applicationId: string; key: string }>(
  `update refund r set is_key_live = false
   where ${hasLiveKey('r')} and ${isKeyExpired('r')}`,
)
const selectPart = sql<RefundPartRow, { id: string }>(
  `select ${refundPartColumns} ${fromPart} and p.id = $id`,
)
// index refund_part_of
const selectParts = sql<RefundPartRow, { refundId: string }>(
  `select ${refundPartColumns} ${fromPart} and p.refund_id = $refundId order by p.id`,
)
// index payment_of
const selectCollected = sql<CollectedPayment, { invoiceId: string }>(
  `select m.id, m.amount_cents, m.refund_reserved_cents, m.is_disputed, m.gateway_account_id, m.payment_intent_id
   from payment m where m.organization_id = $organization and m.invoice_id = $invoiceId
     and m.payment_intent_id is not null
   order by m.created_at desc, m.id desc`,
)
const insert = sql<
  RefundRow,
  {
    id: string
    invoiceId: string
    applicationId: string | null
    source: string
    cents: number
    currency: string
    isFull: boolean
    reason: string | null
    rectifies: boolean
    by: string | null
    key: string | null
    fingerprint: string | null
  }
>(
  `insert into refund as r (organization_id, id, invoice_id, application_id, source, status, amount_cents,
     currency, is_full,
     reason, creates_rectifying_invoice, created_by, idempotency_key, fingerprint, is_key_live)
   values ($organization, $id, $invoiceId, $applicationId, $source, 'PENDING', $cents, $currency, $isFull,
     $reason, $rectifies, $by, $key, $fingerprint, $key::text is not null)
   on conflict do nothing returning ${refundColumns}`,
)
const insertPart = sql<
  { id: string },
  {
    id: string
    refundId: string
    paymentId: string
    cents: number
    accountId: string
    gatewayRefundId: string | null
    pollSeconds: number
  }
>(
  `insert into refund_part as p (organization_id, id, refund_id, payment_id, amount_cents, state, gateway_account_id,
     gateway_refund_id, next_poll_at)
   values ($organization, $id, $refundId, $paymentId, $cents, 'SENT', $accountId, $gatewayRefundId,
     now() + make_interval(secs => $pollSeconds))
   returning p.id`,
)
const setPartState = sql<
  never,
  {
    id: string
    state: string
    gatewayRefundId: string | null
    failureCode: string | null
    after: number | null
  }
>(
  `update refund_part p set state = $state,
     gateway_refund_id = coalesce($gatewayRefundId, p.gateway_refund_id), failure_code = $failureCode,
     poll_count = case when p.state = $state then p.poll_count else 0 end,
     next_poll_at = now() + make_interval(secs => $after),
     ended_at = case when $state in ('SUCCEEDED', 'FAILED') then coalesce(p.ended_at, now()) end
   where p.organization_id = $organization and p.id = $id`,
)
const postpone = sql<never, { id: string; state: string; pollCount: number; after: number | null }>(
  `update refund_part p set next_poll_at = now() + make_interval(secs => $after)
   where p.organization_id = $organization and p.id = $id and p.state = $state and p.poll_count = $pollCount`,
)
const updateRefund = sql<
  RefundRow,
  { id: string; status: string; cents: number; isFull: boolean; rectifying: string | null }
>(
  `update refund r set status = $status, amount_cents = $cents, is_full = $isFull,
     rectifying_invoice_id = $rectifying, updated_at = now(),
     ended_at = case when $status <> 'PENDING' then coalesce(r.ended_at, now()) end
   where r.organization_id = $organization and r.id = $id returning ${refundColumns}`,
)
// index refund_part_of_payment; computed from the parts, so that nothing has to be undone
const recountPayment = sql<never, { paymentId: string }>(
  `update payment m set refund_reserved_cents = least(m.amount_cents, c.reserved), refunded_cents = c.refunded
   from (select coalesce(sum(p.amount_cents) filter (where p.state <> 'FAILED'), 0) as reserved,
           coalesce(sum(p.amount_cents) filter (where p.state = 'SUCCEEDED'), 0) as refunded
         from refund_part p where p.organization_id = $organization and p.payment_id = $paymentId) c
   where m.organization_id = $organization and m.id = $paymentId`,
)
const recountInvoice = sql<{ refunded_cents: number }, { invoiceId: string }>(
  `update invoice i set updated_at = now(), refunded_cents =
     (select coalesce(sum(m.refunded_cents), 0) from payment m
       where m.organization_id = $organization and m.invoice_id = $invoiceId)
   where i.organization_id = $organization and i.id = $invoiceId returning i.refunded_cents`,
)
const insertLedgerEntry = sql<never, { id: string; kind: string; cents: number; partId: string }>(
  `insert into ledger_entry (organization_id, id, invoice_id, kind, amount_cents, currency, payment_id, refund_part_id,
     gateway_account_id, gateway_object_id)
   select $organization, $id, r.invoice_id, $kind, $cents, r.currency, p.payment_id, p.id,
     p.gateway_account_id, p.gateway_refund_id
   from refund_part p join refund r on r.organization_id = $organization and r.id = p.refund_id
   where p.organization_id = $organization and p.id = $partId`,
)

/** A refund that exists. */
export function readRefund(db: Db, id: string): Promise<RefundRow> {
  return db.one(select, { id })
}

/** The newest first, one page at most. */
export function listRefundsOfInvoice(db: Db, invoiceId: string): Promise<RefundRow[]> {
  return db.rows(selectOfInvoice, { invoiceId })
}

/** The refund that used a key during the last day, or that used it earlier and has not ended. */
export async function findByKey(
  tx: Tx,
  applicationId: string | null,
  key: string,
): Promise<RefundRow | undefined> {
  const [, refund] = await Promise.all([
    tx.run(retireKey, { applicationId: applicationId ?? '', key }),
    tx.first(selectByKey, { applicationId: applicationId ?? '', key }),
  ])
  return refund
}

/** A part of a refund that exists. */
export function readPart(db: Db, id: string): Promise<RefundPartRow> {
  return db.one(selectPart, { id })
}

export function listParts(db: Db, refundId: string): Promise<RefundPartRow[]> {
  return db.rows(selectParts, { refundId })
}

/** The payments that the gateway collected for an invoice, the newest first. */
export function listCollectedPayments(db: Db, invoiceId: string): Promise<CollectedPayment[]> {
  return db.rows(selectCollected, { invoiceId })
}

/**
 * Stores a refund of an invoice that the transaction has locked, and reserves the amount of each payment.
 * `gatewayRefundId` is the id of a refund that exists already. Undefined when the key was used for another invoice
 * at the same moment.
 */
export async function insertRefund(
  tx: Tx,
  refund: NewRefund,
  parts: NewRefundPart[],
  gatewayRefundId: string | null = null,
): Promise<{ refund: RefundRow; partIds: string[] } | undefined> {
  const inserted = await tx.first(insert, {
    id: refund.id,
    invoiceId: refund.invoice_id,
    applicationId: refund.application_id,
    source: refund.source,
    cents: refund.amount_cents,
    currency: refund.currency,
    isFull: refund.is_full,
    reason: refund.reason,
    rectifies: refund.creates_rectifying_invoice,
    by: refund.created_by,
    key: refund.idempotency_key,
    fingerprint: refund.fingerprint,
  })
  if (!inserted) return undefined
  const rows = await Promise.all(
    parts.map(({ paymentId, accountId, amountCents }) =>
      tx.one(insertPart, {
        id: newId(),
        refundId: refund.id,
        paymentId,
        cents: amountCents,
        accountId,
        gatewayRefundId,
        pollSeconds: firstPollSeconds,
      }),
    ),
  )
  await Promise.all(parts.map(({ paymentId }) => tx.run(recountPayment, { paymentId })))
  return { refund: inserted, partIds: rows.map(({ id }) => id) }
}

/** Updates a part; its invoice must be locked. */
export async function updatePart(
  tx: Tx,
  part: RefundPartRow,
  to: { state: RefundPartState; gatewayRefundId: string | null; failureCode: string | null },
): Promise<RefundPartRow> {
  const pollCount = to.state === part.state ? part.poll_count : 0
  await tx.run(setPartState, {
    id: part.id,
    state: to.state,
    gatewayRefundId: to.gatewayRefundId,
    failureCode: to.failureCode,
    after: nextPollSeconds(to.state, pollCount),
  })
  return {
    ...part,
    state: to.state,
    failure_code: to.failureCode,
    poll_count: pollCount,
    gateway_refund_id: to.gatewayRefundId ?? part.gateway_refund_id,
  }
}

/** Schedules the next poll of an unchanged part, unless another process changed it in the meantime. */
export async function postponePart(
  tx: Tx,
  { id, state, poll_count: pollCount }: RefundPartRow,
): Promise<void> {
  await tx.run(postpone, { id, state, pollCount, after: nextPollSeconds(state, pollCount) })
}

/**
 * Recomputes the refunded totals of the payment and the invoice, and enters a movement in the ledger. Returns the
 * refunded total of the invoice.
 */
export async function bookPart(
  tx: Tx,
  part: RefundPartRow,
  moved: { kind: 'REFUND' | 'REVERSAL'; amountCents: number } | undefined,
): Promise<number> {
  const [, invoice] = await Promise.all([
    tx.run(recountPayment, { paymentId: part.payment_id }),
    tx.one(recountInvoice, { invoiceId: part.invoice_id }),
    moved &&
      tx.run(insertLedgerEntry, { id: newId(), kind: moved.kind, cents: moved.amountCents, partId: part.id }),
  ])
  return invoice.refunded_cents
}

/** Writes the result of a refund; its invoice must be locked. */
export function setRefund(
  tx: Tx,
  { id, status, amount_cents, is_full, rectifying_invoice_id }: RefundRow,
): Promise<RefundRow> {
  return tx.one(updateRefund, {
    id,
    status,
    cents: amount_cents,
    isFull: is_full,
    rectifying: rectifying_invoice_id,
  })
}

// index refund_part_of_payment
const selectAtGateway = sql<{ id: string }, { paymentId: string; refundId: string; partId: string | null }>(
  `select p.id from refund_part p where p.organization_id = $organization and p.payment_id = $paymentId
     and (p.gateway_refund_id = $refundId or (p.gateway_refund_id is null and p.id = $partId))
   order by p.gateway_refund_id limit 1`,
)
/** The part that has this refund id, or the requested part that has no refund id yet. */
export async function findPartOfGatewayRefund(
  db: Db,
  paymentId: string,
  refundId: string,
  partId: string | undefined,
): Promise<string | undefined> {
  return (await db.first(selectAtGateway, { paymentId, refundId, partId: partId ?? null }))?.id
}
