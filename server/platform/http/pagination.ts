/** Where a page of a list is (PAG-3). */
type Pagination = {
  page: number
  limit: number
  total: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** The page of a list that holds `total`, of whose pages at most `pages` can be asked for. */
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
