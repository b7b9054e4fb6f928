import { limits } from '../limits.ts'
import type { Permission, Scope } from '../permissions.ts'

const crm = { area: 'crm', module: 'crm' } as const

/** Clients, contacts, opportunities and settings: people only. */
export const viewAccess = { ...crm, auth: { session: { permission: 'CRM_VIEW' } } } as const
export const editAccess = { ...crm, auth: { session: { permission: 'CRM_EDIT' } } } as const

const hour = 3_600
/** Calls of a key in an hour. */
export const hourlyLimit = (bucket: string, times: number) =>
  ({ bucket, times, windowSeconds: hour, per: 'key' }) as const
export const leadReadLimit = hourlyLimit('lead-reads', limits.leadReadsPerHour)
export const leadWriteLimit = hourlyLimit('lead-writes', limits.leadWritesPerHour)

/** Leads are reached by applications and people; what each needs stands with the operation. */
export function leadAccess<const S extends Scope, const P extends Permission>(scope: S, permission: P) {
  return {
    ...crm,
    capability: 'crm.leads',
    auth: { apiKey: { scope }, session: { permission } },
  } as const
}
export const leadReadAccess = leadAccess('crm:leads:read', 'CRM_VIEW')
export const leadWriteAccess = leadAccess('crm:leads:write', 'CRM_EDIT')
