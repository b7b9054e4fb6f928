import { addOperator, listOperators, removeOperator } from '#contract/identity/operator.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { insertMembership } from '../members/member.sql.ts'
import { recordAccessChange } from '../person.access.ts'
import { transactAcross } from '../transact-across.ts'
import {
  countedOperators,
  deleteOperator,
  insertOperator,
  listedOperators,
  lockOperators,
  operatorById,
  peopleWithEmail,
} from './operator.sql.ts'

export const list = query(listOperators, async ({ query, services: { database } }) => {
  const { limit, offset } = pageOf(query)
  const [items, count] = await Promise.all([
    database.crossTenant.rows(listedOperators, { limit, offset }),
    database.crossTenant.one(countedOperators),
  ])
  return { items, total: count.total, limit, offset }
})

/** OPR-10. */
export const add = workflow(addOperator, async ({ caller, origin, body, services }) => {
  const context = { caller, origin, services }
  return transactAcross(context, 'operator', addOperator, async (crossTenant, record) => {
    const operators = await lockedOperators(crossTenant, caller.personId)
    const [person] = await crossTenant.rows(peopleWithEmail, { email: body.email.toLowerCase() })
    if (!person) fail('PERSON_NOT_FOUND')
    if (operators.some(({ person_id }) => person_id === person.id)) fail('ALREADY_OPERATOR')
    const tx = crossTenant.of(caller.organizationId)
    await tx.first(insertMembership, {
      personId: person.id,
      role: 'MEMBER',
      roleId: null,
      name: person.name,
      email: person.email,
    })
    await crossTenant.first(insertOperator, { personId: person.id, homeId: caller.organizationId })
    await recordAccessChange(tx, services, person.id)
    await record(tx, { subject: person.id, changed: ['operator'] })
    return crossTenant.one(operatorById, { personId: person.id })
  })
})

export const remove = workflow(removeOperator, async ({ caller, origin, params, services }) => {
  const context = { caller, origin, services }
  await transactAcross(context, 'operator', removeOperator, async (crossTenant, record) => {
    const operators = await lockedOperators(crossTenant, caller.personId)
    const removed = operators.find(({ person_id }) => person_id === params.personId)
    if (!removed) fail('PERSON_NOT_FOUND')
    if (removed.person_id === caller.personId) fail('NOT_ON_YOURSELF')
    await crossTenant.first(deleteOperator, { personId: removed.person_id })
    const tx = crossTenant.of(removed.home_id)
    await recordAccessChange(tx, services, removed.person_id)
    await record(tx, { subject: removed.person_id, changed: ['operator'] })
  })
})

/** Locks the operators. The caller may have been removed since the request was admitted. */
async function lockedOperators(crossTenant: CrossTenantTx, callerId: string) {
  const operators = await crossTenant.rows(lockOperators)
  if (!operators.some(({ person_id }) => person_id === callerId)) fail('PERMISSION_DENIED')
  return operators
}
