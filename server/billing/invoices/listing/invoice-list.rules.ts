import type { exportInvoices } from '#contract/billing/invoices.ts'
import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { searchPattern } from '#server/crm/index.ts'

/** The range of invoice numbers, the pattern of client names, and the amount to search. */
export type InvoiceSearch = {
  numbersFrom: string
  numbersTo: string
  clients: string
  cents: number | null
}

/** Null: any. Days are YYYY-MM-DD, and ranges include both ends. */
export type InvoiceFilters = {
  status: InvoiceStatus | null
  clientId: string | null
  applicationId: string | null
  userId: string | null
  budgetId: string | null
  isUnpaid: boolean
  isOverdue: boolean
  issuedFrom: string | null
  issuedTo: string | null
  dueFrom: string | null
  dueTo: string | null
  ids: readonly string[] | null
  search: InvoiceSearch | null
}

/**
 * Searches for a number that starts with the text, a client whose name contains it, or this total in the smallest
 * unit of the currency. Refuses a text that is too short.
 */
export function invoiceSearchOf(search: string | undefined): InvoiceSearch | null {
  const clients = searchPattern(search)
  if (search === undefined || clients === null) return null
  const beginning = search.trim().toUpperCase()
  return {
    numbersFrom: beginning,
    numbersTo: endOfPrefix(beginning),
    clients,
    cents: centsIn(beginning),
  }
}

/** The end of the range of texts with this prefix. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** The amount that a search text may stand for. */
export function centsIn(text: string): number | null {
  return /^\d{1,13}$/.test(text) ? Number(text) : null
}

/** The filters of a list or export. Refuses VALIDATION_ERROR for a user without an application. */
export function filtersOf(
  caller: Pick<Caller, 'applicationId'>,
  query: Input<typeof exportInvoices>['query'],
): Omit<InvoiceFilters, 'ids'> {
  const applicationId = caller.applicationId ?? query.applicationId ?? null
  const { userId = null } = query
  if (userId !== null && applicationId === null)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'applicationId', code: 'required', message: 'is required with a user' }],
    })
  return {
    status: query.status ?? null,
    clientId: query.clientId ?? null,
    applicationId,
    userId,
    budgetId: query.budgetId ?? null,
    isUnpaid: query.unpaid ?? false,
    isOverdue: query.overdue ?? false,
    issuedFrom: query.issuedFrom ?? null,
    issuedTo: query.issuedTo ?? null,
    dueFrom: query.dueFrom ?? null,
    dueTo: query.dueTo ?? null,
    search: invoiceSearchOf(query.search),
  }
}
