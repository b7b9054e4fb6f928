import { limits } from '../limits.ts'
import type { Scope } from '../permissions.ts'

const finance = { area: 'billing', module: 'finance' } as const

/** Operations of members. */
export const toView = { ...finance, auth: { session: { permission: 'BILLING_VIEW' } } } as const
export const toEdit = { ...finance, auth: { session: { permission: 'BILLING_EDIT' } } } as const
export const toErase = { ...finance, auth: { session: { permission: 'CRM_ERASE' } } } as const
export const toRefund = { ...finance, auth: { session: { permission: 'BILLING_REFUND' } } } as const
export const toReverse = { ...finance, auth: { session: { permission: 'BILLING_REVERSE' } } } as const
export const toManage = { ...finance, auth: { session: { permission: 'ORG_MANAGE' } } } as const

/** One limit for all actions of a key on invoices (BIL-11). */
export const invoiceActions = {
  bucket: 'invoice-actions',
  times: limits.invoiceActionsPerMinute,
  windowSeconds: 60,
  per: 'key',
} as const

/** Operations of applications. Each names the scope that it needs (BIL-1, BIL-2). */
export function byApplications<const S extends Scope>(scope: S) {
  return { ...finance, auth: { apiKey: { scope } }, limit: invoiceActions } as const
}
