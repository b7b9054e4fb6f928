import { type BudgetStatus, budgetStatuses } from '#contract/crm/budgets.ts'

/** The filters in the address of the list of budgets. */
export type BudgetSearch = { search?: string; status?: BudgetStatus; client?: string; open?: string }

/** Reads the address, and leaves out what it does not know. */
export function budgetSearchOf(search: Record<string, unknown>): BudgetSearch {
  return {
    ...(typeof search.search === 'string' && { search: search.search }),
    ...(budgetStatuses.includes(search.status as BudgetStatus) && { status: search.status as BudgetStatus }),
    ...(typeof search.client === 'string' && { client: search.client }),
    ...(typeof search.open === 'string' && { open: search.open }),
  }
}

/** The query of listBudgets for an address. */
export function budgetQueryOf({ search, status, client }: BudgetSearch) {
  return {
    // the server searches from two characters on
    ...(search && search.trim().length > 1 && { search: search.trim() }),
    ...(status && { status }),
    ...(client && { clientId: client }),
  }
}
