import type { OperatedScopeRequest, ScopeRequest } from '#contract/integrations/critical-scopes.ts'
import type { OperatedScopeRequestRow, ScopeRequestRow } from './scope-request.sql.ts'

/** A request as its organization sees it. */
export function showScopeRequest(row: ScopeRequestRow): ScopeRequest {
  return {
    id: row.id,
    applicationId: row.application_id,
    scope: row.scope,
    purpose: row.purpose,
    status: row.status,
    requestedBy: { id: row.requested_by, name: row.requested_by_name },
    requestedAt: row.requested_at,
    closedAt: row.closed_at,
    answer: row.answer,
  }
}

/** A request as operators see it. */
export function showOperatedScopeRequest(row: OperatedScopeRequestRow): OperatedScopeRequest {
  return {
    ...showScopeRequest(row),
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    applicationName: row.application_name,
    applicationStatus: row.application_status,
  }
}
