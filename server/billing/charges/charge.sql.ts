import { limits } from '#contract/limits.ts'
import type { Failure } from '#platform/adapters/gateway/port.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { type AttemptRow, type AttemptState, wholeAttempt } from './charge.row.ts'
import { isOpen, lookAfter } from './charge.rules.ts'

/** Where an attempt is. */
export type Place = { organizationId: string; id: string }
type Opened = 'invoice_id' | 'application_id' | 'kind' | 'amount_cents' | 'currency' | 'gateway_account_id'
type Payer = 'customer_id' | 'payment_method_id' | 'gateway_method_id' | 'authorization_id'
export type NewAttempt = Pick<AttemptRow, 'id' | Opened | Payer | 'idempotency_key' | 'fingerprint'>

const open = `a.state in ('CREATED', 'CONFIRMING', 'REQUIRES_ACTION', 'PROCESSING', 'CANCELING')`

const select = sql<AttemptRow, [id: string]>(
  `select ${wholeAttempt} from charge_attempt a where a.organization_id = $1 and a.id = $2`,
)
const lock = sql<AttemptRow, [id: string]>(
  `select ${wholeAttempt} from charge_attempt a where a.organization_id = $1 and a.id = $2 for no key update`,
)
// index charge_attempt_open
const selectOpen = sql<AttemptRow, [invoiceId: string]>(
  `select ${wholeAttempt} from charge_attempt a where a.organization_id = $1 and a.invoice_id = $2 and ${open}`,
)
// index charge_attempt_intent
const selectByIntent = sql<AttemptRow, [accountId: string, intentId: string]>(
  `select ${wholeAttempt} from charge_attempt a
   where a.organization_id = $1 and a.gateway_account_id = $2 and a.payment_intent_id = $3`,
)
// index charge_attempt_of
const selectOfInvoice = sql<AttemptRow, [invoiceId: string]>(
  `select ${wholeAttempt} from charge_attempt a where a.organization_id = $1 and a.invoice_id = $2
   order by a.created_at desc, a.id desc limit ${limits.pageLimit}`,
)
// index charge_attempt_key
const selectByKey = sql<AttemptRow, [applicationId: string, key: string]>(
  `select ${wholeAttempt} from charge_attempt a
   where a.organization_id = $1 and coalesce(a.application_id, '') = $2 and a.idempotency_key = $3 and a.is_key_live`,
)
const retireKey = sql<never, [applicationId: string, key: string]>(
  `update charge_attempt a set is_key_live = false
   where a.organization_id = $1 and coalesce(a.application_id, '') = $2 and a.idempotency_key = $3 and a.is_key_live
     and a.ended_at is not null and a.created_at <= now() - interval '${limits.idempotencyHours} hours'`,
)
const insert = sql<
  AttemptRow,
  [
    id: string,
    invoiceId: string,
    applicationId: string | null,
    kind: string,
    cents: number,
    currency: string,
    accountId: string,
    customerId: string | null,
    methodId: string | null,
    gatewayMethodId: string | null,
    authorizationId: string | null,
    key: string | null,
    fingerprint: string | null,
    lookAfter: number,
  ]
>(
  `insert into charge_attempt as a (organization_id, id, invoice_id, application_id, kind, state, amount_cents, currency,
     gateway_account_id, customer_id, payment_method_id, gateway_method_id, authorization_id, idempotency_key, fingerprint,
     is_key_live, look_at)
   values ($1, $2, $3, $4, $5, 'CREATED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $13::text is not null,
     now() + make_interval(secs => $15))
   on conflict do nothing returning ${wholeAttempt}`,
)
const setIntent = sql<AttemptRow, [id: string, intentId: string, lookAfter: number]>(
  `update charge_attempt a set payment_intent_id = $3, state = 'CONFIRMING', looks = 0, updated_at = now(),
     look_at = now() + make_interval(secs => $4)
   where a.organization_id = $1 and a.id = $2 and a.state = 'CREATED' returning ${wholeAttempt}`,
)
const move = sql<
  AttemptRow,
  [
    id: string,
    state: string,
    lookAfter: number | null,
    ended: boolean,
    code: string | null,
    declineCode: string | null,
    message: string | null,
    linkId: string | null,
    isFullyPaid: boolean | null,
  ]
>(
  `update charge_attempt a set state = $3, looks = case when a.state = $3 then a.looks else 0 end, updated_at = now(),
     look_at = now() + make_interval(secs => $4), ended_at = case when $5 then now() end,
     failure_code = $6, decline_code = $7, failure_message = $8, link_id = $9, invoice_fully_paid = $10
   where a.organization_id = $1 and a.id = $2 returning ${wholeAttempt}`,
)
const withdraw = sql<never, [id: string, lookAfter: number]>(
  `update charge_attempt a set state = 'CANCELING', looks = 0, updated_at = now(),
     look_at = now() + make_interval(secs => $3)
   where a.organization_id = $1 and a.id = $2 and a.state = 'REQUIRES_ACTION'`,
)

export function findAttempt(db: Db, id: string): Promise<AttemptRow | undefined> {
  return db.first(select, id)
}

/** Locks an attempt whose invoice this transaction has locked. */
export function lockAttempt(tx: Tx, id: string): Promise<AttemptRow | undefined> {
  return tx.first(lock, id)
}

/** The attempt that holds the slot of an invoice. */
export function findOpenAttempt(db: Db, invoiceId: string): Promise<AttemptRow | undefined> {
  return db.first(selectOpen, invoiceId)
}

/** The newest first, and no more than a page of them. */
export function listAttempts(db: Db, invoiceId: string): Promise<AttemptRow[]> {
  return db.rows(selectOfInvoice, invoiceId)
}

export function findByIntent(db: Db, accountId: string, intentId: string): Promise<AttemptRow | undefined> {
  return db.first(selectByIntent, accountId, intentId)
}

/** The attempt that a key was used for in the last day, or which is still open. */
export async function findByKey(
  tx: Tx,
  applicationId: string | null,
  key: string,
): Promise<AttemptRow | undefined> {
  const [, attempt] = await Promise.all([
    tx.run(retireKey, applicationId ?? '', key),
    tx.first(selectByKey, applicationId ?? '', key),
  ])
  return attempt
}

/** Begins an attempt; undefined when its key has just been used for another invoice. */
export function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<AttemptRow | undefined> {
  return tx.first(
    insert,
    attempt.id,
    attempt.invoice_id,
    attempt.application_id,
    attempt.kind,
    attempt.amount_cents,
    attempt.currency,
    attempt.gateway_account_id,
    attempt.customer_id,
    attempt.payment_method_id,
    attempt.gateway_method_id,
    attempt.authorization_id,
    attempt.idempotency_key,
    attempt.fingerprint,
    lookAfter('CREATED', 0)!,
  )
}

/** Remembers the intent of an attempt; undefined when the attempt was given up meanwhile. */
export function setAttemptIntent(tx: Tx, id: string, intentId: string): Promise<AttemptRow | undefined> {
  return tx.first(setIntent, id, intentId, lookAfter('CONFIRMING', 0)!)
}

/** Puts a locked attempt where it is now; what is left out stays. */
export async function moveAttempt(
  tx: Tx,
  attempt: AttemptRow,
  state: AttemptState,
  to: { failure?: Failure; linkId?: string; isFullyPaid?: boolean } = {},
): Promise<AttemptRow> {
  const { failure_code: code, decline_code: declineCode, failure_message: message } = attempt
  const failure = to.failure ?? { code, declineCode, message }
  const looks = state === attempt.state ? attempt.looks : 0
  const moved = await tx.first(
    move,
    attempt.id,
    state,
    lookAfter(state, looks),
    !isOpen(state),
    failure.code,
    failure.declineCode,
    failure.message,
    to.linkId ?? attempt.link_id,
    to.isFullyPaid ?? attempt.invoice_fully_paid,
  )
  return moved!
}

/** Says that an attempt is to be cancelled, if it still waits for its payer. */
export function withdrawAttempt(tx: Tx, id: string): Promise<number> {
  return tx.run(withdraw, id, lookAfter('CANCELING', 0)!)
}
