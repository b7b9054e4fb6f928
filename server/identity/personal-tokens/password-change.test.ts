import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listPersonalTokens } from '#contract/identity/personal-tokens.ts'
import { defined } from '#tests/support/elements.ts'
import { insertSessions } from '#tests/support/identity/people.ts'
import { makeToken } from '#tests/support/identity/personal-tokens.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const password = 'Vierzig blaue Traktoren'
const newPassword = 'Sieben grüne Enten'
let server: TestServer
let home: Organization
let elsewhere: Organization
beforeAll(async () => {
  server = await startTestServer()
  home = await server.organization()
  elsewhere = await server.organization()
})
beforeEach(() => server.sql('delete from sign_in_rate'))
afterAll(() => server?.close())

/** A person with a password and a token in each of two organizations. */
async function someone(): Promise<{ person: Person; tokens: string[] }> {
  const person = await home.person()
  await server.api.identity.signIn.setPassword(person.id, password)
  await insertSessions(server, [{ sessionId: person.sessionId, personId: person.id }])
  const there = await elsewhere.joined(person)
  return { person, tokens: [await makeToken(person), await makeToken(there)] }
}
const post = async (path: string, body: object, token?: string) => {
  const answer = await fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const token_ = answer.headers.get('set-auth-token')
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
    token: token_ ?? undefined,
  }
}
const signIn = async ({ email }: Person, with_ = password) =>
  (await post('/sign-in/email', { email, password: with_ })).token
const opens = async (token: string) =>
  (
    await fetch(`${server.url}/.claude-plugin/marketplace.json`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status
const change = (token: string | undefined, more: object = {}) =>
  post('/change-password', { currentPassword: password, newPassword, ...more }, token)

test('a password reset revokes every personal access token in every organization', async () => {
  const { person, tokens } = await someone()
  const { tokens: ofSomebodyElse } = await someone()
  expect(await Promise.all(tokens.map(opens))).toEqual([200, 200])
  await post('/request-password-reset', { email: person.email })
  await expect.poll(() => mailsTo(server, person.email).length).toBe(1)
  const [mail = ''] = mailsTo(server, person.email)
  expect(mail).toContain('personal access tokens')
  const [, token] = defined(/#token=(\w+)/.exec(mail))
  expect(await post('/reset-password', { token, newPassword })).toMatchObject({ status: 200 })
  expect(await Promise.all(tokens.map(opens))).toEqual([401, 401])
  const again = await signIn(person, newPassword)
  expect(again).toBeDefined()
  const left = await server.sql('select 1 from personal_token where person_id = $1 and revoked_at is null', [
    person.id,
  ])
  expect(left).toEqual([])
  expect(await Promise.all(ofSomebodyElse.map(opens))).toEqual([200, 200])
})

test('a password change keeps them and returns their number', async () => {
  const { person, tokens } = await someone()
  const answer = await change(await signIn(person))
  expect(answer).toMatchObject({ status: 200, body: { personalTokens: 2, user: { id: person.id } } })
  expect(await Promise.all(tokens.map(opens))).toEqual([200, 200])
})

test('a password change revokes them on request', async () => {
  const { person, tokens } = await someone()
  expect(await Promise.all(tokens.map(opens))).toEqual([200, 200])
  const answer = await change(await signIn(person), { revokePersonalTokens: true })
  expect(answer).toMatchObject({ status: 200, body: { personalTokens: 0 } })
  expect(await Promise.all(tokens.map(opens))).toEqual([401, 401])
})

test('a refused change revokes nothing', async () => {
  const { person, tokens } = await someone()
  const session = await signIn(person)
  const wrong = await change(session, { currentPassword: 'Neun rote Esel', revokePersonalTokens: true })
  expect(wrong).toMatchObject({ status: 400, body: { errorCode: 'INVALID_PASSWORD' } })
  expect(await change(session, { revokePersonalTokens: 'yes' })).toMatchObject({
    status: 400,
    body: { errorCode: 'VALIDATION_ERROR', details: [{ path: 'revokePersonalTokens' }] },
  })
  expect((await change(session, { newPassword: 'password123', revokePersonalTokens: true })).status).toBe(400)
  expect(await Promise.all(tokens.map(opens))).toEqual([200, 200])
})

test('a password set by the operator revokes them too', async () => {
  const { person, tokens } = await someone()
  await server.api.identity.signIn.setPassword(person.id, newPassword)
  expect(await Promise.all(tokens.map(opens))).toEqual([401, 401])
  expect((await person.send(listPersonalTokens)).status).toBe(401)
})
