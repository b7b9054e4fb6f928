import { afterAll, beforeAll, expect, test } from 'vitest'
import { addOperator, listOperators, listOrganizations, removeOperator } from '#contract/identity/operator.ts'
import { listOwnOrganizations, readCaller } from '#contract/identity/sessions.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  operator = await server.operator()
})
afterAll(() => server.close())

const removed = (by: Person, personId: string) => by.send(removeOperator, { params: { personId } })

test('an operator makes a person an operator by their address, and ends it; both take effect at once', async () => {
  const person = await (await server.organization()).person()
  const body = { email: person.email.toUpperCase() }
  const added = await operator.call(addOperator, { body })
  expect(added).toEqual({
    personId: person.id,
    name: person.name,
    email: person.email,
    lockedAt: null,
    since: expect.any(String),
  })
  expect(refusalOf(await operator.send(addOperator, { body }))).toEqual([409, 'ALREADY_OPERATOR'])
  expect((await operator.call(listOperators)).items).toContainEqual(added)

  const { token } = await server.api.identity.tokens.sign('session', {
    personId: person.id,
    organizationId: operator.organizationId,
    sessionId: person.sessionId,
  })
  const there = server.client(token)
  expect(await there.call(readCaller)).toMatchObject({ isOperator: true, isAdministrator: true })
  expect((await there.send(listOrganizations)).status).toBe(200)
  // the rights are those of an operator at home only
  expect(refusalOf(await person.send(listOrganizations))).toEqual([403, 'PERMISSION_DENIED'])
  const { items } = await (await signedInAccount(server, person)).call(listOwnOrganizations)
  expect(items.filter(({ isOperator }) => isOperator).map(({ id }) => id)).toEqual([operator.organizationId])

  expect((await removed(operator, person.id)).status).toBe(204)
  expect(await there.call(readCaller)).toMatchObject({ isOperator: false, isAdministrator: false })
  expect(refusalOf(await there.send(listOrganizations))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await removed(operator, person.id))).toEqual([404, 'PERSON_NOT_FOUND'])
  await server.relayed()
  const rows = await server.sql(
    'select organization_id, operation, changed from audit where subject = $1 order by seq',
    [person.id],
  )
  const entry = { organization_id: operator.organizationId, changed: ['operator'] }
  expect(rows).toEqual([
    { ...entry, operation: 'POST /api/operator/operators' },
    { ...entry, operation: 'DELETE /api/operator/operators/:personId' },
  ])
})

test('nobody removes themselves, and of two who remove each other one stays', async () => {
  expect(refusalOf(await removed(operator, operator.id))).toEqual([409, 'NOT_ON_YOURSELF'])
  expect(refusalOf(await operator.send(addOperator, { body: { email: 'nobody@example.test' } }))).toEqual([
    404,
    'PERSON_NOT_FOUND',
  ])
  const other = await server.operator()
  const answers = await Promise.all([removed(operator, other.id), removed(other, operator.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 403])
  const left = await server.sql('select person_id from operator where person_id = any($1)', [
    [operator.id, other.id],
  ])
  expect(left).toHaveLength(1)
})
