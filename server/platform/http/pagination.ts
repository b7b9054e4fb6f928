import { limits } from '#contract/limits.ts'

/** A page of a list. */
export type Page = { limit: number; offset: number }

/** The page that a query selects (PAG-1). The check of the input sets the defaults, which its type does not say. */
export function pageOf({ limit = limits.pageLimitDefault, offset = 0 }: Partial<Page>): Page {
  return { limit, offset }
}

/** The same in a list with numbered pages (PAG-3). */
export function numberedPageOf({
  page = 1,
  limit = limits.pageLimitDefault,
}: {
  page?: number
  limit?: number
}): Page & { page: number } {
  return { page, limit, offset: (page - 1) * limit }
}

/** The position of a page in a list (PAG-3). */
type Pagination = {
  page: number
  limit: number
  total: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** A page of a list with `total` items, of which at most `pages` pages can be requested. */
export function paginated<Item>(
  data: Item[],
  { page, limit, total, pages }: { page: number; limit: number; total: number; pages: number },
): { data: Item[]; pagination: Pagination } {
  const totalPages = Math.ceil(total / limit)
  return {
    data,
    pagination: {
      page,
      limit,
      total,
      totalPages,
      hasNextPage: page < Math.min(totalPages, pages),
      hasPreviousPage: page > 1,
    },
  }
}
