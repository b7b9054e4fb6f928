import type { Application, ApplicationItem } from '#contract/integrations/applications.ts'
import type { CriticalScopeRow } from '../critical-scopes/critical-scope.sql.ts'
import type { ApplicationItemRow } from './application.sql.ts'

/** An application as lists show it. */
export function showItem(row: ApplicationItemRow): ApplicationItem {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    principal: { id: row.principal_id, name: row.principal_name, isMember: row.principal_is_member },
    liveKeys: row.live_keys,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** A whole application. */
export function showApplication(row: ApplicationItemRow, critical: readonly CriticalScopeRow[]): Application {
  const { origins, scopes } = row
  const criticalScopes = critical.map(({ scope, reason, granted_at }) => ({
    scope,
    reason,
    grantedAt: granted_at,
  }))
  return { ...showItem(row), origins, scopes, criticalScopes }
}
