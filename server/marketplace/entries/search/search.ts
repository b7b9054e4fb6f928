import { limits } from '#contract/limits.ts'
import type { EntrySort } from '#contract/marketplace/entries.ts'
import { type CountCache, cachedCountNow } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/db.ts'
import { fold } from '#platform/fold.ts'
import { firstOf } from '#platform/required.ts'
import { isLike, isSpellable, searchedWords } from '#platform/search-words.ts'
import type { CatalogueFilter, EntryPageRow } from '../listing/entry-list.sql.ts'
import { countMatches, type EntrySearchArgs, findAll, findFirst, likeWords } from './entry-search.sql.ts'

/** With fewer results than this, a word may be misspelt. */
const fewResults = 20

export type EntrySearch = CatalogueFilter & {
  search: string
  sort: EntrySort
  featured?: boolean | undefined
  limit: number
  offset: number
}

/** A page of a search with the total, which is bounded by `limits.searchTotal`. */
export type EntrySearchPage = { rows: EntryPageRow[]; total: number; isBound: boolean }

/**
 * One page of a search. If few entries match the typed words, entries with similar words of the catalogue follow.
 */
export async function searchEntries(
  db: Db,
  counts: CountCache,
  personId: string,
  query: EntrySearch,
): Promise<EntrySearchPage> {
  const { sort, limit, offset, category = null, type = null, pricing = null, featured = false } = query
  const words = searchedWords(query.search)
  const typed = fold(query.search).trim()
  const args = { personId, limit, offset, category, type, pricing, featured, words, typed }
  const find = (wider: string | null) => pageOf(db, counts, sort, { ...args, wider })
  const page = await find(null)
  if (page.total >= fewResults || !words.some(isSpellable)) return page
  const wider = await widerQuery(db, words)
  return wider === undefined ? page : find(wider)
}

/** The first pages of RELEVANCE and RECENT read few index rows; other pages gather all matches. */
async function pageOf(
  db: Db,
  counts: CountCache,
  sort: EntrySort,
  args: EntrySearchArgs,
): Promise<EntrySearchPage> {
  const { limit, offset } = args
  if ((sort === 'RELEVANCE' || sort === 'RECENT') && offset + limit <= limits.searchRanked) {
    const rows = await findFirst(db, sort, args)
    const { total, is_cut, is_newest, generation } = firstOf(rows)
    if (!is_cut) return { rows, total, isBound: false }
    if (sort === 'RELEVANCE' || is_newest)
      return { rows, ...countOf(await countAll(db, counts, args, generation)) }
  }
  const rows = await findAll(db, sort, args)
  return { rows, ...countOf(firstOf(rows).total) }
}

/** Counts the matches up to just above the bound. Cached until the catalogue changes. */
async function countAll(
  db: Db,
  counts: CountCache,
  args: EntrySearchArgs,
  generation: number,
): Promise<number> {
  const { category, type, pricing, featured, words, wider, typed } = args
  // featured entries change with time
  if (featured) return (await countMatches(db, args)).count
  const key = JSON.stringify([category, type, pricing, words, wider, typed])
  const known = cachedCountNow(counts.get(key), generation, limits.searchTotal)
  if (known !== undefined) return known
  const counted = await countMatches(db, args)
  counts.set(key, counted)
  return counted.count
}

function countOf(total: number): { total: number; isBound: boolean } {
  return { total: Math.min(total, limits.searchTotal), isBound: total > limits.searchTotal }
}

/** A tsquery with similar words for each word; undefined if the catalogue has none. */
async function widerQuery(db: Db, words: string[]): Promise<string | undefined> {
  const known = await likeWords(
    db,
    words.map(word => (isSpellable(word) ? word : '')),
  )
  const meant = known.filter(({ at, word }) => word !== words[at - 1] && isLike(words[at - 1]!, word))
  if (meant.length === 0) return undefined
  const forms = words.map((word, at) => [
    word,
    ...meant.filter(like => like.at === at + 1).flatMap(like => [like.word, like.stem]),
  ])
  return forms.map(form => `(${form.map(word => `'${word}'`).join(' | ')})`).join(' & ')
}
