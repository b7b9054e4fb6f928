import { limits } from '#contract/limits.ts'
import type { Failure } from '#platform/adapters/gateway/port.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { hasLiveKey, isKeyExpired } from '../idempotency-key.ts'
import { type AttemptRow, type AttemptState, attemptColumns } from './charge.row.ts'
import { firstPollSeconds, isOpen, nextPollSeconds } from './charge.rules.ts'

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

const select = sql<AttemptRow, { id: string }>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $organization and a.id = $id`,
)
const lock = sql<AttemptRow, { id: string }>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $organization and a.id = $id
    for no key update`,
)
// index charge_attempt_open
const selectOpen = sql<AttemptRow, { invoiceId: string }>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $organization
    and a.invoice_id = $invoiceId and ${open}`,
)
// index charge_attempt_open
const selectOpenOfInvoices = sql<AttemptRow, { invoiceIds: string[] }>(
  `select ${attemptColumns} from charge_attempt a
   where a.organization_id = $organization and a.invoice_id = any($invoiceIds) and ${open}`,
)
// index charge_attempt_at_gateway
const selectByIntent = sql<AttemptRow, { accountId: string; intentId: string }>(
  `select ${attemptColumns} from charge_attempt a
   where a.organization_id = $organization and a.gateway_account_id = $accountId
     and a.payment_intent_id = $intentId`,
)
// index charge_attempt_of
const selectOfInvoice = sql<AttemptRow, { invoiceId: string }>(
  `select ${attemptColumns} from charge_attempt a where a.organization_id = $organization
    and a.invoice_id = $invoiceId
   order by a.created_at desc, a.id desc limit ${limits.pageLimit}`,
)
// index charge_attempt_key
const selectByKey = sql<AttemptRow, { applicationId: string; key: string }>(
  `select ${attemptColumns} from charge_attempt a where ${hasLiveKey('a')}`,
)
const retireKey = sql<never, { applicationId: string; key: string }>(
  `update charge_attempt a set is_key_live = false
   where ${hasLiveKey('a')} and ${isKeyExpired('a')}`,
)
const insert = sql<
  AttemptRow,
  {
    id: string
    invoiceId: string
    applicationId: string | null
    kind: string
    cents: number
    currency: string
    accountId: string
    customerId: string | null
    methodId: string | null
    gatewayMethodId: string | null
    authorizationId: string | null
    key: string | null
    fingerprint: string | null
    pollSeconds: number
  }
>(
  `insert into charge_attempt as a (organization_id, id, invoice_id, application_id, kind, state, amount_cents, currency,
     gateway_account_id, customer_id, payment_method_id, gateway_method_id, authorization_id, idempotency_key,
     fingerprint, is_key_live, next_poll_at)
   values ($organization, $id, $invoiceId, $applicationId, $kind, 'CREATED', $cents, $currency, $accountId,
     $customerId, $methodId, $gatewayMethodId, $authorizationId, $key, $fingerprint, $key::text is not null,
     now() + make_interval(secs => $pollSeconds))
   on conflict do nothing returning ${attemptColumns}`,
)
const setIntent = sql<AttemptRow, { id: string; intentId: string; pollSeconds: number }>(
  `update charge_attempt a set payment_intent_id = $intentId, state = 'CONFIRMING', poll_count = 0, updated_at = now(),
     next_poll_at = now() + make_interval(secs => $pollSeconds)
   where a.organization_id = $organization and a.id = $id and a.state = 'CREATED' returning ${attemptColumns}`,
)
const setState = sql<
  AttemptRow,
  {
    id: string
    state: string
    pollSeconds: number | null
    ended: boolean
    code: string | null
    declineCode: string | null
    message: string | null
    linkId: string | null
    isFullyPaid: boolean | null
  }
>(
  `update charge_attempt a set state = $state,
     poll_count = case when a.state = $state then a.poll_count else 0 end, updated_at = now(),
     next_poll_at = now() + make_interval(secs => $pollSeconds), ended_at = case when $ended then now() end,
     failure_code = $code, decline_code = $declineCode, failure_message = $message, link_id = $linkId,
       invoice_fully_paid = $isFullyPaid
   where a.organization_id = $organization and a.id = $id returning ${attemptColumns}`,
)
const setCanceling = sql<never, { id: string; pollSeconds: number }>(
  `update charge_attempt a set state = 'CANCELING', poll_count = 0, updated_at = now(),
     next_poll_at = now() + make_interval(secs => $pollSeconds)
   where a.organization_id = $organization and a.id = $id and a.state = 'REQUIRES_ACTION'`,
)

export function findAttempt(db: Db, id: string): Promise<AttemptRow | undefined> {
  return db.first(select, { id })
}

/** The same for an attempt that exists. */
export function readAttempt(db: Db, id: string): Promise<AttemptRow> {
  return db.one(select, { id })
}

/** Locks an attempt that exists. The transaction must have locked the invoice before. */
export function lockAttempt(tx: Tx, id: string): Promise<AttemptRow> {
  return tx.one(lock, { id })
}

/** The one attempt of an invoice that is not terminal. */
export function findOpenAttempt(db: Db, invoiceId: string): Promise<AttemptRow | undefined> {
  return db.first(selectOpen, { invoiceId })
}

/** The same of several invoices, by invoice. */
export async function findOpenAttempts(
  db: Db,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, AttemptRow>> {
  const attempts = await db.rows(selectOpenOfInvoices, { invoiceIds: [...invoiceIds] })
  return new Map(attempts.map(attempt => [attempt.invoice_id, attempt]))
}

/** The newest first, one page at most. */
export function listAttempts(db: Db, invoiceId: string): Promise<AttemptRow[]> {
  return db.rows(selectOfInvoice, { invoiceId })
}

export function findByIntent(db: Db, accountId: string, intentId: string): Promise<AttemptRow | undefined> {
  return db.first(selectByIntent, { accountId, intentId })
}

/** The attempt that used a key during the last day, or that used it earlier and is still open. */
export async function findByKey(
  tx: Tx,
  applicationId: string | null,
  key: string,
): Promise<AttemptRow | undefined> {
  const [, attempt] = await Promise.all([
    tx.run(retireKey, { applicationId: applicationId ?? '', key }),
    tx.first(selectByKey, { applicationId: applicationId ?? '', key }),
  ])
  return attempt
}

/** Undefined when the key was used for another invoice at the same moment. */
export function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<AttemptRow | undefined> {
  return tx.first(insert, {
    id: attempt.id,
    invoiceId: attempt.invoice_id,
    applicationId: attempt.application_id,
    kind: attempt.kind,
    cents: attempt.amount_cents,
    currency: attempt.currency,
    accountId: attempt.gateway_account_id,
    customerId: attempt.customer_id,
    methodId: attempt.payment_method_id,
    gatewayMethodId: attempt.gateway_method_id,
    authorizationId: attempt.authorization_id,
    key: attempt.idempotency_key,
    fingerprint: attempt.fingerprint,
    pollSeconds: firstPollSeconds('CREATED'),
  })
}

/** Undefined when the worker gave the attempt up in the meantime. */
export function setAttemptIntent(tx: Tx, id: string, intentId: string): Promise<AttemptRow | undefined> {
  return tx.first(setIntent, { id, intentId, pollSeconds: firstPollSeconds('CONFIRMING') })
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
  const moved = await tx.one(setState, {
    id: attempt.id,
    state,
    pollSeconds: nextPollSeconds(state, pollCount),
    ended: !isOpen(state),
    code: failure.code,
    declineCode: failure.declineCode,
    message: failure.message,
    linkId: to.linkId ?? attempt.link_id,
    isFullyPaid: to.isFullyPaid ?? attempt.invoice_fully_paid,
  })
  return moved
}

/** Marks an attempt for cancellation if it still waits for its payer. */
export function markCanceling(tx: Tx, id: string): Promise<number> {
  return tx.run(setCanceling, { id, pollSeconds: firstPollSeconds('CANCELING') })
}
