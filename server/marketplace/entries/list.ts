import { listEntries } from '#contract/marketplace/entries.ts'
import type { Input } from '#contract/operation.ts'
import { type CountCache, countCacheOf } from '#platform/data/count-cache.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { type Page, pageOf } from '#platform/http/pagination.ts'
import { searchedWords } from '#platform/search-words.ts'
import { showItem } from './entry.json.ts'
import { type EntryPageRow, listPage } from './listing/entry-list.sql.ts'
import { listOwn } from './own-entries.sql.ts'
import { type EntrySearchPage, searchEntries } from './search/search.ts'

type Query = Input<typeof listEntries>['query'] & Page

const countsOf = countCacheOf(2_000)

/** Lists the catalogue, or the submissions of a person or an organization (ENT-29, ENT-30). */
export const list = query(listEntries, async ({ db, caller, query, services }) => {
  const page = pageOf(query)
  if (query.organization && !caller.isAdministrator) fail('PERMISSION_DENIED')
  const { rows, total, isBound } = await findPage(db, countsOf(services.database), caller.personId, {
    ...query,
    ...page,
  })
  const list = { items: rows.flatMap(row => (row.id === null ? [] : [showItem(row)])), total, ...page }
  return isBound ? { ...list, totalIsBound: true as const } : list
})

async function findPage(
  db: Db,
  counts: CountCache,
  personId: string,
  query: Query,
): Promise<EntrySearchPage> {
  const {
    sort = 'RECENT',
    mine,
    organization = false,
    featured,
    search,
    category,
    type,
    pricing,
    limit,
    offset,
  } = query
  const isSearch = search !== undefined && search.trim() !== ''
  if (mine || organization) {
    const rows = await listOwn(db, sort, {
      personId,
      limit,
      offset,
      category: category ?? null,
      type: type ?? null,
      pricing: pricing ?? null,
      featured: featured ?? false,
      words: isSearch ? searchedWords(search) : [],
      isWholeOrganization: organization,
    })
    return exactly(rows)
  }
  if (isSearch) return searchEntries(db, counts, personId, { ...query, search, sort })
  return exactly(await listPage(db, personId, { ...query, sort }))
}

function exactly(rows: EntryPageRow[]): EntrySearchPage {
  return { rows, total: rows[0]?.total ?? 0, isBound: false }
}
