/** The filters and the order of a list, as the address has them. */
export type ListFilters = { [name: string]: string }

/** The filters as texts, as a saved view stores them. */
export function textsIn(filters: object): ListFilters {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
}

/** Whether two sets of filters show the same rows in the same order. */
export function areSameFilters(one: object, other: object): boolean {
  const textOf = (filters: object) => JSON.stringify(Object.entries(textsIn(filters)).toSorted())
  return textOf(one) === textOf(other)
}
