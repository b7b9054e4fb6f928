import type { Permission, Plan } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { insertRows, type SqlRunner } from '../rows.ts'

type OrganizationRow = { id?: string; name: string; plan?: Plan; features?: readonly string[] }
type PersonRow = { id: string; name: string; email: string }
type MembershipRow = { role?: 'OWNER' | 'ADMIN' | 'MEMBER' | 'CUSTOM'; roleId?: string | null }

/** Inserts an organization with its address. Returns its id. */
export async function insertOrganization(
  server: SqlRunner,
  { id = newId(), name, plan = 'ENTERPRISE', features = [] }: OrganizationRow,
): Promise<string> {
  await insertRows(server, 'organization', [{ id, name, plan, features }])
  await insertRows(server, 'organization_address', [
    { address: `organization-${id.slice(-12)}`, leads_to: id },
  ])
  return id
}

/** Inserts people who are members of an organization; with `sessionId` they are signed in. */
export async function insertMembers(
  server: SqlRunner,
  organizationId: string,
  people: readonly (PersonRow & MembershipRow & { sessionId?: string })[],
): Promise<void> {
  await insertPeople(server, people)
  await insertMemberships(server, organizationId, people)
  await insertSessions(
    server,
    people.flatMap(({ id, sessionId }) => (sessionId ? [{ sessionId, personId: id }] : [])),
  )
}

/** Inserts people without an organization. */
export function insertPeople(server: SqlRunner, people: readonly PersonRow[]): Promise<void> {
  return insertRows(
    server,
    'person',
    people.map(({ id, name, email }) => ({ id, name, email })),
  )
}

/** Makes existing people members of an organization. */
export function insertMemberships(
  server: SqlRunner,
  organizationId: string,
  people: readonly (PersonRow & MembershipRow)[],
): Promise<void> {
  return insertRows(
    server,
    'membership',
    people.map(({ id, name, email, role = 'MEMBER', roleId = null }) => ({
      organization_id: organizationId,
      person_id: id,
      role,
      custom_role_id: roleId,
      name,
      email,
    })),
  )
}

/** Inserts a role of an organization. Returns its id. */
export async function insertRole(
  server: SqlRunner,
  organizationId: string,
  name: string,
  permissions: readonly Permission[],
): Promise<string> {
  const id = newId()
  await insertRows(server, 'role', [{ organization_id: organizationId, id, name, permissions }])
  return id
}

/** Signs people in, each for a day. */
export function insertSessions(
  server: SqlRunner,
  sessions: readonly { sessionId: string; personId: string; token?: string }[],
): Promise<void> {
  return insertRows(
    server,
    'session',
    sessions.map(({ sessionId, personId, token = newId() }) => ({
      id: sessionId,
      person_id: personId,
      token,
    })),
  )
}

/** Makes a person an operator of the server. */
export function insertOperator(
  server: SqlRunner,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  return insertRows(server, 'operator', [{ person_id: id, home_id: organizationId }], { orSkip: true })
}
