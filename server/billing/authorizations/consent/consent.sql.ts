import { createHash } from 'node:crypto'
import type { ConsentText } from '#contract/billing/consent.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { builtIn } from './consent.texts.ts'

const columns = `t.locale, t.version, t.text, t.sha256, t.created_at as "createdAt"`
const newest = sql<ConsentText, { locales: readonly string[] }>(`
  select distinct on (t.locale) ${columns} from consent_text t
  where t.organization_id = $organization and t.locale = any($locales) order by t.locale, t.version desc`)
// the primary key, backwards
const page = sql<ConsentText, { limit: number; offset: number }>(`
  select ${columns} from consent_text t where t.organization_id = $organization
  order by t.locale desc, t.version desc limit $limit offset $offset`)
const count = sql<{ total: number }>(`
  select count(*) as total from (
    select from consent_text t where t.organization_id = $organization limit ${limits.invoicesCounted}) n`)
const lockTexts = sql<never>(`select ${organizationLock('consent-texts')}`)
const insert = sql<
  ConsentText,
  { locale: string; version: number; text: string; sha256: string; by: string | null }
>(`
  insert into consent_text as t (organization_id, locale, version, text, sha256, created_by)
  values ($organization, $locale, $version, $text, $sha256, $by) on conflict do nothing returning ${columns}`)

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The current text for a locale: in that locale, else in its language, else in Spanish. */
export async function currentText(db: Db, locale: string): Promise<ConsentText> {
  const wanted = [...new Set([locale, locale.slice(0, 2), 'es'])]
  const written = await db.rows(newest, { locales: wanted })
  for (const name of wanted) {
    const text = written.find(({ locale }) => locale === name) ?? builtInText(name)
    if (text) return text
  }
  throw new Error('There is no text in Spanish')
}

function builtInText(locale: string): ConsentText | undefined {
  const text = builtIn[locale]
  return text === undefined
    ? undefined
    : { locale, version: 1, text, sha256: digestOf(text), createdAt: null }
}

/** Stores a built-in text when a user agrees to it. */
export async function storeText(
  tx: Tx,
  { locale, version, text, sha256, createdAt }: ConsentText,
): Promise<void> {
  if (createdAt === null) await tx.first(insert, { locale, version, text, sha256, by: null })
}

/** Writes the next version; the built-in text is the first. */
export async function insertText(
  tx: Tx,
  locale: string,
  text: string,
  personId: string,
): Promise<ConsentText> {
  await tx.first(lockTexts)
  const [before = builtInText(locale)] = await tx.rows(newest, { locales: [locale] })
  if (before) await storeText(tx, before)
  const version = (before?.version ?? 0) + 1
  return tx.one(insert, { locale, version, text, sha256: digestOf(text), by: personId })
}

export async function listTexts(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: ConsentText[]; total: number }> {
  const [items, counted] = await Promise.all([db.rows(page, { limit, offset }), db.one(count)])
  return { items, total: counted.total }
}
