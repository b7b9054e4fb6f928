import { type Gateway, GatewayMissing, type Movement } from '#platform/adapters/gateway/port.ts'
import { nowMs } from '#platform/clock.ts'
import { settleByHint } from '../charges/hint.ts'
import { gatewayOf, type Till } from '../charges/till.ts'
import { disputeByHint } from '../refunds/disputes.ts'
import { importRefunds } from '../refunds/import.ts'
import { differencesOf, type Found, type Moved, type MovedHere, timesAt } from './reconciliation.rules.ts'
import {
  forgetDifferences,
  keepFound,
  knownIntents,
  movedHere,
  openObjects,
  takeUnreconciled,
} from './reconciliation.sql.ts'

type Place = { organizationId: string; accountId: string }
const most = 4

/** Compares accounts that were not compared today, if any gateway has them ready. Answers how many it took. */
export async function reconcileAccounts(till: Till): Promise<number> {
  const due = await takeUnreconciled(till.database, most)
  for (const { organization_id: organizationId, id: accountId } of due) {
    await reconcile(till, { organizationId, accountId }).catch(error =>
      till.log?.warn({ organizationId, accountId, err: error }, 'a gateway account is not compared today'),
    )
  }
  return due.length
}

/**
 * Compares what moved at the gateway in the last three days with the ledger. What is missing here is looked into first, as if the
 * gateway had told of it: what was asked for here is booked. Differences stay until both sides say the same, or somebody
 * settles them. What is not of this organization, at an account that is used elsewhere as well, is only counted.
 */
export async function reconcile(till: Till, place: Place, atMs = nowMs()): Promise<void> {
  const { organizationId, accountId } = place
  const { database, log } = till
  const db = database.of(organizationId)
  const times = timesAt(atMs)
  const gateway = await gatewayOf(till, organizationId, accountId)
  const { there, movements } = await movedThere(gateway, times.wide)
  const before = await movedHere(db, accountId, times.wide)
  const all = differencesOf(before, there, times)
  const own = await ownOf(till, place, all, movements)
  const found: Found[] = []
  for (const difference of own) {
    const isLate = difference.kind === 'MISSING_THERE' && (await hasMoved(gateway, difference, before))
    if (!isLate) found.push(difference)
  }
  const foreign = all.length - own.length
  await database.transact(organizationId, tx => keepFound(tx, accountId, { found, foreign }))
  // what was given back is of a payment
  for (const kind of ['PAYMENT', 'REFUND', 'DISPUTE'])
    for (const { objectId } of found) {
      const movement = movements.get(objectId)
      if (movement?.kind === kind) await lookInto(till, place, movement)
    }
  const open = await openObjects(db, accountId)
  if (open.length === 0) return
  const here = await movedHere(db, accountId, times.wide)
  const healed = new Set(open.filter(id => there.has(id) && there.get(id)!.cents === here.get(id)?.cents))
  await database.transact(organizationId, tx => forgetDifferences(tx, accountId, [...healed]))
  const left = found.filter(({ objectId }) => !healed.has(objectId))
  if (left.length > 0) log?.error({ ...place, differences: left.length }, 'the gateway and the ledger differ')
}

/** What is of this organization: it says so at the gateway, or is of an intent that does, or that is known here. */
async function ownOf(
  { database }: Till,
  { organizationId, accountId }: Place,
  found: Found[],
  movements: ReadonlyMap<string, Movement>,
): Promise<Found[]> {
  const marked = [...movements.values()].filter(({ metadata }) => metadata.organizationId === organizationId)
  const own = new Set(marked.map(({ intentId }) => intentId))
  const isOwn = ({ kind, objectId }: Found) =>
    kind !== 'MISSING_HERE' || own.has(movements.get(objectId)!.intentId)
  const others = found.filter(each => !isOwn(each)).map(({ objectId }) => movements.get(objectId)!.intentId)
  for (const id of await knownIntents(database.of(organizationId), accountId, others)) own.add(id)
  return found.filter(isOwn)
}

/** Whether what was booked here lately had moved there before the time that is compared. */
async function hasMoved(
  gateway: Gateway,
  { objectId, hereCents }: Found,
  here: ReadonlyMap<string, MovedHere>,
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

async function movedThere(gateway: Gateway, { from, to }: { from: Date; to: Date }) {
  const there = new Map<string, Moved>()
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
async function lookInto(till: Till, place: Place, { kind, objectId, intentId }: Movement): Promise<void> {
  try {
    if (kind === 'PAYMENT') await settleByHint(till, place, { about: 'intent', objectId, intentId })
    else if (kind === 'REFUND') await importRefunds(till, place, intentId)
    else await disputeByHint(till, place, { about: 'dispute', intentId })
  } catch (error) {
    till.log?.warn({ ...place, objectId, err: error }, 'what moved at the gateway could not be looked into')
  }
}
