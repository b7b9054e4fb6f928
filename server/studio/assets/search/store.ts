import { limits } from '#contract/limits.ts'
import type { AssetOrder } from '#contract/studio/assets.ts'
import type { Db } from '#platform/db/database.ts'
import { type Statement, sql } from '#platform/db/statement.ts'
import { isShared, type Reader } from '../access.ts'
import { stretchLength } from '../indexing/terms.ts'
import {
  cell,
  type Order,
  onOwnShelf,
  orders,
  reach,
  type Shelves,
  sortBy,
  wanted,
} from '../listing/shelves.ts'
import { type PageRow, shown } from '../listing/store.ts'
import { everPlaced } from '../tally/store.ts'

/** How many assets each source of a search may give to be ranked. */
const most = limits.searchResults
/** How many of the best-used assets of each shelf are looked at when a word is common. */
const mostPopular = 3
/** The newest stretches of the catalogue, in which a search for a common word ends. */
const newest = 4

/** How many words of the catalogue the beginning of a word may stand for. */
const mostForms = 10

// the index keeps words with digits as they are
const stem = (word: string) =>
  `case when ${word} !~ '[[:digit:]]' then coalesce((ts_lexize('spanish_stem', ${word}))[1], ${word}) else ${word} end`
// without accents the stemmer takes some nouns for verbs; their plural has the noun itself as its stem
const mayBeStem = (word: string) => `${word} ~ '[^aeious]$'`
const isStop = (word: string) =>
  `'{}' in (ts_lexize('spanish_stem', ${word}), ts_lexize('english_stem', ${word}))`

/**
 * What is looked for: for each word its forms, as the text of a tsquery. That is its stem, and for the last word
 * also the words of the catalogue that begin with it. A word without a meaning of its own stands for the first
 * that has one. The second row is the wider query, for misspelt words. `plain` asks for all words wherever they
 * stand, `words` for any of them, for the ranking.
 */
const asked = `
  word as materialized (
    select w.at, w.word, ${isStop('w.word')} as is_stop, '(' || (
      select string_agg(distinct '''~' || f.form || '''', ' | ') from (
        select ${stem('w.word')} as form
        union all select w.word where ${mayBeStem('w.word')}
        union all (
          select ${stem('y.word')} from asset_word y
          where y.organization_id = $1 and w.at = cardinality($16::text[]) and length(w.word) > 1
            and y.word > w.word and y.word < w.word || U&'\\+10FFFF'
          order by y.word limit ${mostForms})) f) || ')' as forms
    from unnest($16::text[]) with ordinality w (word, at)),
  asked as materialized (
    select q.tier, q.parts, replace(array_to_string(q.parts, ' & '), '~', '')::tsquery as plain,
      (replace(array_to_string(q.parts, ' | '), '~', '') || ' | ''' || array_to_string($16, ''' | ''') || '''')::tsquery as words
    from (
      select 2 as tier, array_agg(case when w.is_stop then coalesce(f.forms, w.forms) else w.forms end order by w.at) as parts
      from word w left join (select forms from word where not is_stop order by at limit 1) f on true
      union all select 3, $17::text[]) q
    where cardinality(q.parts) > 0)`

/**
 * The row `s` has every word of the query `q` in a place, and one of the marks, which are the text of a tsquery; see
 * indexing/terms.ts. Each word is a condition of its own: the index then leaps from one list of assets to the other.
 */
function matches(words: number, isMarked: boolean, place: string, marks?: string): string {
  const inPlace = (query: string) =>
    `s.terms @@ replace(${query}, '~', right($1, 8) || ${place} || '.')::tsquery`
  const parts = Array.from({ length: words }, (_, at) => inPlace(`q.parts[${at + 1}]`))
  if (marks) parts.push(inPlace(marks))
  if (isMarked) parts.push(inPlace('$20'))
  return `s.organization_id = $1 and ${parts.join(' and ')}`
}

const theMark = (mark: string) => `('''~@' || ${mark} || '''')`

/**
 * Where candidates come from. Each source gives only so many, so a search for what is everywhere ends early:
 *
 *  named     names that begin with what was typed
 *  newest    what everybody may read (for administrators everything), from the newest stretches
 *  older     the same from everywhere, when the newest did not give enough
 *  popular   when they did, the best-used assets whose name, tags or description match
 *  personal  what departments, workspaces and the caller's own hand give
 *  shared    what is shared with the caller, by whatever way
 */
function sources(words: number, isMarked: boolean): string {
  const row = 's.asset_id, q.tier, ts_rank(s.head, q.words) as rank'
  return `
  named as materialized (
    select k.id as asset_id, case when k.name_folded = $14 then 0 else 1 end as tier, 1::real as rank
    from (
      select * from asset n
      where n.organization_id = $1 and n.listed and n.name_folded >= $14 and n.name_folded < $14 || U&'\\+10FFFF'
      order by n.name_folded limit 1000) k
    where k.status = any($8::text[]) and k.type = any($9::text[]) and k.visibility = any($10::text[] || $11::text[])
      and (${onOwnShelf('k')} or ${isShared('k.id')})
    limit ${most}),
  newest_found as materialized (
    select f.* from (
      select a.*, n.stretch, p.place from asked a cross join unnest($18::text[]) p (place) cross join (
        select generate_series(y.last, greatest(y.last - ${newest - 1}, 0), -1) as stretch from (
          select coalesce(sum(n), 0)::integer / ${stretchLength} as last from asset_tally t, unnest(t.counts) n
          where t.organization_id = $1 and t.author_id = '' and t.visibility = '${everPlaced}') y) n
      order by a.tier, n.stretch desc, p.place) q
    cross join lateral (
      select ${row} from asset_search s where ${matches(words, isMarked, 'q.place', theMark("'s' || q.stretch"))}
      limit ${most}) f
    limit ${most}),
  older_found as materialized (
    select f.* from asked q cross join unnest($18::text[]) p (place) cross join lateral (
      select ${row} from asset_search s where ${matches(words, isMarked, 'p.place')} limit ${most}) f
    where (select count(*) from newest_found) < ${most}),
  popular_found as materialized (
    select f.* from asked q
    cross join unnest($8::text[], $9::text[]) c (status, type) cross join unnest($10::text[]) v (visibility)
    cross join lateral (
      select k.asset_id from asset_counter k
      where k.organization_id = $1 and k.listed and k.visibility = v.visibility and k.status = c.status
        and k.type = c.type
      order by ${sortBy(orders.popular, 'k')} limit ${mostPopular}) b
    cross join lateral (
      select ${row} from asset_search s
      where s.organization_id = $1 and s.asset_id = b.asset_id and s.head @@ q.plain offset 0) f
    where (select count(*) from newest_found) >= ${most}),
  personal_found as materialized (
    select f.* from asked q cross join (
      select 'a' || right($2, 8) as mark
      union all select 'd' || right(id, 8) from my_set
      union all select 'w' || right(person_id, 8) from colleague where person_id <> $2) m
    cross join lateral (
      select ${row} from asset_search s where ${matches(words, isMarked, '$19', theMark('m.mark'))} limit ${most}) f
    where not $3::boolean limit ${most}),
  share_mark as materialized (
    select string_agg('''~@g' || right(u.id, 8) || '''', ' | ') as marks
    from unnest($4::text[] || $6::text[] || $2::text) u (id)
    where exists (select from asset_share g where g.organization_id = $1 and g.grantee_id = u.id)),
  shared_found as materialized (
    select f.* from asked q cross join share_mark m cross join lateral (
      select ${row} from asset_search s where ${matches(words, isMarked, '$19', 'm.marks')} limit ${most}) f
    where m.marks is not null and not $3::boolean limit ${most})`
}

/**
 * One page of a search: the candidates that the caller may read, in tiers (the name itself, its beginning, every
 * word, every word or one like it), then by where the words stand, then by popularity; or in another order.
 *
 * $12 limit, $13 offset, $14 what was typed, folded, $15 the same as a slug, $16 its words, $17 the wider query,
 * $18 the open places, $19 the place of the rest, $20 marks, $21 to $24 author, collection and entity or null
 */
function searchText(order: Order, byRelevance: boolean, words: number, isMarked: boolean): string {
  const byOrder = sortBy(order, 'k', order.id)
  const found = ['newest_found', 'older_found', 'popular_found', 'personal_found', 'shared_found']
  return `
  with ${cell},
  ${reach},
  ${asked},
  ${sources(words, isMarked)},
  candidate as (
    select y.asset_id, min(y.tier) as tier, max(y.rank) as rank from (
      select * from named
      ${found.map(source => `union all select * from ${source}`).join(' ')}
      union all select g.asset_id, 0, 1::real from asset_slug g
        where g.organization_id = $1 and g.slug = $15 and g.is_current) y
    group by 1),
  found as materialized (
    select x.asset_id, row_number() over (order by ${byRelevance ? 'x.tier, x.rank desc, ' : ''}${byOrder}) as place
    from candidate x join ${order.from} on k.${order.id} = x.asset_id
    where ${wanted} and (${onOwnShelf('k')} or ${isShared(`k.${order.id}`)})
      and ($21::text is null or k.author_id = $21)
      and ($22::text is null or exists (select from collection_asset f
        where f.organization_id = $1 and f.asset_id = x.asset_id and f.collection_id = $22))
      and (coalesce($23::text, $24::text) is null or exists (select from asset_link l
        where l.organization_id = $1 and l.asset_id = x.asset_id and l.entity_type = coalesce($23, l.entity_type)
          and l.entity_id = coalesce($24, l.entity_id)))
    order by place limit ${most}),
  page as (select * from found order by place limit $12::integer offset $13::integer)
  select t.total, i.*
  from (select count(*) as total, $20::text from found) t left join (${shown('page')}) i on true
  order by i.place`
}

export type SearchArgs = [
  ...Reader,
  ...Shelves,
  limit: number,
  offset: number,
  typed: string,
  slug: string,
  words: readonly string[],
  wider: readonly string[],
  openPlaces: readonly string[],
  restPlace: string,
  marks: string,
  authorId: string | null,
  collectionId: string | null,
  entityType: string | null,
  entityId: string | null,
]
const searches = new Map<string, Statement<PageRow, SearchArgs>>()

/** One page of what was found, with the number of all that was ranked. Without an order, the best matches come first. */
export function findAssets(db: Db, orderBy: AssetOrder | undefined, ...args: SearchArgs): Promise<PageRow[]> {
  const words = args[14].length
  const isMarked = args[18] !== ''
  const key = `${orderBy} ${words} ${isMarked}`
  let statement = searches.get(key)
  if (!statement) {
    statement = sql<PageRow, SearchArgs>(
      searchText(orders[orderBy ?? 'popular'], orderBy === undefined, words, isMarked),
    )
    searches.set(key, statement)
  }
  return db.rows(statement, ...args)
}

type LikeWord = { at: number; word: string; stem: string }
const selectLike = sql<LikeWord, [at: number[], parts: string[]]>(`
  select y.at, y.word, ${stem('y.word')} as stem from (
    select w.at, p.word, row_number() over (
      partition by w.at order by count(*)::real / (max(p.parts) + count(*)) desc, p.word) as place
    from unnest($2::integer[], $3::text[]) w (at, part)
      join asset_word_part p on p.organization_id = $1 and p.part = w.part
    group by w.at, p.word) y
  where y.place <= 40`)

/** Words of the catalogue that share parts with the words, with the number of the word they are like. */
export function likeWords(db: Db, at: number[], parts: string[]): Promise<LikeWord[]> {
  return db.rows(selectLike, at, parts)
}
