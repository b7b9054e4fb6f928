import { limits } from '../limits.ts'
import type { Permission, Scope } from '../permissions.ts'

const crm = { area: 'crm', module: 'crm' } as const

/** Clients, contacts, opportunities and settings: people only. */
export const toView = { ...crm, auth: { session: { permission: 'CRM_VIEW' } } } as const
export const toEdit = { ...crm, auth: { session: { permission: 'CRM_EDIT' } } } as const

const hour = 3_600
/** Calls of a key in an hour. */
export const perHour = (bucket: string, times: number) =>
  ({ bucket, times, windowSeconds: hour, per: 'key' }) as const
export const leadReads = perHour('lead-reads', limits.leadReadsPerHour)
export const leadWrites = perHour('lead-writes', limits.leadWritesPerHour)

/** Leads are reached by applications and people; what each needs stands with the operation. */
export function ofLeads<const S extends Scope, const P extends Permission>(scope: S, permission: P) {
  return {
    ...crm,
    capability: 'crm.leads',
    auth: { apiKey: { scope }, session: { permission } },
  } as const
}
export const toReadLeads = ofLeads('crm:leads:read', 'CRM_VIEW')
export const toWriteLeads = ofLeads('crm:leads:write', 'CRM_EDIT')
