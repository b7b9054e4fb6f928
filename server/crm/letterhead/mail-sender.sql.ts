import type { Letterhead } from '#contract/crm/letterhead.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** The sender of mails, with the logo by its place in the file store. */
export type MailSenderRow = {
  name: string
  reply_to: string | null
  accent_color: string | null
  footer: string | null
  logo: Letterhead['logo']
}
const select = sql<MailSenderRow>(`
  select coalesce(i.legal_name, o.name) as name, i.email as reply_to, h.accent_color, h.footer,
    case when h.logo_sha256 is not null
      then jsonb_build_object('sha256', h.logo_sha256, 'contentType', h.logo_content_type) end as logo
  from organization o left join crm_issuer i on i.organization_id = $organization
  left join crm_letterhead h on h.organization_id = $organization where o.id = $organization`)

export function readMailSender(db: Db): Promise<MailSenderRow> {
  return db.one(select)
}

/** The display name of the organization in mails. */
export async function mailSenderName(db: Db): Promise<string> {
  return (await db.one(select)).name
}
