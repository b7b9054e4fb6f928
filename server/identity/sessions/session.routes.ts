import {
  createStreamToken,
  getSessionToken,
  listOwnOrganizations,
  readCaller,
} from '#contract/identity/sessions.ts'
import { peopleStreamPosition } from '#platform/events/people-position.ts'
import { fail } from '#platform/fail.ts'
import { query, type ServedOperation } from '#platform/http/operation.ts'
import { organizationOf } from '../organization/organization.sql.ts'
import { membershipsOfPerson, personById } from './session.sql.ts'
import type { Tokens } from './tokens.ts'

/** Exchanges the sign-in session for short tokens (SGN-18, SGN-19). */
export function sessionOperations(tokens: Tokens): ServedOperation[] {
  return [
    query(getSessionToken, async ({ caller, query, services: { database } }) => {
      const memberships = await database.crossTenant.rows(membershipsOfPerson, { personId: caller.personId })
      const wanted = query.organizationId ?? query.organization
      const chosen =
        wanted === undefined
          ? (memberships.find(membership => !membership.suspended) ?? memberships[0])
          : memberships.find(({ id, addresses }) => id === wanted || addresses.includes(wanted))
      if (!chosen) fail('ORGANIZATION_NOT_FOUND')
      const { id, name, address, plan, role } = chosen
      const claims = { personId: caller.personId, organizationId: id, sessionId: caller.sessionId }
      const [person, streamPosition, token] = await Promise.all([
        database.crossTenant.first(personById, { personId: caller.personId }),
        peopleStreamPosition(database, id),
        tokens.sign('session', claims),
      ])
      if (!person) fail('UNAUTHENTICATED')
      return {
        ...token,
        streamPosition,
        person,
        organization: { id, name, address, plan, role: role as 'OWNER' },
      }
    }),

    query(createStreamToken, async ({ caller }) => tokens.sign('stream', caller)),

    query(listOwnOrganizations, async ({ caller, services: { database } }) => {
      const memberships = await database.crossTenant.rows(membershipsOfPerson, { personId: caller.personId })
      return {
        items: memberships.map(({ role_id: _, addresses: __, is_operator: isOperator, role, ...rest }) => ({
          ...rest,
          role: role as 'OWNER',
          isOperator,
        })),
      }
    }),

    query(readCaller, async ({ caller, db, services: { database } }) => {
      const [person, organization] = await Promise.all([
        database.crossTenant.first(personById, { personId: caller.personId }),
        db.first(organizationOf),
      ])
      if (!person || !organization) fail('UNAUTHENTICATED')
      return {
        person,
        organizationId: caller.organizationId,
        organizationName: organization.name,
        organizationAddress: organization.address,
        isAdministrator: caller.isAdministrator,
        isOperator: caller.isOperator,
        permissions: [...caller.permissions],
        modules: [...caller.modules],
        capabilities: [...caller.capabilities],
        features: [...caller.features],
        departmentIds: [...caller.departmentIds],
        workspaceIds: [...caller.workspaceIds],
        groupIds: [...caller.groupIds],
      }
    }),
  ]
}
