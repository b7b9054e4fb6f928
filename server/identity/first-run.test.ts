import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOrganizations } from '#contract/identity/operator.ts'
import { getOrganization, listMembers } from '#contract/identity/organization.ts'
import { getSessionToken, readCaller } from '#contract/identity/sessions.ts'
import { listDepartments, listWorkspaces } from '#contract/identity/units.ts'
import { connect } from '#sdk/client.ts'
import { exactly, itemAt } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { createOperator, createOrganization, isFirstRun, seedDemo } from './first-run.ts'

const password = 'Vierzig blaue Traktoren'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function signedIn(email: string, withPassword: string) {
  const answer = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: withPassword }),
  })
  const session = connect(server.url, { token: answer.headers.get('set-auth-token') ?? '' })
  return server.client((await session.call(getSessionToken, {})).token)
}

test('the demo is created completely or not at all, and its people can sign in', async () => {
  const { database } = server.api.services
  const { signIn } = server.api.identity
  expect(await isFirstRun(database)).toBe(true)
  const furnished: string[] = []
  const demo = await seedDemo(database, signIn, [
    async (tx, { id }) => void furnished.push(tx.organizationId, id),
  ])
  expect(await isFirstRun(database)).toBe(false)
  await expect(seedDemo(database, signIn)).rejects.toMatchObject({ code: 'PERSON_EXISTS' })
  expect(await server.sql('select 1 from organization')).toHaveLength(3)

  const [acme, borealis] = exactly(2, demo.organizations)
  expect(furnished).toEqual([acme.id, acme.id, borealis.id, borealis.id])
  expect(demo).toEqual({
    operator: { email: expect.any(String), password: expect.any(String) },
    organizations: [
      { id: acme.id, name: 'Acme Studio', plan: 'ENTERPRISE', people: expect.any(Array), applications: [] },
      { id: borealis.id, name: 'Borealis', plan: 'FREE', people: expect.any(Array), applications: [] },
    ],
  })
  expect(acme.people.map(person => person.role)).toEqual(['OWNER', 'ADMIN', 'MEMBER', 'MEMBER'])
  expect(borealis.people.map(person => person.role)).toEqual(['OWNER', 'MEMBER'])
  const passwords = [demo.operator, ...acme.people, ...borealis.people].map(person => person.password)
  expect(new Set(passwords).size).toBe(7)
  for (const { id, people } of demo.organizations) {
    for (const person of people) {
      const client = await signedIn(person.email, person.password)
      expect(await client.call(getOrganization, {})).toMatchObject({ id })
      expect((await client.call(listMembers, {})).total).toBe(people.length)
    }
  }
  const jonas = await signedIn(itemAt(acme.people, 3).email, itemAt(acme.people, 3).password)
  expect((await jonas.call(listDepartments, {})).items.map(unit => unit.name)).toEqual([
    'Design',
    'Engineering',
  ])
  expect((await jonas.call(listWorkspaces, {})).total).toBe(1)
  expect(await jonas.call(readCaller, {})).toMatchObject({ departmentIds: [expect.any(String)] })
  const operator = await signedIn(demo.operator.email, demo.operator.password)
  expect((await operator.call(listOrganizations, {})).total).toBe(3)
})

test('operators share one organization, and sign in with their password', async () => {
  const { database } = server.api.services
  const { signIn } = server.api.identity
  const given = { email: ' Second@Operators.test', name: 'Second', password }
  await createOperator(database, signIn, given)
  const client = await signedIn('second@operators.test', password)
  expect(await client.call(readCaller, {})).toMatchObject({ isOperator: true, isAdministrator: true })
  expect((await client.call(listMembers, {})).total).toBe(2)
  await expect(createOperator(database, signIn, given)).rejects.toMatchObject({ code: 'PERSON_EXISTS' })
  for (const bad of [
    { email: 'nobody' },
    { name: ' ' },
    { name: 'two\nlines' },
    { password: 'password1234' },
  ]) {
    const attempt = createOperator(database, signIn, { ...given, email: 'third@operators.test', ...bad })
    await expect(attempt).rejects.toMatchObject({ status: 400 })
  }
  expect(await server.sql(`select 1 from person where email = 'third@operators.test'`)).toEqual([])
})

test('an organization without members is recorded as created on the command line', async () => {
  const { id } = await createOrganization(server.api.services.database, { name: 'Empty', plan: 'TEAM' })
  await server.relayed()
  const rows = await server.sql(
    'select operation, auth, actor_id, client, subject from audit where organization_id = $1',
    [id],
  )
  expect(rows).toEqual([
    {
      operation: 'create organization',
      auth: 'operator',
      actor_id: null,
      client: 'command line',
      subject: id,
    },
  ])
})
