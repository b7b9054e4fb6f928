import { findPeople, lockPerson, unlockPerson } from '#contract/identity/operator.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { query, workflow } from '#platform/http/operation.ts'
import type { AccessServices } from '#platform/services.ts'
import { ownAccessChanged } from '../person.access.ts'
import { type RecordAudit, transactAcross } from '../transact-across.ts'
import { organizationsOfPerson, peopleWithEmail, setLocked, setUnlocked } from './operator.sql.ts'

export const find = query(findPeople, async ({ query, services: { database } }) => {
  return { items: await database.crossTenant.rows(peopleWithEmail, { email: query.email.toLowerCase() }) }
})

export const lock = workflow(lockPerson, async ({ caller, origin, params, body, services }) => {
  return transactAcross({ caller, origin, services }, 'operator', lockPerson, async (crossTenant, record) => {
    const person =
      (await crossTenant.first(setLocked, { personId: params.id, reason: body.reason })) ??
      fail('PERSON_NOT_FOUND')
    if (params.id === caller.personId) fail('NOT_ON_YOURSELF')
    await recordInOrganizations(crossTenant, services, record, person.id, caller.organizationId)
    return person
  })
})

export const unlock = workflow(unlockPerson, async ({ caller, origin, params, services }) => {
  return transactAcross(
    { caller, origin, services },
    'operator',
    unlockPerson,
    async (crossTenant, record) => {
      const person =
        (await crossTenant.first(setUnlocked, { personId: params.id })) ?? fail('PERSON_NOT_FOUND')
      await recordInOrganizations(crossTenant, services, record, person.id, caller.organizationId)
      return person
    },
  )
})

/** Writes the audit row in each organization of the person or, without one, in the operator's own. */
async function recordInOrganizations(
  crossTenant: CrossTenantTx,
  services: AccessServices,
  record: RecordAudit,
  personId: string,
  operatorOrganizationId: string,
): Promise<void> {
  const organizations = await crossTenant.rows(organizationsOfPerson, { personId })
  const recording = organizations.length > 0 ? organizations : [{ id: operatorOrganizationId }]
  for (const { id } of recording) {
    const tx = crossTenant.of(id)
    if (organizations.length > 0) await ownAccessChanged(tx, services, { personId: '' }, personId)
    await record(tx, { subject: personId, changed: ['lockedAt'] })
  }
}
