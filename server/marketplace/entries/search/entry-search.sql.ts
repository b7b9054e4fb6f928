import { limits } from '#contract/limits.ts'
import type { EntrySort } from '#contract/marketplace/entries.ts'
import type { CachedCount } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/database.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { segmentLength } from '../catalogue/catalogue.terms.ts'
import { type EntryPageRow, entryItemsSql } from '../listing/entry-list.sql.ts'
import { bucketArms, isFeatured, keysOf, sortBy } from '../listing/sort-orders.ts'
import { searchQuerySql } from './search-words.ts'

/** How many entries a search puts in order at once. */
const maxRanked = limits.searchRanked
/** Beyond this many, a search neither counts nor lists. One more is looked for, to know that there are more. */
const bound = limits.searchTotal
const beyond = bound + 1
/** So many are counted, so that a number that was counted stays beyond the bound through some changes. */
const maxCounted = bound + 2_000
/** The newest stretches of the catalogue, in which a search for a common word ends. */
const newestSegments = 16
/** So many are looked at whose name begins with what was typed. */
const maxNamed = 40
/** Of what is older so many matches are looked at. */
const maxOlder = 200
/** Of a common word, so many of the first in the order are looked at. */
const maxFirst = 300

export type EntrySearchArgs = [
  personId: string,
  limit: number,
  offset: number,
  category: string | null,
  type: string | null,
  pricing: string | null,
  featured: boolean,
  words: readonly string[],
  wider: string | null,
  typed: string,
]

/**
 * One page of a search. The candidates come from
 *
 *  named   entries whose name begins with what was typed
 *  newer   what matches in the newest stretches, the newest first
 *  older   the same from everywhere, when the newest stretches did not give enough
 *  first   when they did, what matches among the first in the order
 *
 * so that the work depends on how many are ranked and not on how many match. They are ranked in tiers (the name itself,
 * its beginning, every word, every word or one like it), then by where the words stand; or stand in another order.
 * $5 category, $6 type, $7 pricing or null, $8 only featured, $9 the words, $10 the wider query or null, $11 what was
 * typed, folded
 */
function firstText(sort: EntrySort, hasCategory: boolean, hasType: boolean): string {
  return `
  with ${firstMatchesSql(sort, hasCategory, hasType)},
  page as (select * from found order by place limit $3::integer offset $4::integer)
  select t.n as total, t.is_cut, t.is_newest, ${generation} as generation, s.* from (
    select count(found.entry_id)::integer as n, w.is_newest, count(found.entry_id) >= ${maxRanked} or w.is_newest
      or (select count(*) from older) >= ${maxOlder}
      or ($11 <> '' and (select count(*) from named_range) >= ${maxNamed}) as is_cut
    from (select count(*) >= ${maxRanked} as is_newest from newer) w left join found on true group by w.is_newest) t
  left join (${entryItemsSql('page')}) s on true order by s.place`
}

/** The first of what matches, in their places from 1 on, as the table `found`. */
function firstMatchesSql(sort: EntrySort, hasCategory: boolean, hasType: boolean): string {
  const filter = { category: hasCategory ? '$5' : undefined, type: hasType ? '$6' : undefined }
  const isRanked = sort === 'RELEVANCE'
  const row = `k.entry_id, q.tier, ${isRanked ? 'ts_rank(k.terms, q.query)' : '0::real'} as rank`
  const matches = (wanted: string) => `k.is_listed and k.terms @@ ${wanted}`
  const tier = isRanked ? 'x.tier, x.rank desc, ' : ''
  // the newest stretches begin with the first of that order already
  const ofShelves = bucketArms(sort, filter, String(maxFirst), `(select count(*) from newer) >= ${maxRanked}`)
  const early = `
    select ${row} from (
      select x.entry_id from (${ofShelves}) x order by ${sortBy(sort, 'x')} limit ${maxFirst}) e
    join market_listing k on k.entry_id = e.entry_id cross join query q
    where k.terms @@ q.wanted`
  const first = sort === 'FEATURED' ? `coalesce(${isFeatured}, false) desc, ` : ''
  return `${query},
  stretch as materialized (
    select generate_series(y.last, greatest(y.last - ${newestSegments - 1}, 0), -1) as n from (
      select coalesce(sum(t.n), 0)::integer / ${segmentLength} as last from market_listing_count t
      where t.category = '' and t.type = '') y),
  named_range as materialized (
    select k.entry_id, k.name_folded, k.category, k.type, k.pricing from market_listing k
    where k.is_listed and k.name_folded >= $11::text collate "C"
      and k.name_folded < ($11::text || U&'\\+10FFFF') collate "C"
    order by k.name_folded, k.entry_id limit ${maxNamed}),
  named as materialized (
    select k.entry_id, case when k.name_folded = $11 then 0 else 1 end as tier, 1::real as rank from named_range k
    where $11 <> '' and ($5 is null or k.category = $5) and ($6 is null or k.type = $6) and ($7 is null or k.pricing = $7)
    limit ${maxRanked}),
  newer as materialized (
    select f.* from (select * from query q cross join stretch s order by q.tier, s.n desc) q
    cross join lateral (
      select ${row} from market_listing k where ${matches(`(q.wanted && ('''@s' || q.n || '''')::tsquery)`)}
      order by k.approved_at desc, k.entry_id desc limit ${maxRanked}) f
    limit ${maxRanked}),
  older as materialized (
    select f.* from query q cross join lateral (
      select ${row} from market_listing k where ${matches('q.wanted')} limit ${maxOlder}) f
    where (select count(*) from newer) < ${maxRanked}),
  early as materialized (${sort === 'RECENT' ? 'select * from newer limit 0' : early}),
  candidate as (
    select y.entry_id, min(y.tier) as tier, max(y.rank) as rank from (
      select * from named union all select * from newer union all select * from older union all select * from early) y
    group by 1),
  found as materialized (
    select x.entry_id, row_number() over (order by ${tier}${first}${sortBy(sort, 'k')}) as place
    from candidate x join market_listing k on k.entry_id = x.entry_id
    where k.is_listed and (not $8::boolean or ${isFeatured})
    order by place limit ${maxRanked})`
}

/** What is looked for: `query`, with what it is narrowed to as `wanted`. */
const query = `${searchQuerySql('$9')},
  query as materialized (
    select a.tier, a.query, coalesce(a.query && nullif(concat_ws(' & ', '''@p' || $7::text || '''',
      '''@c' || $5::text || '''', '''@t' || $6::text || ''''), '')::tsquery, a.query) as wanted
    from (select * from asked union all select 3, $10::text::tsquery where $10::text is not null) a
    where a.query is not null)`

const listedFilter = `k.is_listed and (not $8::boolean or ${isFeatured})`
/** All that matches, up to one more than the bound: by its name, and by its words. */
function allSources(isRanked: boolean, length = beyond): string {
  const row = `k.entry_id, q.tier, ${isRanked ? 'ts_rank(k.terms, q.query)' : '0::real'} as rank`
  return `
  all_named as materialized (
    select k.entry_id, case when k.name_folded = $11 then 0 else 1 end as tier, 1::real as rank from market_listing k
    where $11 <> '' and ${listedFilter} and k.name_folded >= $11::text collate "C"
      and k.name_folded < ($11::text || U&'\\+10FFFF') collate "C"
      and ($5 is null or k.category = $5) and ($6 is null or k.type = $6) and ($7 is null or k.pricing = $7)
    limit ${length}),
  all_matching as materialized (
    select f.* from query q cross join lateral (
      select ${row} from market_listing k where ${listedFilter} and k.terms @@ q.wanted limit ${length}) f
    limit ${length})`
}

const generation = `(select coalesce(sum(t.n), 0)::integer from market_listing_count t where t.category = '')`

/** How many entries match, as far as they are counted, and the generation of what was counted. */
const countText = `
  with ${query},
  ${allSources(false, maxCounted)}
  select ${generation} as generation, count(*)::integer as count,
    $1 as asker, $2 as person_id, $3::integer as most, $4::integer as passed
  from (select entry_id from all_named union select entry_id from all_matching) x`

/**
 * A page further behind, or in an order for which the first pages look at everything too: all that matches is gathered,
 * up to the bound. By relevance the first keep their places and the others follow. In another order, when there is more
 * than the bound, the head of the catalogue is read in that order as well, so that the page is right.
 */
function wholeText(sort: EntrySort, hasCategory: boolean, hasType: boolean): string {
  const isRanked = sort === 'RELEVANCE'
  const filter = { category: hasCategory ? '$5' : undefined, type: hasType ? '$6' : undefined }
  const isMore = `(select count(*) from all_matching) > ${bound}`
  const matching = `${listedFilter} and k.terms @@ any(array(select q.wanted from query q)) and ${isMore}`
  const head = `
  head as materialized (
    select x.entry_id, 2 as tier, 0::real as rank from (
      ${bucketArms(sort, filter, '$3::integer + $4::integer', matching)}) x),`
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
      select * from all_named union all select * from all_matching ${isRanked ? '' : 'union all select * from head'}) y
    group by 1),
  whole as materialized (
    select x.entry_id, row_number() over (order by ${order}) as place
    from gathered x join market_listing k on k.entry_id = x.entry_id
    ${isRanked ? 'left join found b on b.entry_id = x.entry_id' : ''}
    where ${listedFilter}),
  page as materialized (select * from whole order by place limit $3::integer offset $4::integer)
  select t.n as total, s.* from (select count(*)::integer as n from whole) t
  left join (${entryItemsSql('page')}) s on true order by s.place`
}

const sorts = Object.keys(keysOf) as EntrySort[]
/** `is_cut`: there can be more than `total`, which are listed behind. `is_newest`: the newest of all are among them. */
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

function shapeOf(sort: EntrySort, [, , , category, type]: EntrySearchArgs): string {
  return `${sort} ${category !== null} ${type !== null}`
}

/** A page of the first matches. */
export function findFirst(db: Db, sort: EntrySort, ...args: EntrySearchArgs): Promise<FirstRow[]> {
  return db.rows(firsts.get(shapeOf(sort, args))!, ...args)
}

/** A page of everything that matches. `total` is more than the bound when there is more. */
export function findAll(db: Db, sort: EntrySort, ...args: EntrySearchArgs): Promise<EntryPageRow[]> {
  return db.rows(wholes.get(shapeOf(sort, args))!, ...args)
}

/** How many entries match, and in which generation of the catalogue. */
export async function countMatches(db: Db, ...args: EntrySearchArgs): Promise<CachedCount> {
  return (await db.first(count, ...args))!
}

const selectLike = sql<{ at: number; word: string; stem: string }, [words: readonly string[]]>(`
  select w.at::integer, y.word, coalesce((ts_lexize('spanish_stem', y.word))[1], y.word) as stem
  from unnest($2::text[]) with ordinality w (word, at) cross join lateral (
    select k.word from market_word k where $1 <> '' and k.word % w.word
    order by similarity(k.word, w.word) desc, k.word limit 20) y`)

/** Words of the catalogue that share parts with the words, with the number of the word they are like, from 1. */
export function likeWords(
  db: Db,
  words: readonly string[],
): Promise<{ at: number; word: string; stem: string }[]> {
  return db.rows(selectLike, words)
}
