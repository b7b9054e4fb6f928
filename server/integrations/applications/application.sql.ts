import { limits } from '#contract/limits.ts'
import type { Scope } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'
import { type ApplicationRow, applicationColumns } from './application.access.ts'
import { type ApplicationFields, numberedSlug } from './application.rules.ts'

/** An application with its principal and key counts. */
export type ApplicationItemRow = ApplicationRow & {
  principal_name: string
  principal_is_member: boolean
  live_keys: number
  last_used_at: string | null
}

const itemColumns = `select ${applicationColumns}, m.name as principal_name, m.removed_at is null as principal_is_member,
    keys.live_keys, keys.last_used_at`
// an application has few keys: creating one deletes old expired ones
const itemJoins = `join membership m on m.organization_id = $organization and m.person_id = a.principal_id
  cross join lateral (
    select max(k.last_used_at) as last_used_at,
      count(*) filter (where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as live_keys
    from application_key k where k.organization_id = $organization and k.application_id = a.id) keys`

const selectShown = sql<ApplicationItemRow, { id: string }>(
  `${itemColumns} from application a ${itemJoins} where a.organization_id = $organization and a.id = $id
    and a.deleted_at is null`,
)

/** An application as replies show it. */
export function applicationItem(db: Db, id: string): Promise<ApplicationItemRow | undefined> {
  return db.first(selectShown, { id })
}

type Filters = { status: string | null }
const filters = { status: 'a.status = $status' }
// index application_name
const page = withFilters<ApplicationItemRow, Filters & { limit: number; offset: number }>(
  filters,
  condition => `${itemColumns} from application a ${itemJoins}
    where a.organization_id = $organization and a.deleted_at is null and ${condition}
    order by lower(a.name), a.id limit $limit offset $offset`,
)
const counted = withFilters<{ total: number }, Filters>(
  filters,
  condition => `select count(*) as total from application a
    where a.organization_id = $organization and a.deleted_at is null and ${condition}`,
)

/** The applications of the organization by name. */
export async function listPage(
  db: Db,
  status: string | null,
  limit: number,
  offset: number,
): Promise<{ rows: ApplicationItemRow[]; total: number }> {
  const args = { status, limit, offset }
  const [rows, count] = await Promise.all([db.rows(page(args), args), db.one(counted(args), args)])
  return { rows, total: count.total }
}

// index application_name
const selectNames = sql<{ id: string; name: string }>(`
  select a.id, a.name from application a where a.organization_id = $organization and a.deleted_at is null
  order by lower(a.name), a.id limit ${limits.applicationsPerOrganization}`)

/** The names of all applications of the organization by id. */
export async function applicationNames(db: Db): Promise<Map<string, string>> {
  return new Map((await db.rows(selectNames)).map(({ id, name }) => [id, name]))
}

/** False if the organization reached its limit of applications. The caller must hold lockSlugs. */
export async function canAddApplication(tx: Tx): Promise<boolean> {
  const all = { status: null }
  return (await tx.one(counted(all), all)).total < limits.applicationsPerOrganization
}

const selectTakenSlugs = sql<{ slug: string }, { slugs: string[] }>(
  'select a.slug from application a where a.organization_id = $organization and a.slug = any($slugs)',
)

/** False if another application has or had this slug. The caller must hold lockSlugs. */
export async function isSlugFree(tx: Tx, slug: string): Promise<boolean> {
  return (await tx.first(selectTakenSlugs, { slugs: [slug] })) === undefined
}

/** The slug, with the first free number if it is taken. The caller must hold lockSlugs. */
export async function freeSlug(tx: Tx, wanted: string): Promise<string> {
  const atOnce = 50
  for (let from = 1; ; from += atOnce) {
    const candidates = Array.from({ length: atOnce }, (_, at) => numberedSlug(wanted, from + at))
    const taken = new Set((await tx.rows(selectTakenSlugs, { slugs: candidates })).map(({ slug }) => slug))
    const free = candidates.find(slug => !taken.has(slug))
    if (free !== undefined) return free
  }
}

type Values = {
  slug: string
  name: string
  description: string | null
  status: string
  principalId: string
  origins: readonly string[]
  scopes: readonly Scope[]
}
const valuesOf = ({
  slug,
  name,
  description,
  status,
  principal_id,
  origins,
  scopes,
}: ApplicationFields): Values => ({
  slug,
  name,
  description,
  status,
  principalId: principal_id,
  origins,
  scopes,
})

const insertRow = sql<never, Values & { id: string }>(`
  ${insertInto('application', 'id, slug, name, description, status, principal_id, origins, scopes')}`)
const updateRow = sql<never, Values & { id: string }>(`
  update application a set slug = $slug, name = $name, description = $description, status = $status,
    principal_id = $principalId, origins = $origins, scopes = $scopes, updated_at = now()
  where a.organization_id = $organization and a.id = $id`)

export async function insertApplication(tx: Tx, id: string, fields: ApplicationFields): Promise<void> {
  await tx.run(insertRow, { id, ...valuesOf(fields) })
}

export async function setApplication(tx: Tx, id: string, fields: ApplicationFields): Promise<void> {
  await tx.run(updateRow, { id, ...valuesOf(fields) })
}

const memberNow = sql<{ id: string }, { personId: string }>(`
  select m.person_id as id from membership m
  where m.organization_id = $organization and m.person_id = $personId and m.removed_at is null`)

export async function isMember(tx: Tx, personId: string): Promise<boolean> {
  return (await tx.first(memberNow, { personId })) !== undefined
}

const setDeleted = sql<never, { id: string }>(`
  update application a set deleted_at = now(), status = 'DISABLED', scopes = '{}', origins = '{}', updated_at = now()
  where a.organization_id = $organization and a.id = $id`)

/** Marks an application as deleted. Its name and the records of its actions stay. */
export async function setApplicationDeleted(tx: Tx, id: string): Promise<void> {
  await tx.run(setDeleted, { id })
}

export type OwnApplicationRow = {
  id: string
  slug: string
  name: string
  key_id: string
  key_name: string
  prefix: string
  expires_at: string | null
}
const selectOwn = sql<OwnApplicationRow, { id: string; keyId: string }>(`
  select a.id, a.slug, a.name, k.id as key_id, k.name as key_name, k.prefix, k.expires_at
  from application a join application_key k on k.organization_id = $organization and k.application_id = a.id
  where a.organization_id = $organization and a.id = $id and k.id = $keyId`)

/** An application with one of its keys; undefined if either was deleted. */
export function ownApplication(db: Db, id: string, keyId: string): Promise<OwnApplicationRow | undefined> {
  return db.first(selectOwn, { id, keyId })
}
