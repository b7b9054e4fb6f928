import type { Letterhead } from '#contract/crm/letterhead.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'

const select = sql<Letterhead>(`
  select l.accent_color as "accentColor", l.account_holder as "accountHolder", l.iban, l.bic, l.footer,
    case when l.logo_sha256 is not null
      then jsonb_build_object('sha256', l.logo_sha256, 'contentType', l.logo_content_type) end as logo
  from crm_letterhead l where l.organization_id = $organization`)
type Values = {
  accentColor: string | null
  accountHolder: string | null
  iban: string | null
  bic: string | null
  footer: string | null
}
const upsert = sql<never, Values>(`
  ${insertInto('crm_letterhead', 'accent_color, account_holder, iban, bic, footer')}
  on conflict (organization_id) do update set accent_color = excluded.accent_color,
    account_holder = excluded.account_holder, iban = excluded.iban, bic = excluded.bic, footer = excluded.footer,
    updated_at = now()`)

const upsertLogo = sql<never, { sha256: string | null; contentType: string | null }>(`
  insert into crm_letterhead (organization_id, logo_sha256, logo_content_type)
  values ($organization, $sha256, $contentType)
  on conflict (organization_id) do update set logo_sha256 = excluded.logo_sha256,
    logo_content_type = excluded.logo_content_type, updated_at = now()`)
const insertLogo = sql<never, { sha256: string }>(
  'insert into crm_logo (organization_id, sha256) values ($organization, $sha256) on conflict do nothing',
)
const logoCount = sql<{ count: number }>(
  'select count(*)::int as count from crm_logo l where l.organization_id = $organization',
)

const blank: Letterhead = {
  accentColor: null,
  accountHolder: null,
  iban: null,
  bic: null,
  footer: null,
  logo: null,
}

/** The letterhead of the organization; blank until it is set. */
export async function letterheadOf(db: Db): Promise<Letterhead> {
  return (await db.first(select)) ?? blank
}

export async function setLetterhead(
  tx: Tx,
  { accentColor, accountHolder, iban, bic, footer }: Omit<Letterhead, 'logo'>,
): Promise<void> {
  await tx.run(upsert, { accentColor, accountHolder, iban, bic, footer })
}

export async function setLogo(tx: Tx, logo: Letterhead['logo']): Promise<void> {
  await tx.run(upsertLogo, { sha256: logo?.sha256 ?? null, contentType: logo?.contentType ?? null })
}

/** Keeps a logo for the invoices that will be issued with it. */
export async function addLogo(tx: Tx, sha256: string): Promise<void> {
  await tx.run(insertLogo, { sha256 })
}

export async function countLogos(tx: Tx): Promise<number> {
  return (await tx.one(logoCount)).count
}
