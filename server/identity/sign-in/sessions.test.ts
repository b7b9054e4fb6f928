import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findIn, firstOf, only } from '#tests/support/elements.ts'
import { insertMany, insertRows, onPool, secondsAgo } from '#tests/support/rows.ts'
import { sessionOf } from './mount.ts'
import { deleteExpired } from './sign-in.sql.ts'
import { openSignInServer, type SignInReply, type SignInServer } from './test-server.ts'

let server: SignInServer
let adaId: string
beforeAll(async () => {
  server = await openSignInServer()
  adaId = (await server.person('ada@example.com')).id
})
beforeEach(async () => {
  await server.pool.query('delete from session')
  await server.forgetRates()
  server.ended.length = 0
})
afterAll(() => server.close())

async function signedIn(email = 'ada@example.com') {
  const page = server.client()
  expect((await page.signIn(email)).status).toBe(200)
  return page
}
type Listed = { id: string; isCurrent: boolean }[]
const listed = ({ body }: SignInReply) => body as unknown as Listed
const cookieOf = (page: { cookies: Map<string, string> }) => ({
  cookie: [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
})

test('a person sees their own sessions, newest first, without any token', async () => {
  await server.person('grace@example.com')
  await signedIn('grace@example.com')
  await signedIn()
  const page = await signedIn()
  const answer = await page.get('/list-sessions')
  expect(listed(answer)).toHaveLength(2)
  expect(listed(answer)[0]).toEqual({
    id: expect.stringMatching(/^c[0-9a-z]{24}$/),
    createdAt: expect.stringMatching(/Z$/),
    expiresAt: expect.stringMatching(/Z$/),
    ipAddress: '127.0.0.1',
    userAgent: 'node',
    isCurrent: true,
  })
  expect(listed(answer)[1]).toMatchObject({ isCurrent: false })
})

test('sessions are listed even if the sign-in is days old', async () => {
  const page = await signedIn()
  await server.pool.query("update session set created_at = now() - interval '3 days'")
  expect((await page.get('/list-sessions')).status).toBe(200)
})

test('one session can be revoked by its id, and only by its owner', async () => {
  const [page, other] = [await signedIn(), await signedIn()]
  const stranger = await (async () => {
    await server.person('eve@example.com')
    return signedIn('eve@example.com')
  })()
  const target = findIn(listed(await other.get('/list-sessions')), session => session.isCurrent).id

  expect((await stranger.post('/revoke-session', { id: target })).body).toEqual({ status: true })
  expect((await other.get('/list-sessions')).status).toBe(200)
  expect(server.ended).toEqual([])

  expect((await page.post('/revoke-session', { id: target })).body).toEqual({ status: true })
  expect((await other.get('/list-sessions')).status).toBe(401)
  expect((await page.get('/list-sessions')).status).toBe(200)
  expect(server.ended).toEqual([adaId])
  expect((await page.post('/revoke-session', {})).body).toMatchObject({ errorCode: 'VALIDATION_ERROR' })
  expect((await server.client().post('/revoke-session', { id: target })).status).toBe(401)
})

test('revoking the current session signs out', async () => {
  const page = await signedIn()
  const { id } = only(listed(await page.get('/list-sessions')))
  await page.post('/revoke-session', { id })
  expect(page.cookies.size).toBe(0)
})

test('all other sessions, or all, can be revoked at once', async () => {
  const page = await signedIn()
  const others = [await signedIn(), await signedIn()]
  await insertMany(onPool(server.pool), 'session', 150, () => ({ person_id: adaId }))
  expect((await page.post('/revoke-other-sessions')).body).toEqual({ status: true })
  expect(listed(await page.get('/list-sessions'))).toHaveLength(1)
  expect((await server.pool.query('select 1 from session')).rowCount).toBe(1)
  for (const other of others) expect((await other.get('/list-sessions')).status).toBe(401)
  expect(server.ended).toEqual([adaId])

  const again = await signedIn()
  expect((await page.post('/revoke-sessions', {})).body).toEqual({ status: true })
  expect((await again.get('/list-sessions')).status).toBe(401)
  expect((await page.get('/list-sessions')).status).toBe(401)
  expect(server.ended).toEqual([adaId, adaId])
})

test('signing out ends the session and announces it', async () => {
  const page = await signedIn()
  const cookie = cookieOf(page)
  expect((await page.post('/sign-out')).body).toEqual({ success: true })
  expect(page.cookies.size).toBe(0)
  expect(server.ended).toEqual([adaId])
  expect((await server.client().get('/list-sessions', cookie)).status).toBe(401)
})

test('an expired session is invalid, is deleted on use and announced', async () => {
  const page = await signedIn()
  const cookie = cookieOf(page)
  expect(await sessionOf(server.signIn, cookie)).not.toBeNull()
  await server.pool.query("update session set expires_at = now() - interval '1 second'")
  expect(await sessionOf(server.signIn, cookie)).toBeNull()
  expect((await page.get('/get-session')).body).toBeNull()
  expect((await server.pool.query('select 1 from session')).rowCount).toBe(0)
  expect(server.ended).toEqual([adaId])
})

test('a session in use is extended at most once a day', async () => {
  const page = await signedIn()
  const expiry = async () =>
    (await server.pool.query('select expires_at from session')).rows[0].expires_at as string
  const first = await expiry()
  await page.get('/get-session')
  expect(await expiry()).toBe(first)
  await server.pool.query("update session set expires_at = now() + interval '12 days'")
  const { headers } = await page.get('/get-session')
  expect(Date.parse(await expiry())).toBeGreaterThan(Date.parse(first) - 1)
  expect(headers.getSetCookie()).toHaveLength(1)
})

test('sessionOf reads cookie or bearer, with one query, or none for a forged token', async () => {
  const { body } = await server.client('tool').signIn('ada@example.com')
  const token = String(body.token)
  const queries: string[] = []
  const counting = {
    ...server.signIn,
    pool: Object.assign(Object.create(server.pool), {
      query: (query: { text: string }) => {
        queries.push(query.text)
        return server.pool.query(query)
      },
    }),
  }
  const expected = {
    sessionId: expect.stringMatching(/^c[0-9a-z]{24}$/),
    personId: adaId,
    expiresAt: expect.any(Date),
  }
  const cookie = `a=b; patio.session_token=${encodeURIComponent(token)}; c=d`
  expect(await sessionOf(counting, { authorization: `Bearer ${token}` })).toEqual(expected)
  expect(await sessionOf(counting, { cookie })).toEqual(expected)
  // a session JWT in the header leaves the cookie in charge
  expect(
    await sessionOf(counting, { cookie, authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln' }),
  ).toEqual(expected)
  expect(queries).toHaveLength(3)

  const forged = [
    `${token.split('.')[0]}.AAAA`,
    `x${token}`,
    firstOf(token.split('.')),
    '.',
    'a.',
    '%E0%A4%A',
  ]
  for (const value of forged) {
    expect(await sessionOf(counting, { authorization: `Bearer ${value}` })).toBeNull()
    expect(await sessionOf(counting, { cookie: `patio.session_token=${value}` })).toBeNull()
  }
  expect(await sessionOf(counting, {})).toBeNull()
  expect(queries).toHaveLength(3)
})

test('sessionOf returns no session of a locked person, even one created during the lock', async () => {
  const { id } = await server.person('trent@example.com')
  const page = await signedIn('trent@example.com')
  const cookie = cookieOf(page)
  await server.pool.query('update person set locked_at = now() where id = $1', [id])
  expect(await sessionOf(server.signIn, cookie)).toBeNull()
})

test('a failing listener does not keep a session alive', async () => {
  const deaf = await openSignInServer()
  try {
    const { id } = await deaf.person('ada@example.com')
    const page = deaf.client()
    await page.signIn('ada@example.com')
    deaf.ended.push = () => {
      throw new Error('the bus is away')
    }
    expect((await page.post('/sign-out')).status).toBe(200)
    expect((await deaf.pool.query('select 1 from session')).rowCount).toBe(0)
    expect(deaf.logged()).toContain('ended sessions could not be announced')
    expect(deaf.logged()).toContain(id)
  } finally {
    await deaf.close()
  }
})

test('housekeeping only deletes expired rows', async () => {
  await signedIn()
  const on = onPool(server.pool)
  const past = secondsAgo(86_400)
  await insertRows(on, 'session', [{ person_id: adaId, expires_at: past }])
  await insertRows(on, 'verification', [
    { value: 'b', expires_at: past },
    { value: 'b', expires_at: secondsAgo(-86_400) },
  ])
  await insertRows(on, 'sign_in_rate', [{ key: 'gone', count: 1, resets_at: secondsAgo(1) }])
  await deleteExpired(server.pool, 1_000)
  const { rows } = await server.pool.query(
    `select (select count(*)::int from session) as sessions, (select count(*)::int from verification where value = 'b') as verifications,
       (select count(*)::int from sign_in_rate where key = 'gone') as rates`,
  )
  expect(rows[0]).toEqual({ sessions: 1, verifications: 1, rates: 0 })
})
