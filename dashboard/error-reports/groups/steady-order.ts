const none: readonly string[] = []

/**
 * The order in which a list shows its rows while somebody works in it: rows keep their place when the server sorts them
 * anew, rows that left come back where they were, and rows that are new among the others wait. Rows after
 * the last known one are the next page.
 */
export function steadyOrder(
  order: readonly string[],
  ids: readonly string[],
): { order: readonly string[]; added: readonly string[] } {
  if (ids.length === 0) return { order: none, added: none }
  const known = new Set(order)
  const last = ids.findLastIndex(id => known.has(id))
  if (last === -1) return { order: ids, added: [] }
  const next = ids.slice(last + 1)
  return {
    order: next.length === 0 ? order : [...order, ...next],
    added: ids.slice(0, last).filter(id => !known.has(id)),
  }
}
