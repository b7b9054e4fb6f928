import type { Opportunity, OpportunityStatus } from '#contract/crm/opportunities.ts'

/** The state of the list in the address. */
export type OpportunitySearch = {
  search?: string
  status?: OpportunityStatus
  clientId?: string
  /** The opportunity whose details are open. */
  open?: string
}

/** The filters of the board in the address: its columns are the statuses. */
export type OpportunityBoardSearch = Pick<OpportunitySearch, 'search' | 'clientId'>

export function opportunityBoardSearchOf(given: Record<string, unknown>): OpportunityBoardSearch {
  const { search, clientId } = opportunitySearchOf(given)
  return { ...(search !== undefined && { search }), ...(clientId !== undefined && { clientId }) }
}

const statuses: readonly OpportunityStatus[] = ['OPEN', 'WON', 'LOST']

export function opportunitySearchOf(given: Record<string, unknown>): OpportunitySearch {
  const status = statuses.find(one => one === given.status)
  return {
    // the router reads a text of digits as a number
    ...((typeof given.search === 'string' || typeof given.search === 'number') && {
      search: String(given.search),
    }),
    ...(status && { status }),
    ...(typeof given.clientId === 'string' && { clientId: given.clientId }),
    ...(typeof given.open === 'string' && { open: given.open }),
  }
}

/** The input of `listOpportunities`. The server searches for two characters and more. */
export function opportunityInputOf({ search = '', status, clientId }: OpportunitySearch) {
  return {
    query: {
      ...(search.trim().length > 1 && { search: search.trim() }),
      ...(status && { status }),
      ...(clientId && { clientId }),
    },
  }
}

/** The sum of the amounts of each currency, in the order of the currencies. Amounts of two currencies are never added. */
export function sumsOf(
  opportunities: readonly Pick<Opportunity, 'amountCents' | 'currency'>[],
): { currency: string; cents: number }[] {
  const sums = new Map<string, number>()
  for (const { amountCents, currency } of opportunities)
    if (amountCents !== null && currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + amountCents)
  return [...sums]
    .map(([currency, cents]) => ({ currency, cents }))
    .toSorted((one, other) => one.currency.localeCompare(other.currency))
}

/** A column of the board: the open opportunities of a stage, null for those without one, or the closed ones. */
export type Place = { status: 'OPEN'; stage: string | null } | { status: 'WON' | 'LOST' }

export const columnIdOf = (place: Place) =>
  place.status === 'OPEN' ? `stage:${place.stage ?? ''}` : place.status

export function placeOf({ status, stage }: Pick<Opportunity, 'status' | 'stage'>): Place {
  return status === 'OPEN' ? { status, stage } : { status }
}

/** The columns: no stage, the stages by name, won, lost. */
export function placesOf(stages: Iterable<string>): Place[] {
  const names = [...new Set(stages)].toSorted((one, other) => one.localeCompare(other))
  return [
    { status: 'OPEN', stage: null },
    ...names.map(stage => ({ status: 'OPEN' as const, stage })),
    { status: 'WON' },
    { status: 'LOST' },
  ]
}

/** The body of the update that brings an opportunity to a column. */
export function changeTo(opportunity: Pick<Opportunity, 'status'>, place: Place) {
  if (place.status !== 'OPEN') return { status: place.status }
  return { stage: place.stage, ...(opportunity.status !== 'OPEN' && { status: 'OPEN' as const }) }
}
