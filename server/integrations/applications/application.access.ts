import type { Scope } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'

/** The row of an application. */
export type ApplicationRow = {
  id: string
  slug: string
  name: string
  description: string | null
  status: 'ACTIVE' | 'DISABLED'
  principal_id: string
  origins: string[]
  scopes: Scope[]
  created_at: string
  updated_at: string
}

export const applicationColumns = `a.id, a.slug, a.name, a.description, a.status, a.principal_id, a.origins, a.scopes,
  a.created_at, a.updated_at`
const applicationById = `select ${applicationColumns} from application a
  where a.organization_id = $organization and a.id = $id and a.deleted_at is null`

const selectApplication = sql<ApplicationRow, { id: string }>(applicationById)
const selectApplicationLocked = sql<ApplicationRow, { id: string }>(
  `${applicationById} for no key update of a`,
)
const takeSlugs = sql<never>(`select ${organizationLock('applications')}`)

/**
 * An application of the organization, for people who may manage applications. Refuses APPLICATION_NOT_FOUND if it does not
 * exist, was deleted, or belongs to another organization.
 */
export async function applicationFor(db: Db, id: string): Promise<ApplicationRow> {
  return (await db.first(selectApplication, { id })) ?? fail('APPLICATION_NOT_FOUND')
}

/** Like applicationFor, but locks the application and its keys until the transaction ends. */
export async function lockApplication(tx: Tx, id: string): Promise<ApplicationRow> {
  return (await tx.first(selectApplicationLocked, { id })) ?? fail('APPLICATION_NOT_FOUND')
}

/** Locks the slugs of the organization until the transaction ends: nobody else can add an application. */
export async function lockSlugs(tx: Tx): Promise<void> {
  await tx.first(takeSlugs)
}
