import { scopeRequestStatuses } from '#contract/integrations/critical-scopes.ts'

export type ScopeRequestStatus = (typeof scopeRequestStatuses)[number]

/** The status of the requests that are listed, OPEN when absent, and the request that is open. */
export type ScopeSearch = { status?: ScopeRequestStatus; open?: string }

export function scopeSearchOf({ status, open }: Record<string, unknown>): ScopeSearch {
  const known = scopeRequestStatuses.find(one => one === status)
  return {
    ...(known !== undefined && known !== 'OPEN' && { status: known }),
    ...(typeof open === 'string' && { open }),
  }
}

/** The filters of the server. */
export function scopeQueryOf({ status }: ScopeSearch): { status?: ScopeRequestStatus } {
  return status === undefined ? {} : { status }
}
