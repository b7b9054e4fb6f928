import { type LeadOrder, leadOrders } from '#contract/crm/leads.ts'
import { leadStatuses, openStatuses, type Temperature, temperatures } from '#contract/crm/shapes.ts'

/** The filters and the order of the list, as the address and saved views have them. */
export type LeadFilters = {
  /** Statuses, separated by commas; without it, the open leads. */
  status?: string
  /** The id of a person, or `none`. */
  assigneeId?: string
  stage?: string
  source?: string
  temperature?: Temperature
  /** The text to search for. A search knows no other filter than `includeClosed`. */
  q?: string
  includeClosed?: 'true'
  orderBy?: LeadOrder
  order?: 'asc' | 'desc'
}
export type LeadSearch = LeadFilters & {
  /** The saved view that the filters come from. */
  view?: string
  /** The lead whose details are open. */
  open?: string
}
/** Parts to set, or to remove where they are undefined. */
export type LeadSearchChange = { [Key in keyof LeadSearch]: LeadSearch[Key] | undefined }

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find(one => one === value)
// the router reads a text of digits as a number
const textOf = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined

function statusesIn(value: unknown): string | undefined {
  const parts = Array.isArray(value) ? value : (textOf(value)?.split(',') ?? [])
  const known = leadStatuses.filter(status => parts.includes(status))
  return known.length > 0 ? known.join(',') : undefined
}

/** The filters in an address or a saved view, without what is not one. */
export function leadFiltersOf(search: Readonly<Record<string, unknown>>): LeadFilters {
  const order = oneOf(['asc', 'desc'], search.order)
  const orderBy = oneOf(leadOrders, search.orderBy)
  const filters = {
    status: statusesIn(search.status),
    assigneeId: textOf(search.assigneeId),
    stage: textOf(search.stage),
    source: textOf(search.source),
    temperature: oneOf(temperatures, search.temperature),
    q: textOf(search.q),
    includeClosed: oneOf(['true'], textOf(search.includeClosed)),
    orderBy,
    order: orderBy && order,
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

export function leadSearchOf(search: Readonly<Record<string, unknown>>): LeadSearch {
  const view = textOf(search.view)
  const open = textOf(search.open)
  return { ...leadFiltersOf(search), ...(view && { view }), ...(open && { open }) }
}

/** The shortest text that the server searches for. */
export const shortestSearch = 2

/** The text to search for; undefined if there is none, or if it is too short. */
export function searchedText({ q }: LeadFilters): string | undefined {
  return q === undefined || q.trim().length < shortestSearch ? undefined : q.trim()
}

/** The input of `searchLeads`; undefined if the filters contain no search. */
export function searchInputOf({ includeClosed, ...filters }: LeadFilters) {
  const q = searchedText(filters)
  if (q === undefined) return undefined
  return {
    query: {
      q,
      ...(includeClosed && { includeClosed: true }),
      include: ['scoring' as const],
    },
  }
}

/** The input of `listLeads`. */
export function listInputOf(filters: LeadFilters) {
  const { status, assigneeId, stage, source, temperature, orderBy, order } = filters
  const chosen = leadStatuses.filter(one => status?.split(',').includes(one))
  return {
    query: {
      status: chosen.length > 0 ? chosen : [...openStatuses],
      ...(assigneeId && { assigneeId }),
      ...(stage && { stage }),
      ...(source && { source }),
      ...(temperature && { temperature }),
      ...(orderBy && { orderBy }),
      ...(order && { order }),
      include: ['scoring' as const],
    },
  }
}

/** The address of the list with these filters, below the address of the organization. */
export function listHref(address: string, search: LeadSearch = {}): string {
  const query = new URLSearchParams(Object.entries(search)).toString()
  return `/o/${encodeURIComponent(address)}/leads${query && `?${query}`}`
}
