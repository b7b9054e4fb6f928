import { isIP } from 'node:net'
import type { createAuthorization } from '#contract/billing/authorizations.ts'
import type { Input } from '#contract/operation.ts'
import { msOf, nowMs } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'

type Body = Input<typeof createAuthorization>['body']

/** Refuses what a user cannot have agreed to: for one invoice or for all, from somewhere, for a time to come. */
export function assertValid({ scope, invoiceId, ip, expiresAt }: Body): void {
  if (scope === 'SINGLE' && invoiceId === undefined) refuse('invoiceId', 'required', 'is needed with SINGLE')
  if (scope === 'RECURRING' && invoiceId !== undefined)
    refuse('invoiceId', 'unknown', 'is for SINGLE: RECURRING is for all invoices')
  if (isIP(ip) === 0 || ip.includes('%')) refuse('ip', 'ip', 'must be an address of IPv4 or IPv6')
  if (expiresAt && msOf(expiresAt) <= nowMs()) refuse('expiresAt', 'minimum', 'must be in the future')
}

/** Refuses a currency that the one invoice is not in: it could never be charged. */
export function assertCurrencyOf(invoice: Pick<InvoiceRow, 'currency'>, currency: string): void {
  if (currency !== invoice.currency)
    refuse('currency', 'other', `must be that of the invoice, ${invoice.currency}`)
}

/** Of which application a user is: of the one that asks, or of the one that people name. */
export function applicationOf(caller: Caller, named: string | undefined): string {
  return caller.applicationId ?? named ?? refuse('applicationId', 'required', 'is needed with a user')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
