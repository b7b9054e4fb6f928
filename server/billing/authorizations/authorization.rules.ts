import { isIP } from 'node:net'
import type { createAuthorization } from '#contract/billing/authorizations.ts'
import type { Input } from '#contract/operation.ts'
import { msOf, nowMs } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'

type Body = Input<typeof createAuthorization>['body']

/** Refuses a consent that contradicts itself: scope and invoice, IP address, expiry. */
export function assertValid({ scope, invoiceId, ip, expiresAt }: Body): void {
  if (scope === 'SINGLE' && invoiceId === undefined)
    refuse('invoiceId', 'required', 'is required with SINGLE')
  if (scope === 'RECURRING' && invoiceId !== undefined)
    refuse('invoiceId', 'unknown', 'is only for SINGLE: RECURRING covers all invoices')
  if (isIP(ip) === 0 || ip.includes('%')) refuse('ip', 'ip', 'must be an IPv4 or IPv6 address')
  if (expiresAt && msOf(expiresAt) <= nowMs()) refuse('expiresAt', 'minimum', 'must be in the future')
}

/** Refuses another currency than the invoice has: it could never be charged. */
export function assertCurrencyOf(invoice: Pick<InvoiceRow, 'currency'>, currency: string): void {
  if (currency !== invoice.currency)
    refuse('currency', 'other', `must be that of the invoice, ${invoice.currency}`)
}

/** The application of a user: the caller's own, or the one that a member names. */
export function applicationOf(caller: Caller, named: string | undefined): string {
  return caller.applicationId ?? named ?? refuse('applicationId', 'required', 'is required with a user')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
