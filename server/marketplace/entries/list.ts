import type { Input } from '#contract/endpoint.ts'
import { listEntries } from '#contract/marketplace/entries.ts'
import type { Db } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { reads } from '#platform/serve.ts'
import { listPage, type PageRow } from './listing/store.ts'
import { listOwn } from './mine/store.ts'
import { searchEntries, wordsIn } from './search/search.ts'
import { showItem } from './show.ts'

type Query = Input<typeof listEntries>['query'] & { limit: number; offset: number }

/** Document 1, GET /marketplace/entries. */
export const list = reads(listEntries, async ({ db, caller, query }) => {
  const { limit, offset } = query as Query
  if (query.organization && !caller.isAdministrator) fail('PERMISSION_DENIED')
  const rows = await pageOf(db, caller.personId, query as Query)
  const items = rows.flatMap(row => (row.id === null ? [] : [showItem(row)]))
  return { items, total: rows[0]?.total ?? 0, limit, offset }
})

function pageOf(db: Db, personId: string, query: Query): Promise<PageRow[]> {
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
    const words = isSearch ? wordsIn(search) : []
    const narrowed = [category ?? null, type ?? null, pricing ?? null, featured ?? false] as const
    return listOwn(db, sort, personId, limit, offset, ...narrowed, words, organization)
  }
  if (isSearch) return searchEntries(db, personId, { ...query, search, sort })
  return listPage(db, personId, { ...query, sort })
}
