import { afterAll, beforeAll, expect, test } from 'vitest'
import { getMember } from '#contract/identity/organization.ts'
import { readPreferences, setPreferences } from '#contract/identity/preferences.ts'
import { readCaller, updateCaller } from '#contract/identity/sessions.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('preferences have defaults, and a change leaves other fields as they are', async () => {
  const organization = await server.organization()
  const account = await signedInAccount(server, await organization.person())
  const defaults = {
    language: null,
    theme: 'system',
    density: 'usual',
    singleKeyShortcuts: true,
    lastOrganizationId: null,
  }
  expect(await account.call(readPreferences)).toEqual(defaults)
  const body = { language: 'es', theme: 'dark', lastOrganizationId: organization.id } as const
  expect(await account.call(setPreferences, { body })).toEqual({ ...defaults, ...body })
  const more = { density: 'compact', singleKeyShortcuts: false, language: null } as const
  await account.call(setPreferences, { body: more })
  expect(await account.call(readPreferences)).toEqual({ ...defaults, ...body, ...more })
})

test('simultaneous changes of different fields are all stored', async () => {
  const account = await signedInAccount(server, await (await server.organization()).person())
  await Promise.all([
    account.call(setPreferences, { body: { theme: 'light' } }),
    account.call(setPreferences, { body: { density: 'roomy' } }),
    account.call(setPreferences, { body: { language: 'en' } }),
  ])
  expect(await account.call(readPreferences)).toMatchObject({
    theme: 'light',
    density: 'roomy',
    language: 'en',
  })
})

test('the last organization is one of the person, as long as they belong to it', async () => {
  const [organization, other] = [await server.organization(), await server.organization()]
  const person = await organization.person()
  const account = await signedInAccount(server, person)
  const answer = await account.send(setPreferences, { body: { lastOrganizationId: other.id } })
  expect(refusalOf(answer)).toEqual([404, 'ORGANIZATION_NOT_FOUND'])
  await account.call(setPreferences, { body: { lastOrganizationId: organization.id } })
  await server.sql('update membership set removed_at = now() where person_id = $1', [person.id])
  expect(await account.call(readPreferences)).toMatchObject({ lastOrganizationId: null })
})

test('a session token of an organization does not open preferences', async () => {
  const person = await (await server.organization()).person()
  expect((await person.send(readPreferences)).status).toBe(401)
})

test('a person changes their name in all organizations, each of which records it', async () => {
  const [one, two] = [await server.organization(), await server.organization()]
  const person = await one.person({ name: 'Before' })
  const there = await two.joined(person)
  const account = await signedInAccount(server, person)
  const { person: after } = await account.call(updateCaller, { body: { name: ' After ' } })
  expect(after).toEqual({ id: person.id, name: 'After', email: person.email })
  for (const client of [person, there]) {
    expect((await client.call(readCaller)).person.name).toBe('After')
    const member = await client.call(getMember, { params: { personId: person.id } })
    expect(member.name).toBe('After')
  }
  await account.call(updateCaller, { body: { name: 'After' } })
  await server.relayed()
  const rows = await server.sql(
    `select organization_id, actor_id, auth, operation, changed from audit where subject = $1`,
    [person.id],
  )
  const entry = {
    actor_id: person.id,
    auth: 'account',
    operation: 'PATCH /api/auth/me',
    changed: ['name'],
  }
  expect(rows).toHaveLength(2)
  for (const { id } of [one, two]) expect(rows).toContainEqual({ organization_id: id, ...entry })
})
