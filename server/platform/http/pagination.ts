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
