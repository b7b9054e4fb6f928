import type { OperatedOrganization } from '#contract/identity/operator.ts'
import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import { planIncludes } from '#contract/permissions.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { recordAccessChange } from '../person.access.ts'
import { isSameSet } from '../roles/role.rules.ts'
import { applyOverrides } from '../sessions/callers.ts'
import { changeAddress } from './address.ts'
import { lockOrganization, organizationOf, setOrganizationSettings } from './organization.sql.ts'

export const get = query(getOrganization, async ({ db }) => {
  return showOrganization((await db.first(organizationOf)) ?? fail('UNAUTHENTICATED'))
})

export const update = command(updateOrganization, async ({ tx, caller, body, services, audit }) => {
  const before = (await tx.first(lockOrganization)) ?? fail('UNAUTHENTICATED')
  const { features = before.features } = body
  const name = body.name?.trim() ?? before.name
  const publisherName = (body.publisherName === undefined ? before : body).publisherName?.trim() ?? null
  const { address = before.address } = body
  const isMoved = address !== before.address
  if (isMoved) await changeAddress(tx, address)
  const after = await tx.one(setOrganizationSettings, { name, features, publisherName })
  const isSame = isSameSet(features, before.features)
  if (!isSame) await recordAccessChange(tx, services, null)
  audit(caller.organizationId, [
    ...(name === before.name ? [] : ['name']),
    ...(isMoved ? ['address'] : []),
    ...(isSame ? [] : ['features']),
    ...(publisherName === before.publisherName ? [] : ['publisherName']),
  ])
  return showOrganization(after)
})

/** The organization for its members: the result of the plan and the operator's exceptions. */
function showOrganization(row: OperatedOrganization) {
  const { id, name, address, plan, features, publisherName, publisherVerified, createdAt } = row
  const { modules, capabilities } = planIncludes[plan]
  return {
    id,
    name,
    address,
    plan,
    modules: [...applyOverrides(modules, row.modulesAdded, row.modulesRemoved)],
    capabilities: [...applyOverrides(capabilities, row.capabilitiesAdded, row.capabilitiesRemoved)],
    features,
    publisherName,
    publisherVerified,
    createdAt,
  }
}
