import { limits } from '#contract/limits.ts'
import type { AssetOrder } from '#contract/studio/assets.ts'
import type { CachedCount } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/db.ts'
import { type AnyStatement, plannedOnce, type Statement } from '#platform/data/statement.ts'
import { isStopWord, stemOf } from '#platform/search-words.ts'
import {
  accessLevelBy,
  activeShareWithCaller,
  callerJoinedAt,
  callerUnits,
  isReadableWithoutShare,
  isSharedWithCaller,
  type Reader,
} from '../../asset.access.ts'
import { additions, searchChanges, shareChanges } from '../counters/asset-counters.sql.ts'
import { segmentLength } from '../indexing/asset-index.terms.ts'
import { type PageRow, shown } from '../listing/asset-list.sql.ts'
import {
  columnsOf,
  type ListFilters,
  matchesFilters,
  type Order,
  orders,
  sortBy,
} from '../listing/list-fragments.ts'

/** How many assets each source of a search may add to the ranking. */
const most = limits.searchRanked
/** A search neither counts nor lists more than this. It looks for one more, to know whether there are more. */
const bound = limits.searchTotal
const beyond = bound + 1
/** Counts go this far, so that a cached count stays above the bound through some changes. */
const mostCounted = bound + 2_000
/** How many names that begin with the typed text are considered for the ranking. */
const mostNamed = 1_000
/** How many of the most used assets are considered when a word is common. */
const mostPopular = 60
/** A search for a common word reads this many of the newest segments of the catalogue. */
const newest = 4

/** How many words of the catalogue a typed prefix may stand for. */
const mostForms = 10

// the index does not stem words with digits
const stem = (word: string) => `case when ${word} !~ '[[:digit:]]' then ${stemOf(word)} else ${word} end`
// without accents the stemmer mistakes some nouns for verbs; their plural has the noun itself as its stem
const mayBeStem = (word: string) => `${word} ~ '[^aeious]$'`

/**
 * The terms of the query: for each word its forms, as the text of a tsquery. The forms are its stem and, for
 * the last word, also the words of the catalogue that begin with it. A stop word takes the forms of the first
 * word that is none. The second row is the wider query, for misspelt words. `plain` requires all words in any
 * place, `words` any of them, for the ranking.
 */
const queryTerms = `
  word as materialized (
    select w.at, w.word, ${isStopWord('w.word')} as is_stop, '(' || (
      select string_agg(distinct '''~' || f.form || '''', ' | ') from (
        select ${stem('w.word')} as form
        union all select w.word where ${mayBeStem('w.word')}
        union all (
          select ${stem('y.word')} from asset_word y
          where y.organization_id = $organization and w.at = cardinality($words::text[]) and length(w.word) > 1
            and y.word > w.word and y.word < w.word || U&'\\+10FFFF'
          order by y.word limit ${mostForms})) f) || ')' as forms
    from unnest($words::text[]) with ordinality w (word, at)),
  asked as materialized (
    select q.tier, q.parts, replace(array_to_string(q.parts, ' & '), '~', '')::tsquery as plain,
      (replace(array_to_string(q.parts, ' | '), '~', '') || ' | ''' || array_to_string($words, ''' | ''') || '''')::tsquery as words
    from (
      select 2 as tier, array_agg(case when w.is_stop then coalesce(f.forms, w.forms) else w.forms end
        order by w.at) as parts
      from word w left join (select forms from word where not is_stop order by at limit 1) f on true
      union all select 3, $wider::text[]) q
    where cardinality(q.parts) > 0)`

/**
 * True when the row `s` has every word of the query `q` in a partition, and one of the marks, which are the
 * text of a tsquery; see indexing/asset-index.terms.ts. Each word is a condition of its own, so that the
 * index intersects its lists of assets.
 */
function matches(words: number, isMarked: boolean, partition: string, marks?: string): string {
  const inPartition = (query: string) =>
    `s.terms @@ replace(${query}, '~', right($organization, 8) || ${partition} || '.')::tsquery`
  const parts = Array.from({ length: words }, (_, at) => inPartition(`q.parts[${at + 1}]`))
  if (marks) parts.push(inPartition(marks))
  if (isMarked) parts.push(inPartition('$marks'))
  return `s.organization_id = $organization and ${parts.join(' and ')}`
}

/** How many marks one look into the index combines. */
const marksAtOnce = 16
/**
 * Marks of assets that only some may read, as the text of a tsquery: `personal_mark` has those that the caller reads without a
 * share, their own assets first, then those of departments and colleagues; `share_mark` has those that are shared with the caller.
 */
const closedMarks = `
  personal_mark as materialized (
    select '''~@a' || right($personId, 8) || '''' as marks
    union all select string_agg('''~@' || z.mark || '''', ' | ') from (
      select y.mark, (row_number() over () - 1) / ${marksAtOnce} as part from (
        select 'd' || right(id, 8) as mark from my_department_set
        union all select 'w' || right(person_id, 8) from colleague where person_id <> $personId) y) z
    group by z.part),
  share_mark as materialized (
    select string_agg('''~@g' || right(u.id, 8) || '''', ' | ') as marks
    from unnest($departmentIds::text[] || $groupIds::text[] || $personId::text) u (id)
    where exists (select from asset_share g where g.organization_id = $organization and g.grantee_id = u.id))`

/** The source of the matches that have one of the marks in `mark`, at most `length`. Administrators read them from the open partitions. */
function closedSource(
  name: string,
  mark: 'personal_mark' | 'share_mark',
  row: string,
  matching: Found['matching'],
  length: number,
): string {
  return `
  ${name} as materialized (
    select f.* from (
      select a.*, m.marks from asked a cross join ${mark} m
      where m.marks is not null and not $isAdministrator::boolean order by a.tier) q
    cross join lateral (
      select ${row} from asset_search s where ${matching('$closedPartition', 'q.marks')} limit ${length}) f
    limit ${length})`
}

/**
 * The sources of candidates. Each returns a bounded number, so that a search for a common word ends early:
 *
 *  named     names that begin with the typed text
 *  newest    assets that everybody may read (for administrators all), from the newest segments
 *  older     the same from all segments, when the newest returned too few; in a search that also finds similar words, the few
 *            assets that have the words themselves, however many newer ones have similar words
 *  popular   when they returned enough: the most used assets whose name, tags or description match
 *  personal  assets of the caller, of their departments and of their workspaces
 *  shared    assets that are shared with the caller, in person or through a unit
 */
function sources(words: number, isMarked: boolean): string {
  const row = 's.asset_id, q.tier, ts_rank(s.head, q.words) as rank'
  const matching: Found['matching'] = (partition, marks) => matches(words, isMarked, partition, marks)
  return `${changes},
  named_range as materialized (${namesFromTyped(mostNamed)}),
  named as materialized (
    select k.id as asset_id, ${nameTier} as tier, 1::real as rank
    from named_range k
    where k.status = any($statuses::text[]) and k.type = any($types::text[])
      and k.visibility = any($open::text[] || $closed::text[])
      and (${isReadableWithoutShare('k')} or ${isSharedWithCaller('k.id')})
    limit ${most}),
  newest_found as materialized (
    select f.* from (
      select a.*, n.segment, p.partition_key from asked a
      cross join unnest($openPartitions::text[]) p (partition_key) cross join (
        select generate_series(y.last, greatest(y.last - ${newest - 1}, 0), -1) as segment
        from (select additions / ${segmentLength} as last from changes) y) n
      order by a.tier, n.segment desc, p.partition_key) q
    cross join lateral (
      select ${row} from asset_search s
      where ${matching('q.partition_key', "('''~@s' || q.segment || '''')")}
      limit ${most}) f
    limit ${most}),
  older_found as materialized (
    select f.* from asked q cross join unnest($openPartitions::text[]) p (partition_key) cross join lateral (
      select ${row} from asset_search s where ${matching('p.partition_key')} limit ${most}) f
    where not ${isFull('newest_found')} or (q.tier = 2 and cardinality($wider::text[]) > 0)),
  popular_found as materialized (
    select f.asset_id, q.tier, ts_rank(f.head, q.words) as rank from (
      select k.asset_id from asset_counter k where k.organization_id = $organization and k.listed
      order by ${sortBy(orders.popular, 'k')} limit ${mostPopular}) b
    cross join lateral (
      select s.asset_id, s.head from asset_search s
      where s.organization_id = $organization and s.asset_id = b.asset_id offset 0) f
    join asked q on f.head @@ q.plain
    where ${isFull('newest_found')}),
  ${closedSource('personal_found', 'personal_mark', row, matching, most)},
  ${closedSource('shared_found', 'share_mark', row, matching, most)}`
}

/** Assets whose names begin with the typed text. */
function namesFromTyped(length: number, and = ''): string {
  return `select n.id, n.name_folded, n.status, n.type, n.visibility, n.department_set, n.author_id from asset n
    where n.organization_id = $organization and n.listed and n.name_folded >= $typed
      and n.name_folded < $typed || U&'\\+10FFFF'${and}
    order by n.name_folded limit ${length}`
}
const nameTier = 'case when k.name_folded = $typed then 0 else 1 end'

/** True when a source has as many rows as its bound lets it return. Less work than a count, which PostgreSQL prepares with more effort. */
const isFull = (source: string, bound: number = most) => `exists (select from ${source} offset ${bound - 1})`
/** True when a source reached its bound, so that there can be more matches than were ranked. */
const isCut = [
  isFull('named_range', mostNamed),
  ...['best', 'named', 'newest_found', 'older_found', 'personal_found', 'shared_found'].map(source =>
    isFull(source),
  ),
].join(' or ')

/** The conditions that every match satisfies. */
type Found = {
  words: number
  isMarked: boolean
  /** True when a collection, an entity or a tag may be set. */
  isWithin: boolean
  /** True when the row `s` matches in a partition, and has the collection, entity and tag that are set. */
  matching: (partition: string, marks?: string) => string
  /** The asset `n`, which has the name, is what is wanted besides. */
  named: string
}

function foundBy(words: number, isMarked: boolean, isWithin = false): Found {
  return {
    words,
    isMarked,
    isWithin,
    matching: (partition, marks) =>
      `${matches(words, isMarked, partition, marks)}${isWithin ? ` and ${within('s.asset_id')}` : ''}`,
    named: ` and n.status = any($statuses::text[]) and n.type = any($types::text[])
      and n.visibility = any($open::text[] || $closed::text[]) and ($authorId::text is null or n.author_id = $authorId)
      ${isWithin ? `and ${within('n.id')}` : ''}`,
  }
}

/**
 * True when the asset is in the collection, linked to the entity of the type and id, and has the tag, as far as these are
 * set.
 */
const within = (id: string) => `($collectionId::text is null or exists (select from collection_asset f
    where f.organization_id = $organization and f.asset_id = ${id} and f.collection_id = $collectionId))
  and (coalesce($entityType::text, $entityId::text) is null or exists (select from asset_link l
    where l.organization_id = $organization and l.asset_id = ${id}
      and l.entity_type = coalesce($entityType, l.entity_type)
      and l.entity_id = coalesce($entityId, l.entity_id)))
  and ($tag::text is null or exists (select from asset_tag g
    where g.organization_id = $organization and g.tag = $tag and g.asset_id = ${id}))`

/**
 * All matches, up to one more than the bound from each source: `all_open` from assets that everybody may
 * read, the others from the rest, whose rows are checked afterwards.
 */
function allSources({ matching, named }: Found, isRanked: boolean): string {
  const row = `s.asset_id, q.tier, ${isRanked ? 'ts_rank(s.head, q.words)' : '0::real'} as rank`
  return `
  all_named as materialized (
    select k.id as asset_id, ${nameTier} as tier, 1::real as rank from (${namesFromTyped(beyond, named)}) k),
  all_open as materialized (
    select f.* from (
      select a.*, p.partition_key from asked a cross join unnest($openPartitions::text[]) p (partition_key)
      order by a.tier) q
    cross join lateral (
      select ${row} from asset_search s where ${matching('q.partition_key')} limit ${beyond}) f
    limit ${beyond}),
  ${closedSource('all_personal', 'personal_mark', row, matching, beyond)},
  ${closedSource('all_shared', 'share_mark', row, matching, beyond)}`
}
const bySlug = `select g.asset_id, 0 as tier, 1::real as rank from asset_slug g
  where g.organization_id = $organization and g.slug = $slug and g.is_current`

/** How often the catalogue and its shares changed: the assets that were ever added, and the generations (see asset-counters.sql.ts). */
const changes = `
  changes as materialized (
    select coalesce(sum(n) filter (where y.visibility = '${additions}'), 0)::integer as additions,
      coalesce(sum(n) filter (where y.visibility <> '${shareChanges}'), 0)::integer as generation,
      coalesce(sum(n), 0)::integer as closed_generation
    from asset_bucket_count y, unnest(y.counts) n
    where y.organization_id = $organization and y.author_id = ''
      and y.visibility in ('${additions}', '${searchChanges}', '${shareChanges}'))`
const generation = '(select generation from changes)'
/** The generation of assets that only some may read: it counts changes of shares as well. */
const closedGeneration = '(select closed_generation from changes)'
/** A digest of the department sets, colleagues and membership that decide which assets the caller may read. */
const reachDigest = `(select md5(concat_ws(',', ${callerJoinedAt}, string_agg(z.id, ',' order by z.id)))
  from (select id from my_department_set union all select person_id from colleague) z)`
/** When the first share of the caller expires, in milliseconds. */
const firstEnd = `(select (extract(epoch from min(s.expires_at)) * 1000)::float8 from asset_share s
  where s.organization_id = $organization and ${activeShareWithCaller} and s.expires_at is not null)`

/**
 * The number of matches that everybody may read (for administrators all), up to the counting bound, and the
 * generation that was counted. Partitions and marks repeat columns of the assets.
 */
function countOpenText(words: number, isMarked: boolean): string {
  return `
  with ${changes},
  ${queryTerms},
  open_match as materialized (
    select f.asset_id from asked q cross join unnest($openPartitions::text[]) p (partition_key) cross join lateral (
      select s.asset_id from asset_search s where ${matches(words, isMarked, 'p.partition_key')}
      limit ${mostCounted}) f
    limit ${mostCounted})
  select ${generation} as generation, (case when cardinality($wider::text[]) = 0
    then (select count(*) from open_match) else (select count(distinct asset_id)
      from open_match) end)::integer as count`
}

/**
 * The number of other matches that the caller may read, exact up to the bound. Matches by a mark of the
 * caller, their departments or their colleagues need no look at the asset's row. Matches by a share do,
 * because it may have expired, and so do matches by name, because marks do not filter these.
 */
function countClosedText(found: Found): string {
  return `
  with ${callerUnits},
  ${changes},
  ${queryTerms},
  ${closedMarks},
  ${allSources(found, false)},
  by_name as (
    select y.asset_id from (select asset_id from all_named union select asset_id from (${bySlug}) b) y
    where not exists (
      select from asked q cross join unnest($openPartitions::text[]) p (partition_key)
      join asset_search s on s.organization_id = $organization and s.asset_id = y.asset_id
        and ${found.matching('p.partition_key')})),
  personal as materialized (select distinct asset_id from all_personal),
  checked as (
    select k.id from (
      select asset_id from by_name union select asset_id from all_shared except select asset_id from personal) x
    join asset k on k.id = x.asset_id
    where ${matchesFilters} and (${isReadableWithoutShare('k')} or ${isSharedWithCaller('k.id')})
      and ($authorId::text is null or k.author_id = $authorId)
    limit ${beyond})
  select ${closedGeneration} as generation, p.n + c.n as count, ${firstEnd} as until
  from (select count(*)::integer as n from personal) p, (select count(*)::integer as n from checked) c`
}

/**
 * One page of a search: the candidates that the caller may read, in tiers (the exact name, names that begin
 * with the text, all words, all words or similar ones), then by where the words occur, then by popularity; or
 * in another order.
 */
function bestText(words: number, isMarked: boolean): string {
  return `
  with ${callerUnits},
  ${queryTerms},
  ${closedMarks},
  ${sources(words, isMarked)},
  ${best(false)},
  page as (select * from best order by page_position limit $limit::integer offset $offset::integer)
  select t.total, t.like_words, t.is_cut, t.generation, t.closed_generation, t.reach, t.at, i.*
  from (select count(*) as total, ${likeWords} as like_words, ${isCut} as is_cut, ${generation} as generation,
    ${closedGeneration} as closed_generation, ${reachDigest} as reach,
    (extract(epoch from now()) * 1000)::float8 as at from best) t
  left join (${shown('page', access, 'x')}) i on true
  order by i.page_position`
}

/** With fewer results than this, a word may be misspelt. */
export const fewResults = 20
/** How many words of the catalogue are compared with each word of a search. */
const mostLike = 40
/**
 * Words of the catalogue that share trigrams with the words of a search, if it has few results. A word of n letters has n + 1 trigrams, or
 * fewer when one repeats. That is near enough for the choice, and needs nothing but the primary key.
 */
const likeWords = `case when count(*) < ${fewResults} then (
  select jsonb_agg(jsonb_build_object('at', w.at, 'word', y.word, 'stem', ${stem('y.word')}))
  from (select distinct at from unnest($partAt::integer[]) w (at)) w
  cross join lateral (
    select p.word from unnest($partAt::integer[], $parts::text[]) o (at, part)
      join asset_word_part p on p.organization_id = $organization and p.part = o.part
    where o.at = w.at group by p.word
    order by count(*)::real / (length(p.word) + 1 + count(*)) desc, p.word limit ${mostLike}) y) end`

const relevance = orders.popular
const access = accessLevelBy(isReadableWithoutShare('a'), 'asset_share')
const mayBeFound = (id: string, isWithin: boolean) =>
  `${matchesFilters} and (${isReadableWithoutShare('k')} or ${isSharedWithCaller(`k.${id}`)})
  and ($authorId::text is null or k.author_id = $authorId) ${isWithin ? `and ${within(`k.${id}`)}` : ''}`

/** The best candidates, numbered from 1. */
const best = (isWithin: boolean) => `
  candidate as materialized (
    select y.asset_id, min(y.tier) as tier, max(y.rank) as rank from (
      select * from named
      ${['newest_found', 'older_found', 'popular_found', 'personal_found', 'shared_found'].map(source => `union all select * from ${source}`).join(' ')}
      union all ${bySlug}) y
    group by 1),
  readable_candidate as materialized (
    select ${columnsOf(relevance)}, k.thumbs_up, k.thumbs_down from ${relevance.from}
    where k.asset_id = any(array(select asset_id from candidate)) and ${mayBeFound(relevance.id, isWithin)}),
  best as materialized (
    select y.*, row_number() over (order by y.tier, y.rank desc, ${sortBy(relevance, 'y')}) as page_position from (
      select x.tier, x.rank, k.* from candidate x join readable_candidate k on k.asset_id = x.asset_id
      order by x.tier, x.rank desc, ${sortBy(relevance, 'k')} limit ${most}) y)`

/**
 * A page further behind, or in another order than relevance: all matches are gathered, up to the bound. By
 * relevance, the best keep their positions from the first pages, and the others follow. In another order,
 * when there are more matches than the bound, the first rows of each open bucket are read in that order as
 * well, so that the page is exact.
 */
function wholeText(order: Order | undefined, found: Found): string {
  const sorted = order ?? relevance
  const byOrder = sortBy(sorted, 'x')
  const all = [
    'all_named',
    'all_open',
    'all_personal',
    'all_shared',
    ...(order ? ['ordered_open', 'rest_open'] : []),
  ]
  const positions = order ? byOrder : `x.best_position, x.tier, x.rank desc, ${byOrder}`
  return `
  with ${callerUnits},
  ${queryTerms},
  ${closedMarks},
  ${order ? '' : `${sources(found.words, found.isMarked)}, ${best(found.isWithin)},`}
  ${allSources(found, order === undefined)},
  ${order ? `${orderedOpen(order, found)},` : ''}
  gathered as (
    select y.asset_id, min(y.tier) as tier, max(y.rank) as rank from (
      ${all.map(source => `select * from ${source}`).join(' union all ')} union all ${bySlug}) y
    group by 1),
  found as materialized (
    select ${columnsOf(sorted)}, g.tier, g.rank, ${order ? '0' : `coalesce(b.page_position, ${beyond})`} as best_position
    from gathered g join ${sorted.from} on k.${sorted.id} = g.asset_id
    ${order ? '' : 'left join best b on b.asset_id = g.asset_id'}
    where ${mayBeFound(sorted.id, found.isWithin)}),
  page as materialized (
    select x.asset_id, row_number() over (order by ${positions}) as page_position from found x
    order by page_position limit $limit::integer offset $offset::integer)
  select t.total, t.like_words, i.*
  from (select count(*) as total, ${likeWords} as like_words from found) t left join (${shown('page', access)}) i on true
  order by i.page_position`
}

/**
 * A page that ends before this row is read from the first rows of the buckets; behind it, sorting all matches
 * is less work.
 */
const nearHead = 1_000

/** When there are more matches than were gathered: the first open ones in an order. */
function orderedOpen(order: Order, found: Found): string {
  return `
  ordered_open as materialized (
    select f.asset_id, f.tier, f.rank from asked q
    cross join unnest($statuses::text[], $types::text[]) c (status, type)
    cross join unnest($open::text[]) v (visibility)
    cross join lateral (
      select b.asset_id, q.tier, 0::real as rank from (
        select ${columnsOf(order)} from ${order.from}
        where k.organization_id = $organization and k.listed and k.visibility = v.visibility and k.status = c.status
          and k.type = c.type and $limit::integer + $offset::integer <= ${nearHead}
          and (select count(*) from all_open) > ${bound}) b
      cross join lateral (
        select from asset_search s where ${found.matching('s.partition_key')}
          and s.asset_id = b.asset_id offset 0) m
      order by ${sortBy(order, 'b')} limit (select $limit::integer + $offset::integer)) f),
  rest_open as materialized (
    select f.* from asked q cross join unnest($openPartitions::text[]) p (partition_key) cross join lateral (
      select s.asset_id, q.tier, 0::real as rank from asset_search s where ${found.matching('p.partition_key')}) f
    where $limit::integer + $offset::integer > ${nearHead} and (select count(*) from all_open) > ${bound})`
}

/** The words of a search, as the index has them. */
type OpenArgs = {
  words: readonly string[]
  /** For each word the forms of similar words, as the text of a tsquery; empty: only the words themselves match. */
  wider: readonly string[]
  openPartitions: readonly string[]
  marks: string
}
type ClosedArgs = Reader &
  ListFilters &
  OpenArgs & {
    /** The typed text, folded. */
    typed: string
    /** The same as a slug. */
    slug: string
    closedPartition: string
    authorId: string | null
  }
export type SearchArgs = ClosedArgs & {
  limit: number
  offset: number
  collectionId: string | null
  entityType: string | null
  entityId: string | null
  tag: string | null
  /** The trigrams of the words that may be misspelt, and the index of the word of each. */
  parts: readonly string[]
  partAt: readonly number[]
}
/** A word of the catalogue; `at` is the index of the word of the search that it is like. */
export type LikeWord = { at: number; word: string; stem: string }
/** `like_words` is null unless the search has few results, or if the catalogue has no such words. */
export type FoundRow = PageRow & { like_words: LikeWord[] | null }
/** Also the values under which counts are cached (see search.ts). */
export type BestRow = FoundRow & {
  is_cut: boolean
  generation: number
  closed_generation: number
  reach: string
  at: number
}
const statements = new Map<string, AnyStatement>()

/** The statement for a number of words, with or without marks; built once. */
function statementOf<Row, Args extends OpenArgs>(
  kind: string,
  { words, marks }: Args,
  textOf: (words: number, isMarked: boolean) => string,
): Statement<Row, Args> {
  const isMarked = marks !== ''
  const key = `${kind} ${words.length} ${isMarked}`
  const known = statements.get(key)
  if (known) return known
  const made = plannedOnce<Row, Args>(textOf(words.length, isMarked))
  statements.set(key, made)
  return made
}

/** A page of the best matches. When `is_cut`, there can be more than `total`, which are listed behind them. */
export function findBest(db: Db, args: SearchArgs): Promise<BestRow[]> {
  return db.rows(statementOf<BestRow, SearchArgs>('best', args, bestText), args)
}

/** A page of everything that matches, in an order or, without one, by relevance. `total` is one too many beyond the bound. */
export function findAll(db: Db, orderBy: AssetOrder | undefined, args: SearchArgs): Promise<FoundRow[]> {
  const { collectionId, entityType, entityId, tag } = args
  const isWithin = [collectionId, entityType, entityId, tag].some(value => value !== null)
  const order = orderBy && orders[orderBy]
  const statement = statementOf<FoundRow, SearchArgs>(`all ${orderBy} ${isWithin}`, args, (words, isMarked) =>
    wholeText(order, foundBy(words, isMarked, isWithin)),
  )
  return db.rows(statement, args)
}

/** The number of matches that everybody may read, with the generation of the catalogue. */
export function countOpen(db: Db, args: OpenArgs): Promise<CachedCount> {
  return db.one(statementOf<CachedCount, OpenArgs>('open', args, countOpenText), args)
}

/**
 * The number of matches that only some may read, with the generation of catalogue and shares, and the time
 * until which it holds.
 */
export function countClosed(db: Db, args: ClosedArgs): Promise<CachedCount> {
  const statement = statementOf<CachedCount, ClosedArgs>('closed', args, (words, isMarked) =>
    countClosedText(foundBy(words, isMarked)),
  )
  return db.one(statement, args)
}
