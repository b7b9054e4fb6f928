import type { Silence } from '#contract/error-reports/tab.ts'
import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

/** When it was done and by whom. */
export type Changed = { at: string; name: string }
const clear = `silence = null, silenced_at = null, silenced_by = null, silenced_until = null, silenced_for = null,
  silenced_to_count = null`
const byThem = `from membership m where m.organization_id = $1 and m.person_id = $3
  and g.organization_id = $1 and g.id = $2`
const told = `returning coalesce(g.resolved_at, g.silenced_at, clock_timestamp()::timestamptz(3)) as at, m.name`

const resolve = sql<Changed, [id: string, personId: string, graceMinutes: number]>(`
  update error_group g set state = 'RESOLVED', resolved_at = clock_timestamp(), resolved_by = $3,
    grace_until = clock_timestamp() + make_interval(mins => $4::int), ${clear} ${byThem} ${told}`)
const silence = sql<
  Changed,
  [id: string, personId: string, type: Silence, until: string | null, count: number | null]
>(`
  update error_group g set state = 'SILENCED', silence = $4, silenced_at = clock_timestamp(), silenced_by = $3,
    silenced_until = $5::timestamptz, silenced_for = $6::int, silenced_to_count = g.count + $6::int ${byThem} ${told}`)
const reopen = sql<Changed, [id: string, personId: string]>(`
  update error_group g set state = 'UNRESOLVED', resolved_at = null, resolved_by = null, grace_until = null, ${clear}
  ${byThem} ${told}`)

/** Resolved by somebody; what happens within the grace is still of the old release. */
export async function setResolved(
  tx: Tx,
  id: string,
  personId: string,
  graceMinutes: number,
): Promise<Changed> {
  return (await tx.first(resolve, id, personId, graceMinutes))!
}

/** Silenced by somebody, until `until`, for `count` more times, or as long as its kind says. */
export async function setSilenced(
  tx: Tx,
  id: string,
  personId: string,
  { type, until, count }: { type: Silence; until: string | null; count: number | null },
): Promise<Changed> {
  return (await tx.first(silence, id, personId, type, until, count))!
}

/** Neither resolved nor silenced any more. */
export async function setOpen(tx: Tx, id: string, personId: string): Promise<Changed> {
  return (await tx.first(reopen, id, personId))!
}

const note = sql<never, [errorId: string, id: string, action: string, actorId: string, note: string | null]>(`
  insert into error_history (organization_id, error_id, id, action, actor_id, at, note)
  values ($1, $2, $3, $4, $5, clock_timestamp(), $6)`)

/** Writes down what somebody did. */
export async function addHistory(
  tx: Tx,
  errorId: string,
  action: string,
  actorId: string,
  said: string | null = null,
): Promise<void> {
  await tx.run(note, errorId, newId(), action, actorId, said)
}
