import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import type { TemplateRow } from './mail-template.rules.ts'

const columns = 't.id, t.name, t.subject, t.body, t.is_default, t.created_at, t.updated_at'
// index invoice_template_named; an organization has no more than this
const list = sql<TemplateRow>(`
  select ${columns} from invoice_template t where t.organization_id = $organization
  order by t.name, t.id limit ${limits.templatesPerOrganization}`)
const select = sql<TemplateRow, { id: string }>(
  `select ${columns} from invoice_template t where t.organization_id = $organization and t.id = $id`,
)
// index invoice_template_default
const selectDefault = sql<TemplateRow>(
  `select ${columns} from invoice_template t where t.organization_id = $organization and t.is_default`,
)
const lockAll = sql<never>(`select ${organizationLock('invoice-templates')}`)
const clearDefault = sql<never, { id: string }>(`
  update invoice_template t set is_default = false, updated_at = now()
  where t.organization_id = $organization and t.is_default and t.id <> $id`)
type TemplateValueList = { id: string; name: string; subject: string; body: string; isDefault: boolean }
const insert = sql<TemplateRow, TemplateValueList>(`
  insert into invoice_template as t (organization_id, id, name, subject, body, is_default)
  values ($organization, $id, $name, $subject, $body, $isDefault) returning ${columns}`)
const update = sql<TemplateRow, TemplateValueList>(`
  update invoice_template t set name = $name, subject = $subject, body = $body, is_default = $isDefault,
    updated_at = now()
  where t.organization_id = $organization and t.id = $id returning ${columns}`)
const remove = sql<never, { id: string }>(
  'delete from invoice_template t where t.organization_id = $organization and t.id = $id',
)

const selectAddress = sql<{ email: string }, { personId: string }>(`
  select m.email from membership m where m.organization_id = $organization and m.person_id = $personId`)

/** The e-mail address of a member. */
export async function findMemberEmail(db: Db, personId: string): Promise<string> {
  return (await db.one(selectAddress, { personId })).email
}

export function listTemplates(db: Db): Promise<TemplateRow[]> {
  return db.rows(list)
}

export function findTemplate(db: Db, id: string): Promise<TemplateRow | undefined> {
  return db.first(select, { id })
}

/** The default template of the organization, if any. */
export function findDefault(db: Db): Promise<TemplateRow | undefined> {
  return db.first(selectDefault)
}

/** Locks the templates of the organization until the transaction ends. */
export async function lockTemplates(tx: Tx): Promise<void> {
  await tx.first(lockAll)
}

/** Adds a template; the caller holds the lock on all. A new default replaces the previous one. */
export function insertTemplate(tx: Tx, template: TemplateRow): Promise<TemplateRow> {
  return writeTemplate(tx, insert, template)
}

/** Updates a template in the same way. */
export function setTemplate(tx: Tx, template: TemplateRow): Promise<TemplateRow> {
  return writeTemplate(tx, update, template)
}

async function writeTemplate(
  tx: Tx,
  statement: typeof insert,
  { id, name, subject, body, is_default }: TemplateRow,
): Promise<TemplateRow> {
  const [, row] = await Promise.all([
    is_default && tx.run(clearDefault, { id }),
    tx.one(statement, { id, name, subject, body, isDefault: is_default }),
  ])
  return row
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.run(remove, { id })
}
