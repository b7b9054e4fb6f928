import type { exportInvoices, InvoiceOrder, listInvoices } from '#contract/billing/invoices.ts'
import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import type { Input } from '#contract/route.ts'

export const invoiceViews = ['all', 'draft', 'due', 'overdue', 'paid'] as const
export type InvoiceView = (typeof invoiceViews)[number]

/** The statuses that a view can be narrowed down to; the views of drafts and of paid invoices have one alone. */
export const statusesOfView: Readonly<Record<InvoiceView, readonly InvoiceStatus[]>> = {
  draft: [],
  due: ['ISSUED', 'SENT', 'PARTIALLY_PAID'],
  overdue: ['ISSUED', 'SENT', 'PARTIALLY_PAID'],
  paid: [],
  all: ['DRAFT', 'ISSUED', 'SENT', 'PARTIALLY_PAID', 'PAID', 'RECTIFIED', 'VOIDED'],
}

/** The orders of the list, as the address has them: a field and a direction. */
export type InvoiceSort = `${InvoiceOrder}.${'asc' | 'desc'}`
const sortPattern = /^(createdAt|issueDate|dueDate|number|totalCents)\.(asc|desc)$/

/** Days from and to, both included: `2026-10-01..2026-12-31`. Each may be missing. */
export type Period = string
const periodPattern = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

/** The state of the list, as the address has it. */
export type InvoiceSearch = {
  view?: InvoiceView
  status?: InvoiceStatus
  clientId?: string
  issued?: Period
  due?: Period
  search?: string
  sort?: InvoiceSort
  open?: string
}
export type InvoiceSearchChange = { [Key in keyof InvoiceSearch]: InvoiceSearch[Key] | undefined }

/** Reads the state of the list from the address; what the list does not have is left out. */
export function invoiceSearchOf(address: Record<string, unknown>): InvoiceSearch {
  const { view, status, clientId, issued, due, search, sort, open } = address
  const shown = invoiceViews.find(one => one === view)
  const only = statusesOfView[shown ?? 'all'].find(one => one === status)
  return {
    ...(shown && { view: shown }),
    ...(only && { status: only }),
    ...(isText(clientId) && { clientId }),
    ...(isPeriod(issued) && { issued }),
    ...(isPeriod(due) && { due }),
    ...(isText(search) && { search }),
    ...(typeof sort === 'string' && sortPattern.test(sort) && { sort: sort as InvoiceSort }),
    ...(isText(open) && { open }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isPeriod(value: unknown): value is Period {
  return typeof value === 'string' && value !== '..' && periodPattern.test(value)
}

type ListQuery = NonNullable<Input<typeof listInvoices>['query']>
type ExportQuery = NonNullable<Input<typeof exportInvoices>['query']>

/** The filters of a view, also of its export. */
export function filtersOf({
  view = 'all',
  status,
  clientId,
  issued,
  due,
  search,
}: InvoiceSearch): ExportQuery {
  const [issuedFrom, issuedTo] = daysOf(issued)
  const [dueFrom, dueTo] = daysOf(due)
  return {
    ...viewFilters[view],
    ...(status && { status }),
    ...(clientId && { clientId }),
    ...(issuedFrom && { issuedFrom }),
    ...(issuedTo && { issuedTo }),
    ...(dueFrom && { dueFrom }),
    ...(dueTo && { dueTo }),
    // the server searches for two characters or more
    ...(search && search.trim().length > 1 && { search }),
  }
}

const viewFilters: Readonly<Record<InvoiceView, ExportQuery>> = {
  draft: { status: 'DRAFT' },
  due: { unpaid: true },
  overdue: { overdue: true },
  paid: { status: 'PAID' },
  all: {},
}

/** The query of the list. The view of unpaid invoices begins with the one that is due first. */
export function listQueryOf(search: InvoiceSearch): ListQuery {
  const sort = sortOf(search)
  const [orderBy, order] = (sort?.split('.') ?? []) as [InvoiceOrder?, ('asc' | 'desc')?]
  return { ...filtersOf(search), ...(orderBy && order && { orderBy, order }) }
}

/** The order of the list; undefined for the order of the server, the newest first. */
export function sortOf({ view, sort }: InvoiceSearch): InvoiceSort | undefined {
  return sort ?? (view === 'due' ? 'dueDate.asc' : undefined)
}

/** The first and the last day of a period. */
export function daysOf(period: Period | undefined): [string | undefined, string | undefined] {
  const [, from, to] = periodPattern.exec(period ?? '') ?? []
  return [from, to]
}

export type NamedPeriod = 'thisMonth' | 'lastMonth' | 'thisQuarter' | 'lastQuarter' | 'thisYear' | 'lastYear'
const lengths = { Month: 1, Quarter: 3, Year: 12 } as const

/** The periods that people ask for, with their days; `today` is a day of the calendar, YYYY-MM-DD. */
export function namedPeriods(today: string): { name: NamedPeriod; period: Period }[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return (['Month', 'Quarter', 'Year'] as const).flatMap(unit => {
    const months = lengths[unit]
    const start = (year - 2000) * 12 + Math.floor((month - 1) / months) * months
    return [
      { name: `this${unit}` as const, period: monthsFrom(start, months) },
      { name: `last${unit}` as const, period: monthsFrom(start - months, months) },
    ]
  })
}

/** The days of some months; `start` counts months since 2000. */
function monthsFrom(start: number, months: number): Period {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  return `${dayOf(Date.UTC(2000, start))}..${dayOf(Date.UTC(2000, start + months, 0))}`
}
