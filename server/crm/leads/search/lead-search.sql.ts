import type { LeadStatus } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import type { SearchTerms } from '../../search-terms.ts'
import { type LeadPage, type LeadPageRow, leadPageOf, pageStatement } from '../list/lead-page.ts'

const matches = 'k.erased_at is null and k.status = any($2::text[]) and k.search like all($5::text[])'
const page = pageStatement(
  'select count(*)::int as total from found',
  'select f.id, f.sort_key from found f order by f.sort_key desc, f.id desc limit $3 offset $4',
  'desc',
)
/**
 * Reads the most recently changed leads first, where a common term has enough matches. Only rarer terms use the trigram index,
 * which then returns few rows.
 */
const select = sql<
  LeadPageRow,
  [
    statuses: readonly LeadStatus[],
    limit: number,
    offset: number,
    patterns: string[],
    isIndexed: boolean,
    first: string,
    second: string,
    third: string,
  ]
>(`
  with newest as materialized (
    select k.id, k.updated_at as sort_key from (
      select n.id, n.updated_at, n.erased_at, n.status, n.search from lead n where n.organization_id = $1
      order by n.updated_at desc, n.id desc limit ${limits.leadSearchNewest}) k
    where ${matches}),
  others as materialized (
    select k.id, k.updated_at as sort_key from lead k
    where k.organization_id = $1 and k.search like $7 and k.search like $8 and k.search like $9 and ${matches}
      and $6::boolean and (select count(*) from newest) < ${limits.leadSearchEnough}
    limit ${limits.leadSearchFound}),
  found as materialized (select * from newest union select * from others)
  ${page}`)

/** A page of leads that match all terms, latest change first; see GET /leads/search for the limits. */
export async function findLeads(
  db: Db,
  { patterns, indexed }: SearchTerms,
  { statuses, limit, offset }: { statuses: readonly LeadStatus[]; limit: number; offset: number },
): Promise<LeadPage> {
  const [first, second, third] = indexed ?? ['', '', '']
  return leadPageOf(
    await db.rows(select, statuses, limit, offset, patterns, indexed !== undefined, first, second, third),
  )
}
