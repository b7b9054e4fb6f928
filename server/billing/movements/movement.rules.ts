import { searchPattern } from '#server/crm/index.ts'
import { centsIn, endOfPrefix } from '../invoices/listing/invoice-list.rules.ts'

/** The range of references, the same in capital letters, the pattern of client names, and the amount to search. */
export type MovementSearch = {
  textFrom: string
  textTo: string
  capitalsFrom: string
  capitalsTo: string
  clients: string
  cents: number | null
}

/** Null: any. Times include both ends. */
export type MovementFilters = {
  from: string | null
  to: string | null
  status: string | null
  currency: string | null
  /** Of payments only. */
  method: string | null
  search: MovementSearch | null
}
type MovementQuery = {
  from?: string
  to?: string
  status?: string
  currency?: string
  method?: string
  search?: string
}

/** The filters of a list. Refuses a search text that is too short. */
export function movementFiltersOf(query: MovementQuery): MovementFilters {
  const { from = null, to = null, status = null, currency = null, method = null } = query
  return { from, to, status, currency, method, search: movementSearchOf(query.search) }
}

function movementSearchOf(search: string | undefined): MovementSearch | null {
  const clients = searchPattern(search)
  if (search === undefined || clients === null) return null
  const text = search.trim()
  const capitals = text.toUpperCase()
  return {
    textFrom: text,
    textTo: endOfPrefix(text),
    capitalsFrom: capitals,
    capitalsTo: endOfPrefix(capitals),
    clients,
    cents: centsIn(text),
  }
}
