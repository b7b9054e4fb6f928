import type { LeadStatus } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { matchesIndexed, type SearchTerms } from '../../search-terms.ts'
import { type LeadPage, type LeadPageRow, leadPageOf, pageStatement } from '../list/lead-page.ts'

const matches =
  'k.erased_at is null and k.status = any($statuses::text[]) and k.search like all($patterns::text[])'
const pageOfFound = pageStatement(
  'select count(*)::int as total from found',
  'select f.id, f.sort_key from found f order by f.sort_key desc, f.id desc limit $limit offset $offset',
  'desc',
)
const columns = 'n.id, n.updated_at, n.erased_at, n.status, n.search'
const newestFirst = `order by n.updated_at desc, n.id desc limit ${limits.leadSearchNewest}`
// index lead_sync
const newestOfAll = `select ${columns} from lead n where n.organization_id = $organization ${newestFirst}`
// index lead_updated, for each status
const newestOfStatuses = `select ${columns} from unnest($statuses::text[]) s (status) cross join lateral (
    select ${columns} from lead n where n.organization_id = $organization and n.status = s.status
      and n.erased_at is null ${newestFirst}) n
  ${newestFirst}`
type SearchPage = { statuses: readonly LeadStatus[]; limit: number; offset: number }
type SearchArgs = SearchTerms & SearchPage

/**
 * Reads the most recently changed leads first, where a common term has enough matches. Only rarer terms use the trigram index
 * lead_search, which then returns few rows.
 */
const searchStatement = (newest: string) =>
  sql<LeadPageRow, SearchArgs>(`
  with newest as materialized (
    select k.id, k.updated_at as sort_key from (${newest}) k
    where ${matches}),
  others as materialized (
    select k.id, k.updated_at as sort_key from lead k
    where k.organization_id = $organization and ${matchesIndexed('k.search')} and ${matches}
      and $isIndexed::boolean and (select count(*) from newest) < ${limits.leadSearchEnough}
    limit ${limits.leadSearchFound}),
  found as materialized (select * from newest union select * from others)
  ${pageOfFound}`)
const search = searchStatement(newestOfAll)
const searchStatuses = searchStatement(newestOfStatuses)

/** A page of leads that match all terms, latest change first; see GET /leads/search for the limits. */
export async function findLeads(db: Db, terms: SearchTerms, page: SearchPage): Promise<LeadPage> {
  return leadPageOf(await db.rows(search, { ...terms, ...page }))
}

/** The same, where the most recently changed leads are those with these statuses. */
export async function findLeadsOfStatuses(db: Db, terms: SearchTerms, page: SearchPage): Promise<LeadPage> {
  return leadPageOf(await db.rows(searchStatuses, { ...terms, ...page }))
}
