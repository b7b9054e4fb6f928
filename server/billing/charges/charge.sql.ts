import { limits } from '#contract/limits.ts'
import type { Failure } from '#platform/adapters/gateway/port.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { hasLiveKey, isKeyExpired } from '../idempotency-key.ts'
import { type AttemptRow, type AttemptState, attemptColumns } from './charge.row.ts'
import { isOpen, nextPollSeconds } from './charge.rules.ts'

export type AttemptRef = { organizationId: string; id: string }
type DebtColumn = 'invoice_id' | 'application_id' | 'kind' | 'amount_cents' | 'currency'
type PayerColumn = 'customer_id' | 'payment_method_id' | 'gateway_method_id' | 'authorization_id'
export type NewAttempt = Pick<
  AttemptRow,
  'id' | DebtColumn | PayerColumn | 'idempotency_key' | 'fingerprint'
> & {
  gateway_account_id: string
}

/** Whether an attempt, by its alias, is open. */
export const isOpenAttempt = (attempt: string) =>
  `${attempt}.state in ('CREATED', 'CONFIRMING', 'REQUIRES_ACTION', 'PROCESSING', 'CANCELING')`
const open = isOpenAttempt('a')

const select = sql<AttemptRow, [id: string]>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $1 and a.id = $2`,
)
const lock = sql<AttemptRow, [id: string]>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $1 and a.id = $2 for no key update`,
)
// index charge_attempt_open
const selectOpen = sql<AttemptRow, [invoiceId: string]>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $1 and a.invoice_id = $2 and ${open}`,
)
// index charge_attempt_open
const selectOpenOfInvoices = sql<AttemptRow, [invoiceIds: string[]]>(
  `select ${attemptColumns} from charge_attempt a
   where a.organization_id = $1 and a.invoice_id = any($2) and ${open}`,
)
// index charge_attempt_at_gateway
const selectByIntent = sql<AttemptRow, [accountId: string, intentId: string]>(
  `select ${attemptColumns} from charge_attempt a
   where a.organization_id = $1 and a.gateway_account_id = $2 and a.payment_intent_id = $3`,
)
// index charge_attempt_of
const selectOfInvoice = sql<AttemptRow, [invoiceId: string]>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $1 and a.invoice_id = $2
   order by a.created_at desc, a.id desc limit ${limits.pageLimit}`,
)
// index charge_attempt_key
const selectByKey = sql<AttemptRow, [applicationId: string, key: string]>(
  `select ${attemptColumns} from charge_attempt a where ${hasLiveKey('a')}`,
)
const retireKey = sql<never, [applicationId: string, key: string]>(
  `update charge_attempt a set is_key_live = false
   where ${hasLiveKey('a')} and ${isKeyExpired('a')}`,
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
    pollSeconds: number,
  ]
>(
  `insert into charge_attempt as a (organization_id, id, invoice_id, application_id, kind, state, amount_cents, currency,
     gateway_account_id, customer_id, payment_method_id, gateway_method_id, authorization_id, idempotency_key, fingerprint,
     is_key_live, next_poll_at)
   values ($1, $2, $3, $4, $5, 'CREATED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $13::text is not null,
     now() + make_interval(secs => $15))
   on conflict do nothing returning ${attemptColumns}`,
)
const setIntent = sql<AttemptRow, [id: string, intentId: string, pollSeconds: number]>(
  `update charge_attempt a set payment_intent_id = $3, state = 'CONFIRMING', poll_count = 0, updated_at = now(),
     next_poll_at = now() + make_interval(secs => $4)
   where a.organization_id = $1 and a.id = $2 and a.state = 'CREATED' returning ${attemptColumns}`,
)
const setState = sql<
  AttemptRow,
  [
    id: string,
    state: string,
    pollSeconds: number | null,
    ended: boolean,
    code: string | null,
    declineCode: string | null,
    message: string | null,
    linkId: string | null,
    isFullyPaid: boolean | null,
  ]
>(
  `update charge_attempt a set state = $3, poll_count = case when a.state = $3 then a.poll_count else 0 end, updated_at = now(),
     next_poll_at = now() + make_interval(secs => $4), ended_at = case when $5 then now() end,
     failure_code = $6, decline_code = $7, failure_message = $8, link_id = $9, invoice_fully_paid = $10
   where a.organization_id = $1 and a.id = $2 returning ${attemptColumns}`,
)
const setCanceling = sql<never, [id: string, pollSeconds: number]>(
  `update charge_attempt a set state = 'CANCELING', poll_count = 0, updated_at = now(),
     next_poll_at = now() + make_interval(secs => $3)
   where a.organization_id = $1 and a.id = $2 and a.state = 'REQUIRES_ACTION'`,
)

export function findAttempt(db: Db, id: string): Promise<AttemptRow | undefined> {
  return db.first(select, id)
}

/** The transaction must have locked the invoice before. */
export function lockAttempt(tx: Tx, id: string): Promise<AttemptRow | undefined> {
  return tx.first(lock, id)
}

/** The one attempt of an invoice that is not terminal. */
export function findOpenAttempt(db: Db, invoiceId: string): Promise<AttemptRow | undefined> {
  return db.first(selectOpen, invoiceId)
}

/** The same of several invoices, by invoice. */
export async function findOpenAttempts(
  db: Db,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, AttemptRow>> {
  const attempts = await db.rows(selectOpenOfInvoices, [...invoiceIds])
  return new Map(attempts.map(attempt => [attempt.invoice_id, attempt]))
}

/** The newest first, one page at most. */
export function listAttempts(db: Db, invoiceId: string): Promise<AttemptRow[]> {
  return db.rows(selectOfInvoice, invoiceId)
}

export function findByIntent(db: Db, accountId: string, intentId: string): Promise<AttemptRow | undefined> {
  return db.first(selectByIntent, accountId, intentId)
}

/** The attempt that used a key during the last day, or that used it earlier and is still open. */
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

/** Undefined when the key was used for another invoice at the same moment. */
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
    nextPollSeconds('CREATED', 0)!,
  )
}

/** Undefined when the worker gave the attempt up in the meantime. */
export function setAttemptIntent(tx: Tx, id: string, intentId: string): Promise<AttemptRow | undefined> {
  return tx.first(setIntent, id, intentId, nextPollSeconds('CONFIRMING', 0)!)
}

/** Updates a locked attempt; omitted fields keep their values. */
export async function setAttemptState(
  tx: Tx,
  attempt: AttemptRow,
  state: AttemptState,
  to: { failure?: Failure; linkId?: string; isFullyPaid?: boolean } = {},
): Promise<AttemptRow> {
  const { failure_code: code, decline_code: declineCode, failure_message: message } = attempt
  const failure = to.failure ?? { code, declineCode, message }
  const pollCount = state === attempt.state ? attempt.poll_count : 0
  const moved = await tx.first(
    setState,
    attempt.id,
    state,
    nextPollSeconds(state, pollCount),
    !isOpen(state),
    failure.code,
    failure.declineCode,
    failure.message,
    to.linkId ?? attempt.link_id,
    to.isFullyPaid ?? attempt.invoice_fully_paid,
  )
  return moved!
}

/** Marks an attempt for cancellation if it still waits for its payer. */
export function markCanceling(tx: Tx, id: string): Promise<number> {
  return tx.run(setCanceling, id, nextPollSeconds('CANCELING', 0)!)
}
