import { limits } from '#contract/limits.ts'
import type { EntrySort } from '#contract/marketplace/entries.ts'
import type { CachedCount } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/db.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { lookUp } from '#platform/required.ts'
import { stemOf } from '#platform/search-words.ts'
import { segmentLength } from '../catalogue/catalogue.terms.ts'
import { type EntryPageRow, entryItemsSql } from '../listing/entry-list.sql.ts'
import { bucketArms, isFeatured, keysOf, sortBy } from '../listing/sort-orders.ts'
import { searchQuerySql, tiers } from './search-words.ts'

/** Entries that a search ranks at once. */
const maxRanked = limits.searchRanked
/** A search counts and lists up to this many entries. One more shows that there are more. */
const bound = limits.searchTotal
const beyond = bound + 1
/** Counts up to this many, so that a cached count stays above the bound through some changes. */
const maxCounted = bound + 2_000
/** The newest segments of the catalogue, in which a search for a common word ends. */
const newestSegments = 16
/** Scanned entries whose name begins with the typed text. */
const maxNamed = 40
/** Scanned matches outside the newest segments. */
const maxOlder = 200
/** For a common word, scanned entries at the head of the sort order. */
const maxFirst = 300

export type EntrySearchArgs = {
  personId: string
  limit: number
  offset: number
  category: string | null
  type: string | null
  pricing: string | null
  featured: boolean
  words: readonly string[]
  wider: string | null
  typed: string
}

/**
 * One page of a search. The candidates are
 *
 *  named   entries whose name begins with the typed text
 *  newer   matches in the newest segments, newest first
 *  older   other matches, if the newest segments did not give enough
 *  early   if they did, matches at the head of the sort order
 *
 * so that the work depends on the number of ranked entries and not on the number of matches. RELEVANCE sorts by tier
 * (see `tiers`), then by text rank; other orders sort by their columns.
 */
function firstText(sort: EntrySort, hasCategory: boolean, hasType: boolean): string {
  return `
  with ${firstMatchesSql(sort, hasCategory, hasType)},
  page as (select * from found order by place limit $limit::integer offset $offset::integer)
  select t.n as total, t.is_cut, t.is_newest, ${generation} as generation, s.* from (
    select count(found.entry_id)::integer as n, w.is_newest, count(found.entry_id) >= ${maxRanked} or w.is_newest
      or (select count(*) from older) >= ${maxOlder}
      or ($typed <> '' and (select count(*) from named_range) >= ${maxNamed}) as is_cut
    from (select count(*) >= ${maxRanked} as is_newest from newer) w left join found on true group by w.is_newest) t
  left join (${entryItemsSql('page')}) s on true order by s.place`
}

const nameTier = `case when k.name_folded = $typed then ${tiers.exactName} else ${tiers.beginningOfName} end`

/** SQL for the table `found`: the first matches with their places from 1. */
function firstMatchesSql(sort: EntrySort, hasCategory: boolean, hasType: boolean): string {
  const filter = { category: hasCategory ? '$category' : undefined, type: hasType ? '$type' : undefined }
  const isRanked = sort === 'RELEVANCE'
  const row = `k.entry_id, q.tier, ${isRanked ? 'ts_rank(k.terms, q.query)' : '0::real'} as rank`
  const matches = (wanted: string) => `k.is_listed and k.terms @@ ${wanted}`
  const tier = isRanked ? 'x.tier, x.rank desc, ' : ''
  // in this order the newest segments already come first
  const ofBuckets = bucketArms(sort, filter, String(maxFirst), `(select count(*) from newer) >= ${maxRanked}`)
  const early = `
    select ${row} from (
      select x.entry_id from (${ofBuckets}) x order by ${sortBy(sort, 'x')} limit ${maxFirst}) e
    join market_listing k on k.entry_id = e.entry_id cross join query q
    where k.terms @@ q.wanted`
  const first = sort === 'FEATURED' ? `coalesce(${isFeatured}, false) desc, ` : ''
  return `${query},
  segment as materialized (
    select generate_series(y.last, greatest(y.last - ${newestSegments - 1}, 0), -1) as n from (
      select coalesce(sum(t.n), 0)::integer / ${segmentLength} as last from market_listing_count t
      where t.category = '' and t.type = '') y),
  named_range as materialized (
    select k.entry_id, k.name_folded, k.category, k.type, k.pricing from market_listing k
    where k.is_listed and k.name_folded >= $typed::text collate "C"
      and k.name_folded < ($typed::text || U&'\\+10FFFF') collate "C"
    order by k.name_folded, k.entry_id limit ${maxNamed}),
  named as materialized (
    select k.entry_id, ${nameTier} as tier, 1::real as rank
    from named_range k
    where $typed <> '' and ($category is null or k.category = $category) and ($type is null or k.type = $type)
      and ($pricing is null or k.pricing = $pricing)
    limit ${maxRanked}),
  newer as materialized (
    select f.* from (select * from query q cross join segment s order by q.tier, s.n desc) q
    cross join lateral (
      select ${row} from market_listing k where ${matches(`(q.wanted && ('''@s' || q.n || '''')::tsquery)`)}
      order by k.approved_at desc, k.entry_id desc limit ${maxRanked}) f
    limit ${maxRanked}),
  older as materialized (
    select f.* from query q cross join lateral (
      select ${row} from market_listing k where ${matches('q.wanted')} limit ${maxOlder}) f
    where (select count(*) from newer) < ${maxRanked} or (q.tier = ${tiers.allWords} and $wider::text is not null)),
  early as materialized (${sort === 'RECENT' ? 'select * from newer limit 0' : early}),
  candidate as (
    select y.entry_id, min(y.tier) as tier, max(y.rank) as rank from (
      select * from named union all select * from newer union all select * from older
      union all select * from early) y
    group by 1),
  found as materialized (
    select x.entry_id, row_number() over (order by ${tier}${first}${sortBy(sort, 'k')}) as place
    from candidate x join market_listing k on k.entry_id = x.entry_id
    where k.is_listed and (not $featured::boolean or ${isFeatured})
    order by place limit ${maxRanked})`
}

/** SQL for the table `query`; `wanted` adds the filter marks. */
const query = `${searchQuerySql('$words')},
  query as materialized (
    select a.tier, a.query, coalesce(a.query && nullif(concat_ws(' & ', '''@p' || $pricing::text || '''',
      '''@c' || $category::text || '''', '''@t' || $type::text || ''''), '')::tsquery, a.query) as wanted
    from (select * from search_query union all select ${tiers.similarWords}, $wider::text::tsquery where $wider::text is not null) a
    where a.query is not null)`

const listedFilter = `k.is_listed and (not $featured::boolean or ${isFeatured})`
/** SQL for all matches by name and by words, up to one more than the bound. */
function allSources(isRanked: boolean, length = beyond): string {
  const row = `k.entry_id, q.tier, ${isRanked ? 'ts_rank(k.terms, q.query)' : '0::real'} as rank`
  return `
  all_named as materialized (
    select k.entry_id, ${nameTier} as tier, 1::real as rank
    from market_listing k
    where $typed <> '' and ${listedFilter} and k.name_folded >= $typed::text collate "C"
      and k.name_folded < ($typed::text || U&'\\+10FFFF') collate "C"
      and ($category is null or k.category = $category) and ($type is null or k.type = $type)
        and ($pricing is null or k.pricing = $pricing)
    limit ${length}),
  all_matching as materialized (
    select f.* from (select * from query order by tier) q cross join lateral (
      select ${row} from market_listing k where ${listedFilter} and k.terms @@ q.wanted limit ${length}) f
    limit ${length})`
}

const generation = `(select coalesce(sum(t.n), 0)::integer from market_listing_count t where t.category = '')`

/** The bounded count of matches, and the generation of the catalogue. */
const countText = `
  with ${query},
  ${allSources(false, maxCounted)}
  select ${generation} as generation, count(*)::integer as count,
    $organization as asker, $personId as person_id, $limit::integer as most, $offset::integer as passed
  from (select entry_id from all_named union select entry_id from all_matching) x`

/**
 * A later page, or a page in an order without a shortcut: gathers all matches up to the bound. By relevance, the first matches
 * keep their places and the others follow. In other orders, if there are more matches than the bound, the head of the
 * catalogue in that order is read as well, so that the page is right.
 */
function wholeText(sort: EntrySort, hasCategory: boolean, hasType: boolean): string {
  const isRanked = sort === 'RELEVANCE'
  const filter = { category: hasCategory ? '$category' : undefined, type: hasType ? '$type' : undefined }
  const isMore = `(select count(*) from all_matching) > ${bound}`
  const matching = `${listedFilter} and k.terms @@ any(array(select q.wanted from query q)) and ${isMore}`
  const head = `
  head as materialized (
    select x.entry_id, ${tiers.allWords} as tier, 0::real as rank from (
      ${bucketArms(sort, filter, '$limit::integer + $offset::integer', matching)}) x),`
  const first = sort === 'FEATURED' ? `coalesce(${isFeatured}, false) desc, ` : ''
  const order = isRanked
    ? `coalesce(b.place, ${beyond}), x.tier, x.rank desc, ${sortBy(sort, 'k')}`
    : `${first}${sortBy(sort, 'k')}`
  return `
  with ${isRanked ? firstMatchesSql(sort, hasCategory, hasType) : query},
  ${allSources(isRanked)},
  ${isRanked ? '' : head}
  gathered as (
    select y.entry_id, min(y.tier) as tier, max(y.rank) as rank from (
      select * from all_named union all select *
      from all_matching ${isRanked ? '' : 'union all select * from head'}) y
    group by 1),
  whole as materialized (
    select x.entry_id, row_number() over (order by ${order}) as place
    from gathered x join market_listing k on k.entry_id = x.entry_id
    ${isRanked ? 'left join found b on b.entry_id = x.entry_id' : ''}
    where ${listedFilter}),
  page as materialized (select * from whole order by place limit $limit::integer offset $offset::integer)
  select t.n as total, s.* from (select count(*)::integer as n from whole) t
  left join (${entryItemsSql('page')}) s on true order by s.place`
}

const sorts = Object.keys(keysOf) as EntrySort[]
/** `is_cut`: there may be more matches than `total`. `is_newest`: the newest matches are among them. */
type FirstRow = EntryPageRow & { is_cut: boolean; is_newest: boolean; generation: number }
const firsts = new Map<string, Statement<FirstRow, EntrySearchArgs>>()
const wholes = new Map<string, Statement<EntryPageRow, EntrySearchArgs>>()
for (const sort of sorts) {
  for (const hasCategory of [false, true]) {
    for (const hasType of [false, true]) {
      const key = `${sort} ${hasCategory} ${hasType}`
      firsts.set(key, sql<FirstRow, EntrySearchArgs>(firstText(sort, hasCategory, hasType)))
      wholes.set(key, sql<EntryPageRow, EntrySearchArgs>(wholeText(sort, hasCategory, hasType)))
    }
  }
}
const count = sql<CachedCount, EntrySearchArgs>(countText)

function shapeOf(sort: EntrySort, { category, type }: EntrySearchArgs): string {
  return `${sort} ${category !== null} ${type !== null}`
}

/** A page of the first matches. */
export function findFirst(db: Db, sort: EntrySort, args: EntrySearchArgs): Promise<FirstRow[]> {
  return db.rows(lookUp(firsts, shapeOf(sort, args)), args)
}

/** A page of all matches. `total` is above the bound if there are more. */
export function findAll(db: Db, sort: EntrySort, args: EntrySearchArgs): Promise<EntryPageRow[]> {
  return db.rows(lookUp(wholes, shapeOf(sort, args)), args)
}

/** Counts the matches, with the generation of the catalogue. */
export function countMatches(db: Db, args: EntrySearchArgs): Promise<CachedCount> {
  return db.one(count, args)
}

const selectLike = sql<{ at: number; word: string; stem: string }, { words: readonly string[] }>(`
  select w.at::integer, y.word, ${stemOf('y.word')} as stem
  from unnest($words::text[]) with ordinality w (word, at) cross join lateral (
    select k.word from market_word k where $organization <> '' and k.word % w.word
    order by similarity(k.word, w.word) desc, k.word limit 20) y`)

/** Similar words of the catalogue, each with the position (from 1) of the searched word. */
export function likeWords(
  db: Db,
  words: readonly string[],
): Promise<{ at: number; word: string; stem: string }[]> {
  return db.rows(selectLike, { words })
}
