import { limits } from '#contract/limits.ts'
import type { EntrySort } from '#contract/marketplace/entries.ts'
import type { Db } from '#platform/data/db.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { lookUp } from '#platform/required.ts'
import type { EntryItemRow } from '../entry.json.ts'
import { ownInstall, publisherName } from '../entry-detail.sql.ts'
import { bucketArms, columnsOf, isFeatured, keysOf, sortBy } from './sort-orders.ts'

/** A row of a page. A page without entries has one row with only the total. */
export type EntryPageRow = { total: number } & (EntryItemRow | { id: null })

/** The filters of the catalogue. */
export type CatalogueFilter = { category?: string; type?: string; pricing?: string }
type Args = {
  personId: string
  limit: number
  offset: number
  category: string | null
  type: string | null
  pricing: string | null
}

/** SQL for the entries of `page` (`entry_id`, `place`) with the public columns of their listings. */
export function entryItemsSql(page: string): string {
  return `select x.place, k.entry_id as id, k.name, k.description, k.type, k.category, k.tags, k.pricing,
      'APPROVED' as status, k.version, k.icon_name, k.color,
      case when ${isFeatured} then k.featured_until end as featured_until, k.rating_sum, k.rating_count,
      k.install_count, ${publisherName} as publisher_name, g.publisher_verified,
      k.publisher_id = $organization and k.publisher_person_id = $personId as is_own,
      i.id as install_id, i.installed_version, i.release_id <> k.release_id as update_available,
      k.submitted_at, k.approved_at, k.updated_at
    from ${page} x join market_listing k on k.entry_id = x.entry_id
    join organization g on g.id = k.publisher_id ${ownInstall('k.entry_id')}`
}

/** Matches a count or a listing with the filters: category, type and pricing, each or null. */
const matchesFilter = (alias: string) => `($category::text is null or ${alias}.category = $category)
  and ($type::text is null or ${alias}.type = $type) and ($pricing::text is null or ${alias}.pricing = $pricing)`

/**
 * One page with the total. The total comes from the counts; if it is 0, no listing is read. The page merges the indexes of
 * the buckets. Pricing is a condition on rows: all entries are FREE so far. The first pages have a constant limit, so that
 * one cached plan fits them.
 */
function pageText(sort: EntrySort, hasCategory: boolean, hasType: boolean, isNear: boolean): string {
  const filter = { category: hasCategory ? '$category' : undefined, type: hasType ? '$type' : undefined }
  const some = '(select n from total) > 0 and ($pricing::text is null or k.pricing = $pricing)'
  const length = isNear ? String(nearRows) : '$limit::integer + $offset::integer'
  const plain = (and: string) =>
    `select ${columnsOf(sort, 'x')} from (${bucketArms(sort, filter, length, and)}) x`
  const page =
    sort === 'FEATURED'
      ? `select 1 as first, y.* from (
          select ${columnsOf(sort, 'k')} from market_listing k
          where k.is_listed and ${isFeatured} and ${matchesFilter('k')}) y
        union all
        select 0, y.* from (
          ${plain(`${some} and (k.featured_until is null or not ${isFeatured})`)}
          order by ${sortBy(sort, 'x')} limit ${length}) y`
      : `select 0 as first, y.* from (${plain(some)} order by ${sortBy(sort, 'x')} limit ${length}) y`
  return `
  with total as materialized (
    select coalesce(sum(t.n), 0)::integer as n from market_listing_count t
    where t.category <> '' and ${matchesFilter('t')}),
  page as materialized (
    select z.entry_id, row_number() over (order by z.first desc, ${sortBy(sort, 'z')}) as place from (${page}) z
    order by place limit $limit::integer offset $offset::integer)
  select t.n as total, s.* from total t left join (${entryItemsSql('page')}) s on true order by s.place`
}

/** The entries that are featured now, by the clock of the database. There are only a few. */
function featuredText(sort: EntrySort): string {
  return `
  with found as materialized (
    select ${columnsOf(sort, 'k')} from market_listing k
    where k.is_listed and ${isFeatured} and ${matchesFilter('k')}),
  page as materialized (
    select z.entry_id, row_number() over (order by ${sortBy(sort, 'z')}) as place from found z
    order by place limit $limit::integer offset $offset::integer)
  select t.n as total, s.* from (select count(*)::integer as n from found) t
  left join (${entryItemsSql('page')}) s on true order by s.place`
}

/** Pages that end before this row use the constant limit. */
const nearRows = limits.pageLimit

const sorts = Object.keys(keysOf) as EntrySort[]
const pages = new Map<string, Statement<EntryPageRow, Args>>()
for (const sort of sorts) {
  for (const hasCategory of [false, true])
    for (const hasType of [false, true])
      for (const isNear of [false, true]) {
        const text = pageText(sort, hasCategory, hasType, isNear)
        pages.set(`${sort} ${hasCategory} ${hasType} ${isNear}`, sql<EntryPageRow, Args>(text))
      }
  pages.set(`${sort} featured`, sql<EntryPageRow, Args>(featuredText(sort)))
}

type CatalogueQuery = CatalogueFilter & {
  sort: EntrySort
  featured?: boolean | undefined
  limit: number
  offset: number
}

/** One page of the catalogue with the total. */
export function listPage(db: Db, personId: string, query: CatalogueQuery): Promise<EntryPageRow[]> {
  const { sort, featured, category, type, pricing, limit, offset } = query
  const shape = `${category !== undefined} ${type !== undefined} ${limit + offset <= nearRows}`
  const statement = lookUp(pages, featured ? `${sort} featured` : `${sort} ${shape}`)
  return db.rows(statement, {
    personId,
    limit,
    offset,
    category: category ?? null,
    type: type ?? null,
    pricing: pricing ?? null,
  })
}
