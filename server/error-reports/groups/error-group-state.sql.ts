import type { Silence } from '#contract/error-reports/tab.ts'
import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

/** The time of the change and the name of the person. */
export type StateChangeResult = { at: string; name: string }
const clearSilence = `silence_type = null, silenced_at = null, silenced_by = null, silenced_until = null, silenced_for_count = null,
  silenced_until_count = null`
const fromActor = `from membership m where m.organization_id = $1 and m.person_id = $3
  and g.organization_id = $1 and g.id = $2`
const returningResult = `returning coalesce(g.resolved_at, g.silenced_at, clock_timestamp()::timestamptz(3)) as at, m.name`

const resolve = sql<StateChangeResult, [id: string, personId: string, graceMinutes: number]>(`
  update error_group g set state = 'RESOLVED', resolved_at = clock_timestamp(), resolved_by = $3,
    grace_until = clock_timestamp() + make_interval(mins => $4::int), ${clearSilence} ${fromActor} ${returningResult}`)
const silence = sql<
  StateChangeResult,
  [id: string, personId: string, type: Silence, until: string | null, count: number | null]
>(`
  update error_group g set state = 'SILENCED', silence_type = $4, silenced_at = clock_timestamp(), silenced_by = $3,
    silenced_until = $5::timestamptz, silenced_for_count = $6::int, silenced_until_count = g.count + $6::int ${fromActor} ${returningResult}`)
const reopen = sql<StateChangeResult, [id: string, personId: string]>(`
  update error_group g set state = 'UNRESOLVED', resolved_at = null, resolved_by = null, grace_until = null, ${clearSilence}
  ${fromActor} ${returningResult}`)

/** Occurrences within the grace period are attributed to the old release. */
export async function setResolved(
  tx: Tx,
  id: string,
  personId: string,
  graceMinutes: number,
): Promise<StateChangeResult> {
  return (await tx.first(resolve, id, personId, graceMinutes))!
}

/** `until` and `count` are null for the types that do not use them. */
export async function setSilenced(
  tx: Tx,
  id: string,
  personId: string,
  { type, until, count }: { type: Silence; until: string | null; count: number | null },
): Promise<StateChangeResult> {
  return (await tx.first(silence, id, personId, type, until, count))!
}

export async function setReopened(tx: Tx, id: string, personId: string): Promise<StateChangeResult> {
  return (await tx.first(reopen, id, personId))!
}

const insertHistory = sql<
  never,
  [errorId: string, id: string, action: string, actorId: string, note: string | null]
>(`
  insert into error_history (organization_id, error_id, id, action, actor_id, at, note)
  values ($1, $2, $3, $4, $5, clock_timestamp(), $6)`)

export async function addHistory(
  tx: Tx,
  errorId: string,
  action: string,
  actorId: string,
  text: string | null = null,
): Promise<void> {
  await tx.run(insertHistory, errorId, newId(), action, actorId, text)
}
