import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { PageSender } from '#platform/http/html-page.ts'

/** The select list of a customer's page, for `organization o` and `crm_letterhead h`: its sender as `sender`. */
export const pageSenderColumn = `jsonb_build_object('name', o.name, 'accentColor', h.accent_color,
    'logo', '/api/crm/logos/' || o.id || '/' || h.logo_sha256) as sender`
export const pageSenderJoin = 'left join crm_letterhead h on h.organization_id = $organization'

const select = sql<{ sender: PageSender }>(
  `select ${pageSenderColumn} from organization o ${pageSenderJoin} where o.id = $organization`,
)

/** The organization as its customers see it above a page. */
export async function pageSenderOf(db: Db): Promise<PageSender> {
  return (await db.one(select)).sender
}
