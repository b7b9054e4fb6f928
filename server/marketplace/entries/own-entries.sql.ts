import type { EntrySort } from '#contract/marketplace/entries.ts'
import type { Db } from '#platform/data/db.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { ownInstall, publisherName } from './entry-detail.sql.ts'
import type { EntryPageRow } from './listing/entry-list.sql.ts'
import { isFeatured } from './listing/sort-orders.ts'
import { searchQuerySql } from './search/search-words.ts'

type Args = {
  personId: string
  limit: number
  offset: number
  category: string | null
  type: string | null
  pricing: string | null
  featured: boolean
  words: readonly string[]
  isWholeOrganization: boolean
}

/** The sort orders of own entries; entries that were never approved have no ratings or installs. */
const orders: Record<EntrySort, string> = {
  RECENT: 'e.submitted_at desc',
  POPULAR: 'coalesce(k.popularity, 0) desc',
  TOP_RATED: 'coalesce(k.rating_rank, 0) desc, coalesce(k.rating_count, 0) desc',
  MOST_DOWNLOADED: 'coalesce(k.install_count, 0) desc',
  FEATURED: `coalesce(k.is_listed and ${isFeatured}, false) desc, coalesce(k.popularity, 0) desc`,
  RELEVANCE: 'coalesce(k.popularity, 0) desc',
}

/**
 * The submissions of the caller or of their organization in every status, with the listed or else the last release. The
 * daily limit keeps them few, so all are scanned: index market_entry_own.
 */
function ownText(order: string): string {
  return `
  with ${searchQuerySql('$words', 'any')},
  found as materialized (
    select e.id, row_number() over (order by ${order}, e.id desc) as place
    from market_entry e
    join market_release r on r.publisher_id = $organization
      and r.id = coalesce(e.listed_release_id, e.last_release_id)
    left join market_listing k on k.entry_id = e.id
    where e.organization_id = $organization and ($isWholeOrganization::boolean or e.submitted_by = $personId)
      and ($category::text is null or e.category = $category) and ($type::text is null or r.type = $type)
      and ($pricing::text is null or e.pricing = $pricing)
        and (not $featured::boolean or (k.is_listed and ${isFeatured}))
      and (cardinality($words::text[]) = 0 or e.terms @@ (select q.query from search_query q)))
  select t.n as total, s.* from (select count(*)::integer as n from found) t left join (
    select x.place, e.id, r.name, r.description, r.type, e.category, e.tags, e.pricing, e.status, r.version,
      r.icon_name, r.color, case when ${isFeatured} then k.featured_until end as featured_until,
      coalesce(k.rating_sum, 0) as rating_sum, coalesce(k.rating_count, 0) as rating_count,
      coalesce(k.install_count, 0) as install_count, ${publisherName} as publisher_name, g.publisher_verified,
      e.submitted_by = $personId as is_own, i.id as install_id, i.installed_version,
      coalesce(k.is_listed and i.release_id <> k.release_id, false) as update_available,
      r.submitted_at, case when k.is_listed then k.approved_at end as approved_at, e.updated_at
    from (select * from found order by place limit $limit::integer offset $offset::integer) x
    join market_entry e on e.organization_id = $organization and e.id = x.id
    join market_release r on r.publisher_id = $organization
      and r.id = coalesce(e.listed_release_id, e.last_release_id)
    join organization g on g.id = $organization
    left join market_listing k on k.entry_id = e.id ${ownInstall('e.id')}) s on true
  order by s.place`
}

const statements = Object.fromEntries(
  Object.entries(orders).map(([sort, order]) => [sort, sql<EntryPageRow, Args>(ownText(order))]),
) as Record<EntrySort, Statement<EntryPageRow, Args>>

/** One page of the submissions of the caller or their organization, with the total. */
export function listOwn(db: Db, sort: EntrySort, args: Args): Promise<EntryPageRow[]> {
  return db.rows(statements[sort], args)
}
