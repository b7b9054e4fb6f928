import { readPreferences, setPreferences } from '#contract/identity/preferences.ts'
import { updateCaller } from '#contract/identity/sessions.ts'
import { fail } from '#platform/fail.ts'
import { query, type ServedOperation, workflow } from '#platform/http/operation.ts'
import { membershipsOfPerson, personById } from '../sessions/session.sql.ts'
import { transactAcross } from '../transact-across.ts'
import { lockPerson, preferencesOf, renamePerson, upsertPreferences } from './person.sql.ts'

const read = query(readPreferences, async ({ caller, services: { database } }) => {
  return (
    (await database.crossTenant.first(preferencesOf, { personId: caller.personId })) ??
    fail('UNAUTHENTICATED')
  )
})

/** Preferences concern no organization, so no audit log has an entry for them (AUD-1). */
const set = workflow(setPreferences, async ({ caller, body, services: { database } }) => {
  const { personId } = caller
  const organizationId = body.lastOrganizationId
  if (organizationId) {
    const memberships = await database.crossTenant.rows(membershipsOfPerson, { personId })
    if (!memberships.some(({ id }) => id === organizationId)) fail('ORGANIZATION_NOT_FOUND')
  }
  return database.transactCrossTenant(async crossTenant => {
    await crossTenant.first(lockPerson, { personId })
    const before = await crossTenant.one(preferencesOf, { personId })
    const after = { ...before, ...body }
    await crossTenant.first(upsertPreferences, {
      personId,
      language: after.language,
      theme: after.theme,
      density: after.density,
      singleKeyShortcuts: after.singleKeyShortcuts,
      lastOrganizationId: after.lastOrganizationId,
    })
    return after
  })
})

/** Renames the person, with an audit entry in each organization (SGN-24). */
const rename = workflow(updateCaller, async ({ caller, origin, body, services }) => {
  const context = { caller, origin, services }
  return transactAcross(context, 'account', updateCaller, async (crossTenant, record) => {
    const name = body.name.trim()
    const before =
      (await crossTenant.first(lockPerson, { personId: caller.personId })) ?? fail('UNAUTHENTICATED')
    if (name !== before.name) {
      const renamed = await crossTenant.rows(renamePerson, { personId: caller.personId, name })
      for (const { organization_id } of renamed)
        await record(crossTenant.of(organization_id), { subject: caller.personId, changed: ['name'] })
    }
    return { person: await crossTenant.one(personById, { personId: caller.personId }) }
  })
})

/** The operations of the signed-in person, in no organization: `/api/auth`. */
export const personOperations: ServedOperation[] = [read, set, rename]
