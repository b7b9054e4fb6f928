import type { Grant, PastGrant } from '#contract/chat/grants.ts'
import { capabilitiesOf, effectiveCapabilitiesOf, obstacleOf } from './grant.rules.ts'
import type { GrantRow, PastGrantRow } from './grant.sql.ts'

/** A grant with its current effect. */
export function showGrant(row: GrantRow): Grant {
  const obstacle = obstacleOf(row)
  return {
    application: { id: row.application_id, slug: row.slug, name: row.name, status: row.status },
    capabilities: capabilitiesOf(row),
    isMember: row.is_member,
    grantedBy: { id: row.granted_by, displayName: row.grantor_name },
    grantedAt: row.granted_at,
    isEffective: obstacle === null,
    obstacle,
    effectiveCapabilities: effectiveCapabilitiesOf(row),
  }
}

export function showPastGrant(row: PastGrantRow): PastGrant {
  return {
    id: row.id,
    application: { id: row.application_id, slug: row.slug, name: row.name },
    capabilities: capabilitiesOf(row),
    isMember: row.is_member,
    grantedBy: { id: row.granted_by, displayName: row.grantor_name },
    grantedAt: row.granted_at,
    revokedBy: row.revoked_by === null ? null : { id: row.revoked_by, displayName: row.revoker_name ?? '' },
    revokedAt: row.revoked_at,
  }
}

/** The detail of an audit entry. */
export function grantAuditDetail(row: GrantRow | undefined): object | null {
  return row
    ? { grantorId: row.granted_by, capabilities: capabilitiesOf(row), isMember: row.is_member }
    : null
}
