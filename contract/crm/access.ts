import { limits } from '../limits.ts'
import type { Permission, Scope } from '../permissions.ts'

const crm = { area: 'crm', module: 'crm' } as const

/** Clients, contacts, opportunities and settings: members of the organization only. */
export const viewAccess = { ...crm, auth: { session: { permission: 'CRM_VIEW' } } } as const
export const editAccess = { ...crm, auth: { session: { permission: 'CRM_EDIT' } } } as const

const hour = 3_600
/** A limit of calls per API key and hour. */
export const hourlyLimit = (bucket: string, times: number) =>
  ({ bucket, times, windowSeconds: hour, per: 'key' }) as const
export const leadReadLimit = hourlyLimit('lead-reads', limits.leadReadsPerHour)
export const leadSyncLimit = hourlyLimit('lead-syncs', limits.leadSyncsPerHour)
export const leadLookUpLimit = hourlyLimit('leads-by-email', limits.leadsByEmailPerHour)
export const leadWriteLimit = hourlyLimit('lead-writes', limits.leadWritesPerHour)

/** Applications and people reach leads; each operation names the scope and the permission. */
export function leadAccess<const S extends Scope, const P extends Permission>(scope: S, permission: P) {
  return {
    ...crm,
    capability: 'crm.leads',
    auth: { apiKey: { scope }, session: { permission } },
  } as const
}
export const leadReadAccess = leadAccess('crm:leads:read', 'CRM_VIEW')
export const leadWriteAccess = leadAccess('crm:leads:write', 'CRM_EDIT')
