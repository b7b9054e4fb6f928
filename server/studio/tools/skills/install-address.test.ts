import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateOperatedOrganization } from '#contract/identity/operator.ts'
import { listPersonalTokens, revokePersonalToken } from '#contract/identity/personal-tokens.ts'
import { limits } from '#contract/limits.ts'
import { callMcp, indexSkills, listPlugins, makeInstallAddress } from '#contract/studio/tools.ts'
import { newId } from '#platform/ids.ts'
import { only } from '#tests/support/elements.ts'
import { makeToken } from '#tests/support/identity/personal-tokens.ts'
import { publishedAsset } from '#tests/support/studio/tools.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await (await server.organization()).person()
  await publishedAsset(person, { type: 'SKILL', name: 'A skill' })
})
afterAll(() => server?.close())

/** A new address, as its path. */
async function addressOf(outsider = person): Promise<string> {
  const { url } = await server.client(await makeToken(outsider)).call(makeInstallAddress)
  return new URL(url).pathname
}
const status = async (path: string, init: RequestInit = {}) =>
  (await fetch(`${server.url}${path}`, init)).status

test('an address opens the index without a token, for some minutes', async () => {
  const token = await makeToken(person)
  const created = await server.client(token).call(makeInstallAddress)
  expect(created.url).toMatch(new RegExp(`^${server.config.publicUrl}/t/[\\w.-]+$`))
  expect(created.url).not.toContain(token.slice(10, 40))
  const minutes = (Date.parse(created.expiresAt) - Date.now()) / 60_000
  expect(Math.abs(minutes - limits.toolAddressMinutes)).toBeLessThan(1)
  const response = await fetch(`${server.url}${new URL(created.url).pathname}${indexSkills.path}`)
  expect(await response.json()).toMatchObject({ skills: [{ name: 'a-skill' }] })
})

test('it opens nothing else, and is not a token', async () => {
  const address = await addressOf()
  for (const { method, path } of [callMcp, listPlugins, makeInstallAddress])
    expect(await status(`${address}${path}`, { method })).toBe(404)
  const text = address.slice('/t/'.length)
  expect((await server.client(text).send(indexSkills)).status).toBe(401)
})

test('a changed, invented or different address opens nothing', async () => {
  const address = await addressOf()
  const stranger = await (await server.organization()).person()
  const [organization, token, expires, seal] = address.slice('/t/'.length).split('.') as [
    string,
    string,
    string,
    string,
  ]
  const other = (await addressOf(stranger)).slice('/t/'.length).split('.')
  for (const parts of [
    [organization, token, String(Number(expires) + 60), seal],
    [organization, newId(), expires, seal],
    [other[0], token, expires, seal],
    [organization, token, expires, other[3]],
    [organization, token, expires, ''],
    [organization, token, expires],
    [organization, token, expires, seal, ''],
  ])
    expect(await status(`/t/${parts.join('.')}${indexSkills.path}`)).toBe(401)
  expect(await status(`/t/${'x'.repeat(400)}${indexSkills.path}`)).toBe(401)
  expect(await status(`${address}${indexSkills.path}`)).toBe(200)
})

test('it expires, however often it was used before', async () => {
  const { seals, database } = server.api.services
  const token = await makeToken(person)
  const row = only(
    await server.sql<{ id: string; now: number }>(
      'select id, extract(epoch from clock_timestamp())::float8 as now from personal_token order by id desc limit 1',
    ),
  )
  const until = (seconds: number) => {
    const payload = `${person.organizationId}.${row.id}.${Math.ceil(row.now + seconds)}`
    return `/t/${payload}.${seals.seal('tool address 1', payload)}${indexSkills.path}`
  }
  expect([token.length, database !== undefined]).toEqual([83, true])
  expect(await status(until(-2))).toBe(401)
  const short = until(1)
  expect(await status(short)).toBe(200)
  await expect.poll(() => status(short), { interval: 50 }).toBe(401)
})

test('it ends with its token and with the access of its owner', async () => {
  const outsider = await (await server.organization()).person({ role: 'OWNER' })
  const address = `${await addressOf(outsider)}${indexSkills.path}`
  expect(await status(address)).toBe(200)
  const token = only((await outsider.call(listPersonalTokens)).items)
  await outsider.call(revokePersonalToken, { params: { id: token.id } })
  expect(await status(address)).toBe(401)

  const again = `${await addressOf(outsider)}${indexSkills.path}`
  expect(await status(again)).toBe(200)
  const operator = await server.operator()
  await operator.call(updateOperatedOrganization, {
    params: { id: outsider.organizationId },
    body: { suspended: true, reason: 'because the test wants to see it' },
  })
  expect(await status(again)).toBe(403)
})
