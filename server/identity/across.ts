import { type Door, type Endpoint, pathAt } from '#contract/operation.ts'
import type { Tx, WideTx } from '#platform/data/database.ts'
import { type Actor, recordChange, type Subject } from '#platform/events/audit.ts'
import type { Caller, Origin } from '#platform/http/caller.ts'
import type { World } from '#platform/http/operation.ts'

/** Writes the audit row in the organization of `tx`, in the same transaction. */
export type Record = (tx: Tx, subject: Subject, actor?: Actor) => Promise<unknown>
type Given = { caller?: Caller; origin: Origin; world: World }

/**
 * One transaction outside the caller's own organization, for operators and for people who join. Every
 * organization that it touches gets its audit row by `record`.
 */
export async function transactAcross<Result>(
  { caller, origin, world }: Given,
  door: Door,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'area'>,
  work: (tx: WideTx, record: Record) => Promise<Result>,
): Promise<Result> {
  const operation = `${endpoint.method} ${pathAt(door, endpoint as Endpoint)}`
  const present: Actor = {
    door,
    personId: caller?.personId ?? '',
    applicationId: caller?.applicationId ?? null,
  }
  const record: Record = (tx, subject, actor = present) => recordChange(tx, actor, origin, operation, subject)
  const result = await world.database.transactWide(tx => work(tx, record))
  world.signal?.changed()
  return result
}
