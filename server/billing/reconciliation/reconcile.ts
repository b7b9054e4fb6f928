import { type Gateway, GatewayMissing, type Movement } from '#platform/adapters/gateway/port.ts'
import { nowMs } from '#platform/clock.ts'
import { lookUp } from '#platform/required.ts'
import { gatewayOf, type PaymentContext } from '../charges/payment-context.ts'
import { settleOnNotice } from '../charges/settle-on-notice.ts'
import { bookDisputesOnNotice } from '../refunds/disputes.ts'
import { importRefunds } from '../refunds/import-refunds.ts'
import {
  comparedPeriod,
  differencesOf,
  type LedgerDifference,
  type LedgerTotal,
  type ObjectTotal,
} from './reconciliation.rules.ts'
import {
  claimUnreconciled,
  filterKnownIntents,
  insertDifferences,
  ledgerTotals,
  listOpenObjects,
  settleFoundDifferences,
} from './reconciliation.sql.ts'

type AccountRef = { organizationId: string; accountId: string }
const batchSize = 4

/** Reconciles accounts that were not reconciled today. Returns how many it claimed. */
export async function reconcileAccounts(context: PaymentContext): Promise<number> {
  const due = await claimUnreconciled(context.database, batchSize)
  for (const { organization_id: organizationId, id: accountId } of due) {
    await reconcile(context, { organizationId, accountId }).catch(error =>
      context.log?.warn(
        { organizationId, accountId, err: error },
        'a gateway account could not be reconciled today',
      ),
    )
  }
  return due.length
}

/**
 * Compares the movements of an account during the last three days with the ledger. A movement that is missing in
 * the ledger is first imported as if the gateway had sent a notice about it. The remaining differences stay until
 * both sides agree or a member settles them. Movements of an account that is also used elsewhere are only counted.
 */
export async function reconcile(context: PaymentContext, account: AccountRef, atMs = nowMs()): Promise<void> {
  const { organizationId, accountId } = account
  const { database, log } = context
  const db = database.of(organizationId)
  const times = comparedPeriod(atMs)
  const gateway = await gatewayOf(context, organizationId, accountId)
  const { there, movements } = await gatewayMovements(gateway, times.wide)
  const before = await ledgerTotals(db, accountId, times.wide)
  const all = differencesOf(before, there, times)
  const own = await keepOwn(context, account, all, movements)
  const differences: LedgerDifference[] = []
  for (const difference of own) {
    const isPolled =
      difference.kind === 'MISSING_THERE' && (await wasMovedEarlier(gateway, difference, before))
    if (!isPolled) differences.push(difference)
  }
  const foreign = all.length - own.length
  await database.transact(organizationId, tx => insertDifferences(tx, accountId, { differences, foreign }))
  // payments first: refunds and disputes belong to one
  for (const kind of ['PAYMENT', 'REFUND', 'DISPUTE'])
    for (const { objectId } of differences) {
      const movement = movements.get(objectId)
      if (movement?.kind === kind) await importMovement(context, account, movement)
    }
  const open = await listOpenObjects(db, accountId)
  if (open.length === 0) return
  const here = await ledgerTotals(db, accountId, times.wide)
  const healed = new Set(open.filter(id => there.has(id) && there.get(id)?.cents === here.get(id)?.cents))
  await database.transact(organizationId, tx => settleFoundDifferences(tx, accountId, [...healed]))
  const left = differences.filter(({ objectId }) => !healed.has(objectId))
  if (left.length > 0)
    log?.error({ ...account, differences: left.length }, 'the gateway and the ledger differ')
}

/**
 * The differences that belong to this organization: the object's metadata says so, or its intent does, or the
 * intent is known here.
 */
async function keepOwn(
  { database }: PaymentContext,
  { organizationId, accountId }: AccountRef,
  differences: LedgerDifference[],
  movements: ReadonlyMap<string, Movement>,
): Promise<LedgerDifference[]> {
  const marked = [...movements.values()].filter(({ metadata }) => metadata.organizationId === organizationId)
  const own = new Set(marked.map(({ intentId }) => intentId))
  const isOwn = ({ kind, objectId }: LedgerDifference) =>
    kind !== 'MISSING_HERE' || own.has(lookUp(movements, objectId).intentId)
  const others = differences
    .filter(each => !isOwn(each))
    .map(({ objectId }) => lookUp(movements, objectId).intentId)
  for (const id of await filterKnownIntents(database.of(organizationId), accountId, others)) own.add(id)
  return differences.filter(isOwn)
}

/** Whether a recently booked amount moved at the gateway before the compared period. */
async function wasMovedEarlier(
  gateway: Gateway,
  { objectId, localCents: hereCents }: LedgerDifference,
  here: ReadonlyMap<string, LedgerTotal>,
): Promise<boolean> {
  const kind = lookUp(here, objectId).kind
  try {
    if (kind === 'PAYMENT') return (await gateway.readIntent(objectId)).receivedCents === hereCents
    if (kind !== 'REFUND') return false
    const { status, amountCents } = await gateway.readRefund(objectId)
    return status === 'succeeded' && -amountCents === hereCents
  } catch (error) {
    if (error instanceof GatewayMissing) return false
    throw error
  }
}

async function gatewayMovements(gateway: Gateway, { from, to }: { from: Date; to: Date }) {
  const there = new Map<string, ObjectTotal>()
  const movements = new Map<string, Movement>()
  for await (const movement of gateway.listMovements(from, to)) {
    const { objectId, amountCents, currency, at } = movement
    const before = there.get(objectId)
    const atMs = Math.max(before?.atMs ?? 0, at.getTime())
    there.set(objectId, { cents: (before?.cents ?? 0) + amountCents, currency, atMs })
    movements.set(objectId, movement)
  }
  return { there, movements }
}

/** Imports a movement as if the gateway had sent a notice about it. After an error the difference stays. */
async function importMovement(
  context: PaymentContext,
  account: AccountRef,
  { kind, objectId, intentId }: Movement,
): Promise<void> {
  try {
    if (kind === 'PAYMENT') await settleOnNotice(context, account, { about: 'intent', objectId, intentId })
    else if (kind === 'REFUND') await importRefunds(context, account, intentId)
    else await bookDisputesOnNotice(context, account, { about: 'dispute', intentId })
  } catch (error) {
    context.log?.warn({ ...account, objectId, err: error }, 'a movement at the gateway could not be imported')
  }
}
