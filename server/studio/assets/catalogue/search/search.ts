import { limits } from '#contract/limits.ts'
import type { AssetOrder, AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import { type CountCache, cachedCountNow } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/db.ts'
import { fold } from '#platform/fold.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstOf } from '#platform/required.ts'
import { isLike, isSpellable, searchedWords } from '#platform/search-words.ts'
import { tail, trigramsOf } from '../indexing/asset-index.terms.ts'
import type { PageRow } from '../listing/asset-list.sql.ts'
import { listFiltersOf } from '../listing/list-fragments.ts'
import {
  type BestRow,
  countClosed,
  countOpen,
  type FoundRow,
  fewResults,
  findAll,
  findBest,
  type LikeWord,
  type SearchArgs,
} from './asset-search.sql.ts'

export type Search = {
  search: string
  type?: AssetType
  status?: AssetStatus
  visibility?: Visibility
  orderBy?: AssetOrder
  authorId?: string
  collectionId?: string
  entityType?: string
  entityId?: string
  tag?: string
  limit: number
  offset: number
}

/** A page of a search with its total, which is at most `limits.searchTotal`; `isBound` when there are more. */
export type SearchPage = { rows: PageRow[]; total: number; isBound: boolean }
type FoundPage = SearchPage & { rows: FoundRow[] }

/**
 * One page of a search. When few assets contain the words as typed, similar words of the catalogue match too
 * and rank lower. Without `orderBy` the best matches come first.
 */
export async function searchAssets(
  db: Db,
  counts: CountCache,
  caller: Caller,
  query: Search,
): Promise<SearchPage> {
  const words = searchedWords(query.search)
  const args = argsOf(caller, query, words)
  const page = await find(db, counts, query, args)
  const known = page.total < fewResults ? firstOf(page.rows).like_words : null
  const wider = known ? widerQuery(words, known) : undefined
  return wider ? find(db, counts, query, { ...args, wider, parts: [], partAt: [] }) : page
}

/**
 * The first pages are taken from the ranked matches, which read few rows of the index; further pages need all
 * matches.
 */
async function find(db: Db, counts: CountCache, query: Search, args: SearchArgs): Promise<FoundPage> {
  const { orderBy, limit, offset, collectionId, entityType, entityId, tag } = query
  const isWithin = [collectionId, entityType, entityId, tag].some(value => value !== undefined)
  if (orderBy !== undefined || isWithin || offset + limit > limits.searchRanked) {
    const rows = await findAll(db, orderBy, args)
    return { rows, ...countOf(Number(firstOf(rows).total)) }
  }
  const rows = await findBest(db, args)
  if (!firstOf(rows).is_cut) return { rows, total: Number(firstOf(rows).total), isBound: false }
  return { rows, ...countOf(await countMatches(db, counts, args, firstOf(rows))) }
}

/**
 * The number of matches, more than the bound when there are more. Two counts are cached until something
 * changes that they depend on: the matches that everybody may read, and the others that the caller may read.
 */
async function countMatches(db: Db, counts: CountCache, args: SearchArgs, now: BestRow): Promise<number> {
  const { personId, isAdministrator, departmentIds, groupIds } = args
  const { typed, words, wider, openPartitions, marks, authorId } = args
  const openKey = JSON.stringify([db.organizationId, words, wider, openPartitions, marks])
  let open = cachedCountNow(counts.get(openKey), now.generation, limits.searchTotal)
  if (open === undefined) {
    const made = await countOpen(db, args)
    counts.set(openKey, made)
    open = made.count
  }
  if (open > limits.searchTotal) return open
  const reader = [personId, isAdministrator, departmentIds, groupIds, now.reach]
  const closedKey = JSON.stringify([openKey, reader, typed, authorId])
  const closed = cachedCountNow(
    counts.get(closedKey),
    now.closed_generation,
    Number.POSITIVE_INFINITY,
    now.at,
  )
  if (closed !== undefined) return open + closed
  const made = await countClosed(db, args)
  counts.set(closedKey, made)
  return open + made.count
}

function countOf(total: number): { total: number; isBound: boolean } {
  return { total: Math.min(total, limits.searchTotal), isBound: total > limits.searchTotal }
}

function argsOf(caller: Caller, query: Search, words: string[]): SearchArgs {
  const archived = query.status === 'ARCHIVED' ? 'z' : ''
  const typed = fold(query.search).trim()
  const { type, status, visibility, authorId } = query
  const marks = [type, status, visibility, authorId && `a${tail(authorId)}`].filter(
    mark => mark !== undefined,
  )
  const parts = words.flatMap((word, at) =>
    isSpellable(word) ? trigramsOf(word).map(part => ({ at, part })) : [],
  )
  return {
    ...listFiltersOf(caller, query),
    typed,
    slug: words.join('-'),
    words,
    wider: [],
    openPartitions: caller.isAdministrator ? [`${archived}o`, `${archived}x`] : [`${archived}o`],
    closedPartition: `${archived}x`,
    marks: marks.map(mark => `'~@${mark.replace(/[^\w]/g, '')}'`).join(' & '),
    limit: query.limit,
    offset: query.offset,
    authorId: authorId ?? null,
    collectionId: query.collectionId ?? null,
    entityType: query.entityType ?? null,
    entityId: query.entityId ?? null,
    tag: query.tag ?? null,
    parts: parts.map(({ part }) => part),
    partAt: parts.map(({ at }) => at),
  }
}

/** For each word the word itself or similar ones of those known, as the text of a tsquery; undefined if none is similar. */
function widerQuery(words: string[], known: LikeWord[]): string[] | undefined {
  const meant = known.filter(({ at, word }) => word !== words[at] && isLike(words[at]!, word))
  if (meant.length === 0) return undefined
  const forms = words.map((word, at) => [
    word,
    ...meant.filter(like => like.at === at).map(like => like.stem),
  ])
  return forms.map(form => `(${form.map(word => `'~${word}'`).join(' | ')})`)
}
