import type { Silence } from '#contract/error-reports/tab.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

/** The time of the change of an error and the name of the person. */
export type StateChangeResult = { id: string; at: string; name: string }

const clearSilence = `silence_type = null, silenced_at = null, silenced_by = null, silenced_until = null, silenced_for_count = null,
  silenced_until_count = null`
const fromActor = `from membership m where m.organization_id = $organization and m.person_id = $personId
  and g.organization_id = $organization and g.id = any($ids::text[])`
const returningResult = `returning g.id,
  coalesce(g.resolved_at, g.silenced_at, now()::timestamptz(3)) as at, m.name`
const resolve = sql<StateChangeResult, { ids: readonly string[]; personId: string; graceMinutes: number }>(`
  update error_group g set state = 'RESOLVED', resolved_at = (select clock_timestamp()), resolved_by = $personId,
    grace_until = (select clock_timestamp()) + make_interval(mins => $graceMinutes::int),
      ${clearSilence} ${fromActor} ${returningResult}`)
const silence = sql<
  StateChangeResult,
  { ids: readonly string[]; personId: string; type: Silence; until: string | null; count: number | null }
>(`
  update error_group g set state = 'SILENCED', silence_type = $type, silenced_at = (select clock_timestamp()),
    silenced_by = $personId,
    silenced_until = $until::timestamptz, silenced_for_count = $count::int,
      silenced_until_count = g.count + $count::int ${fromActor} ${returningResult}`)
const reopen = sql<StateChangeResult, { ids: readonly string[]; personId: string }>(`
  update error_group g set state = 'UNRESOLVED', resolved_at = null, resolved_by = null, grace_until = null,
    ${clearSilence}
  ${fromActor} ${returningResult}`)

/** Occurrences within the grace period are attributed to the old release. */
export function setResolved(
  tx: Tx,
  ids: readonly string[],
  personId: string,
  graceMinutes: number,
): Promise<StateChangeResult[]> {
  return tx.rows(resolve, { ids, personId, graceMinutes })
}

/** The condition of a silence. `until` and `count` are null for the types that do not use them. */
export type SilenceCondition = { type: Silence; until: string | null; count: number | null }

export function setSilenced(
  tx: Tx,
  ids: readonly string[],
  personId: string,
  { type, until, count }: SilenceCondition,
): Promise<StateChangeResult[]> {
  return tx.rows(silence, { ids, personId, type, until, count })
}

export function setReopened(tx: Tx, ids: readonly string[], personId: string): Promise<StateChangeResult[]> {
  return tx.rows(reopen, { ids, personId })
}

const insertHistory = sql<
  never,
  { errorIds: readonly string[]; ids: string[]; action: string; actorId: string; note: string | null }
>(`
  insert into error_history (organization_id, error_id, id, action, actor_id, at, note)
  select $organization, r.error_id, r.id, $action, $actorId, clock_timestamp(), $note
  from unnest($errorIds::text[], $ids::text[]) as r (error_id, id)`)

/** Adds the same entry to the history of each error. */
export async function addHistory(
  tx: Tx,
  errorIds: readonly string[],
  action: string,
  actorId: string,
  text: string | null = null,
): Promise<void> {
  const ids = errorIds.map(() => newId())
  await tx.run(insertHistory, { errorIds, ids, action, actorId, note: text })
}
