import { categories, type EntrySort } from '#contract/marketplace/entries.ts'
import { assetTypes } from '#contract/studio/assets.ts'

/** The columns of each sort order; all are descending, and the id comes last (ENT-33). */
export const keysOf: Record<EntrySort, readonly string[]> = {
  RECENT: ['approved_at'],
  POPULAR: ['popularity'],
  TOP_RATED: ['rating_rank', 'rating_count'],
  MOST_DOWNLOADED: ['install_count', 'approved_at'],
  // after the entries that are featured now
  FEATURED: ['popularity'],
  // only a search has relevance
  RELEVANCE: ['popularity'],
}

/** True if the listing `k` is featured now. */
export const isFeatured = 'k.featured_until > now()'

/** The sort keys and the id of rows `alias`. */
export function columnsOf(sort: EntrySort, alias: string): string {
  return [...keysOf[sort], 'entry_id'].map(key => `${alias}.${key}`).join(', ')
}

export function sortBy(sort: EntrySort, alias: string): string {
  return [...keysOf[sort], 'entry_id'].map(key => `${alias}.${key} desc`).join(', ')
}

/**
 * SQL for the listed entries with an optional category and type, in a sort order, up to `length`. Each arm reads an index
 * in that order, and no further than the page needs.
 *
 * @param and further conditions on `k`
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
