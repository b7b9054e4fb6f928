import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { applicationFor } from '#server/integrations/index.ts'
import type { GroupRow } from '../intake/intake.sql.ts'

export type ErrorGroupRow = GroupRow & {
  fingerprint_version: string
  resolved_by: string | null
  resolver_name: string | null
}

export const groupColumns = `g.id, g.application_id, g.hash, g.fingerprint_version, g.message, g.module, g.severity, g.file,
  g.line, g.function, g.endpoint, g.method, g.is_overflow, g.count, g.users_affected, g.first_occurrence,
  g.last_occurrence, g.state, g.resolved_at, g.resolved_by, g.grace_until, g.silence_type, g.silenced_at, g.silenced_by,
  g.silenced_until, g.silenced_for_count, g.silenced_until_count, g.regression_count, g.ticket_id, g.hour_at, g.hour_count,
  g.window_at, g.window_count, g.spiked_at, g.samples, p.name as resolver_name`
export const resolverJoin =
  'left join membership p on p.organization_id = $organization and p.person_id = g.resolved_by'

const byId = `select ${groupColumns} from error_group g ${resolverJoin}
  where g.organization_id = $organization and g.application_id = $applicationId and g.id = $id`
const selectGroup = sql<ErrorGroupRow, { applicationId: string; id: string }>(byId)
const selectGroupLocked = sql<ErrorGroupRow, { applicationId: string; id: string }>(`${byId} for update of g`)

/** Refuses APPLICATION_NOT_FOUND, ERROR_NOT_FOUND. */
export async function errorFor(db: Db, applicationId: string, id: string): Promise<ErrorGroupRow> {
  const [, row] = await Promise.all([
    applicationFor(db, applicationId),
    db.first(selectGroup, { applicationId, id }),
  ])
  return row ?? fail('ERROR_NOT_FOUND')
}

/** Like errorFor; reports and other changes of the error wait until the transaction ends. */
export async function lockError(tx: Tx, applicationId: string, id: string): Promise<ErrorGroupRow> {
  const [, row] = await Promise.all([
    applicationFor(tx, applicationId),
    tx.first(selectGroupLocked, { applicationId, id }),
  ])
  return row ?? fail('ERROR_NOT_FOUND')
}

const selectGroups = sql<ErrorGroupRow, { ids: readonly string[] }>(`
  select ${groupColumns} from error_group g ${resolverJoin}
  where g.organization_id = $organization and g.id = any($ids::text[])`)
// in the order in which reports lock them
const selectGroupsLocked = sql<ErrorGroupRow, { applicationIds: readonly string[]; ids: readonly string[] }>(`
  select ${groupColumns} from error_group g ${resolverJoin}
  where g.organization_id = $organization and g.application_id = any($applicationIds::text[]) and g.id = any($ids::text[])
  order by g.application_id, g.hash for update of g`)

/** Errors that the caller has already reached, including changes of the transaction. */
export function errorsById(db: Db, ids: readonly string[]): Promise<ErrorGroupRow[]> {
  return db.rows(selectGroups, { ids })
}

/** Locks those of the errors that belong to the applications. */
export function lockErrors(
  tx: Tx,
  applicationIds: readonly string[],
  ids: readonly string[],
): Promise<ErrorGroupRow[]> {
  return tx.rows(selectGroupsLocked, { applicationIds, ids })
}
