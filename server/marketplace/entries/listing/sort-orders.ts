import { categories, type EntrySort } from '#contract/marketplace/entries.ts'
import { assetTypes } from '#contract/studio/assets.ts'

/** The columns of each order; all of them descend, and the id comes last (ENT-33). */
export const keysOf: Record<EntrySort, readonly string[]> = {
  RECENT: ['approved_at'],
  POPULAR: ['popularity'],
  TOP_RATED: ['rating_rank', 'rating_count'],
  MOST_DOWNLOADED: ['install_count', 'approved_at'],
  // behind those that are featured now
  FEATURED: ['popularity'],
  // of a search; there is nothing to be relevant to without one
  RELEVANCE: ['popularity'],
}

/** The listing `k` is featured at this moment. */
export const isFeatured = 'k.featured_until > now()'

/** The sort keys and the id of rows `alias`. */
export function columnsOf(sort: EntrySort, alias: string): string {
  return [...keysOf[sort], 'entry_id'].map(key => `${alias}.${key}`).join(', ')
}

export function sortBy(sort: EntrySort, alias: string): string {
  return [...keysOf[sort], 'entry_id'].map(key => `${alias}.${key} desc`).join(', ')
}

/**
 * The listed entries of a category and a type, either of which may be left open, in an order, as far as `length`: each
 * arm is read from an index that has the order, and no further than the page reaches.
 *
 * @param and conditions on `k` besides
 */
export function bucketArms(
  sort: EntrySort,
  filter: { category?: string | undefined; type?: string | undefined },
  length: string,
  and: string,
): string {
  const arm = (where: string) => `(
    select ${columnsOf(sort, 'k')} from market_listing k where k.is_listed ${where} and ${and}
    order by ${sortBy(sort, 'k')} limit ${length})`
  return armsOf(filter).map(arm).join(' union all ')
}

function armsOf({ category, type }: { category?: string | undefined; type?: string | undefined }): string[] {
  if (category && type) return [`and k.category = ${category} and k.type = ${type}`]
  if (category) return assetTypes.map(one => `and k.category = ${category} and k.type = '${one}'`)
  if (type) return categories.map(one => `and k.category = '${one}' and k.type = ${type}`)
  return ['']
}
