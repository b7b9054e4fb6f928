import { openStatuses } from '#contract/crm/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type PublicLeadRow, publicLeadColumns } from '../lead.row.ts'

// index lead_email
const select = sql<PublicLeadRow & { matches: number }, { hashes: string[] }>(`
  select ${publicLeadColumns}, count(*) over ()::int as matches from lead l
  where l.organization_id = $organization
    and l.email_hash = any(array(select decode(h, 'hex') from unnest($hashes::text[]) h))
    and l.erased_at is null and l.status in (${openStatuses.map(status => `'${status}'`).join(', ')})
  order by l.updated_at desc, l.id desc limit 1`)

/** The most recently changed open lead with this e-mail, and the number of matches. */
export function leadByEmail(
  db: Db,
  hashes: string[],
): Promise<(PublicLeadRow & { matches: number }) | undefined> {
  return db.first(select, { hashes })
}
