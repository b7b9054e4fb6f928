import { type Gateway, GatewayMissing, type Movement } from '#platform/adapters/gateway/port.ts'
import { nowMs } from '#platform/clock.ts'
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

/** Compares accounts that were not compared today, if any gateway has them ready. Answers how many it took. */
export async function reconcileAccounts(context: PaymentContext): Promise<number> {
  const due = await claimUnreconciled(context.database, batchSize)
  for (const { organization_id: organizationId, id: accountId } of due) {
    await reconcile(context, { organizationId, accountId }).catch(error =>
      context.log?.warn({ organizationId, accountId, err: error }, 'a gateway account is not compared today'),
    )
  }
  return due.length
}

/**
 * Compares what moved at the gateway in the last three days with the ledger. What is missing here is looked into first, as if the
 * gateway had told of it: what was asked for here is booked. Differences stay until both sides say the same, or somebody
 * settles them. What is not of this organization, at an account that is used elsewhere as well, is only counted.
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
    const isLate = difference.kind === 'MISSING_THERE' && (await wasMovedEarlier(gateway, difference, before))
    if (!isLate) differences.push(difference)
  }
  const foreign = all.length - own.length
  await database.transact(organizationId, tx =>
    insertDifferences(tx, accountId, { found: differences, foreign }),
  )
  // what was given back is of a payment
  for (const kind of ['PAYMENT', 'REFUND', 'DISPUTE'])
    for (const { objectId } of differences) {
      const movement = movements.get(objectId)
      if (movement?.kind === kind) await importMovement(context, account, movement)
    }
  const open = await listOpenObjects(db, accountId)
  if (open.length === 0) return
  const here = await ledgerTotals(db, accountId, times.wide)
  const healed = new Set(open.filter(id => there.has(id) && there.get(id)!.cents === here.get(id)?.cents))
  await database.transact(organizationId, tx => settleFoundDifferences(tx, accountId, [...healed]))
  const left = differences.filter(({ objectId }) => !healed.has(objectId))
  if (left.length > 0)
    log?.error({ ...account, differences: left.length }, 'the gateway and the ledger differ')
}

/** What is of this organization: it says so at the gateway, or is of an intent that does, or that is known here. */
async function keepOwn(
  { database }: PaymentContext,
  { organizationId, accountId }: AccountRef,
  differences: LedgerDifference[],
  movements: ReadonlyMap<string, Movement>,
): Promise<LedgerDifference[]> {
  const marked = [...movements.values()].filter(({ metadata }) => metadata.organizationId === organizationId)
  const own = new Set(marked.map(({ intentId }) => intentId))
  const isOwn = ({ kind, objectId }: LedgerDifference) =>
    kind !== 'MISSING_HERE' || own.has(movements.get(objectId)!.intentId)
  const others = differences
    .filter(each => !isOwn(each))
    .map(({ objectId }) => movements.get(objectId)!.intentId)
  for (const id of await filterKnownIntents(database.of(organizationId), accountId, others)) own.add(id)
  return differences.filter(isOwn)
}

/** Whether what was booked here lately had moved there before the time that is compared. */
async function wasMovedEarlier(
  gateway: Gateway,
  { objectId, localCents: hereCents }: LedgerDifference,
  here: ReadonlyMap<string, LedgerTotal>,
): Promise<boolean> {
  const kind = here.get(objectId)!.kind
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

/** As if the gateway had told of it. What cannot be looked into now stays a difference. */
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
    context.log?.warn(
      { ...account, objectId, err: error },
      'what moved at the gateway could not be looked into',
    )
  }
}
