import type { CriticalScope, Scope } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type CriticalScopeRow = { scope: CriticalScope; reason: string; granted_at: string }

const columns = 's.scope, s.reason, s.granted_at'
const selectOf = sql<CriticalScopeRow, { applicationId: string }>(`
  select ${columns} from application_critical_scope s
  where s.organization_id = $organization and s.application_id = $applicationId order by s.scope`)

/** The critical scopes of an application. */
export function criticalScopesOf(db: Db, applicationId: string): Promise<CriticalScopeRow[]> {
  return db.rows(selectOf, { applicationId })
}

const insertRow = sql<
  CriticalScopeRow,
  { applicationId: string; scope: string; grantedBy: string; reason: string }
>(`
  insert into application_critical_scope as s
    (organization_id, application_id, scope, granted_by, reason)
      values ($organization, $applicationId, $scope, $grantedBy, $reason)
  returning ${columns}`)

/** Records the grant of a critical scope with its reason. */
export function insertCriticalScope(
  tx: Tx,
  applicationId: string,
  grant: { scope: CriticalScope; grantedBy: string; reason: string },
): Promise<CriticalScopeRow> {
  return tx.one(insertRow, {
    applicationId,
    scope: grant.scope,
    grantedBy: grant.grantedBy,
    reason: grant.reason,
  })
}

const deleteOthers = sql<never, { applicationId: string; scopes: readonly Scope[] }>(`
  delete from application_critical_scope s
  where s.organization_id = $organization and s.application_id = $applicationId and s.scope <> all($scopes)`)

/** Deletes the grants of critical scopes that an application no longer has. */
export async function deleteCriticalScopesExcept(
  tx: Tx,
  applicationId: string,
  scopes: readonly Scope[],
): Promise<void> {
  await tx.run(deleteOthers, { applicationId, scopes })
}
