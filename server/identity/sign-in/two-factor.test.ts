import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { codeOf } from '#tests/support/identity/totp.ts'
import {
  openSignInServer,
  type SignInClient,
  type SignInServer,
  strongPassword,
  testSecret,
} from './test-server.ts'

let server: SignInServer
beforeAll(async () => {
  server = await openSignInServer()
})
beforeEach(() => server.forgetRates())
afterAll(() => server.close())

async function enrolled(email: string) {
  const { id } = await server.person(email)
  const page = server.client()
  await page.signIn(email)
  const { body } = await page.post('/two-factor/enable', { password: strongPassword })
  const { totpURI, backupCodes } = body as { totpURI: string; backupCodes: string[] }
  expect((await page.post('/two-factor/verify-totp', { code: codeOf(totpURI) })).status).toBe(200)
  return { id, page, totpURI, backupCodes }
}

async function challenged(email: string): Promise<SignInClient> {
  const page = server.client()
  const { status, body } = await page.signIn(email)
  expect({ status, body }).toEqual({
    status: 200,
    body: { twoFactorRedirect: true, twoFactorMethods: ['totp'] },
  })
  return page
}

test('codes are required after the first verified code; then a password alone is not enough', async () => {
  const { id } = await server.person('ada@example.com')
  const page = server.client()
  await page.signIn('ada@example.com')
  expect((await page.post('/two-factor/enable', { password: 'wrong' })).body).toMatchObject({
    errorCode: 'INVALID_PASSWORD',
  })
  const enabling = await page.post('/two-factor/enable', { password: strongPassword })
  expect(enabling.body).toEqual({
    method: 'totp',
    totpURI: expect.stringMatching(/^otpauth:\/\/totp\/Patio.*secret=[A-Z2-7]{52}.*digits=6&period=30/),
    backupCodes: expect.arrayContaining([expect.stringMatching(/^[\w]{5}-[\w]{5}$/)]),
  })
  expect(enabling.body.backupCodes).toHaveLength(10)
  // not proven yet: the password is still enough
  expect((await server.client().signIn('ada@example.com')).body).toMatchObject({ redirect: false })

  const { totpURI } = enabling.body as { totpURI: string }
  expect((await page.post('/two-factor/verify-totp', { code: '000000' })).body).toMatchObject({
    errorCode: 'INVALID_CODE',
  })
  server.ended.length = 0
  expect((await page.post('/two-factor/verify-totp', { code: codeOf(totpURI) })).body).toMatchObject({
    user: { email: 'ada@example.com' },
  })
  // the session is renewed: the one from before the change is gone
  expect(server.ended).toContain(id)
  expect((await page.get('/get-session')).body).toMatchObject({ user: { twoFactorEnabled: true } })

  const next = await challenged('ada@example.com')
  expect((await next.get('/get-session')).body).toBeNull()
  expect((await next.get('/list-sessions')).status).toBe(401)
  expect([...next.cookies.keys()]).toEqual(['patio.two_factor'])
  expect((await next.post('/two-factor/verify-totp', { code: codeOf(totpURI, 1) })).status).toBe(200)
  expect((await next.get('/get-session')).body).toMatchObject({ user: { email: 'ada@example.com' } })

  const { rows } = await server.pool.query(
    'select secret, backup_codes from two_factor where person_id = $1',
    [id],
  )
  const secret = defined(new URL(totpURI).searchParams.get('secret'))
  for (const hidden of [secret, ...(enabling.body.backupCodes as string[])]) {
    expect(JSON.stringify(rows)).not.toContain(hidden)
    expect(server.logged()).not.toContain(hidden)
  }
})

test('a code without a challenge is refused', async () => {
  const { totpURI } = await enrolled('alone@example.com')
  expect(await server.client().post('/two-factor/verify-totp', { code: codeOf(totpURI, 1) })).toMatchObject({
    status: 401,
    body: { errorCode: 'INVALID_TWO_FACTOR_COOKIE' },
  })
})

test('a code signs in once', async () => {
  const { totpURI } = await enrolled('replay@example.com')
  const code = codeOf(totpURI, 1)
  const first = await challenged('replay@example.com')
  expect((await first.post('/two-factor/verify-totp', { code })).status).toBe(200)
  const second = await challenged('replay@example.com')
  expect(await second.post('/two-factor/verify-totp', { code })).toMatchObject({
    status: 401,
    body: { errorCode: 'INVALID_CODE' },
  })
  expect((await second.get('/get-session')).body).toBeNull()
})

test('a backup code signs in once, also concurrently', async () => {
  const { backupCodes } = await enrolled('backup@example.com')
  const pages = [await challenged('backup@example.com'), await challenged('backup@example.com')]
  const answers = await Promise.all(
    pages.map(page => page.post('/two-factor/verify-backup-code', { code: backupCodes[0] })),
  )
  expect(answers.map(({ status }) => status).filter(status => status === 200)).toHaveLength(1)
  const again = await challenged('backup@example.com')
  expect(await again.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).toMatchObject({
    status: 401,
    body: { errorCode: 'INVALID_BACKUP_CODE' },
  })
  expect((await again.post('/two-factor/verify-backup-code', { code: backupCodes[1] })).status).toBe(200)
})

test('new backup codes replace the old ones and require the password', async () => {
  const { page, backupCodes } = await enrolled('renew@example.com')
  const renew = (password: string) => page.post('/two-factor/generate-backup-codes', { password })
  expect((await renew('wrong')).body).toMatchObject({ errorCode: 'INVALID_PASSWORD' })
  const { body } = await renew(strongPassword)
  expect(body.backupCodes).toHaveLength(10)
  const next = await challenged('renew@example.com')
  expect((await next.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status).toBe(401)
  const [fresh] = body.backupCodes as string[]
  expect((await next.post('/two-factor/verify-backup-code', { code: fresh })).status).toBe(200)
})

test('ten wrong codes lock the second factor for a while, over all challenges', async () => {
  const { totpURI } = await enrolled('guess@example.com')
  for (let attempt = 0; attempt < 10; attempt++) {
    if (attempt % 5 === 0) await server.forgetRates()
    const page = await challenged('guess@example.com')
    expect(
      (await page.post('/two-factor/verify-totp', { code: String(attempt).padStart(6, '9') })).status,
    ).toBe(401)
  }
  await server.forgetRates()
  const page = await challenged('guess@example.com')
  const { status, headers, body } = await page.post('/two-factor/verify-totp', { code: codeOf(totpURI, 1) })
  expect({ status, body }).toMatchObject({
    status: 429,
    body: { errorCode: 'ACCOUNT_TEMPORARILY_LOCKED', retryAfterSeconds: 900 },
  })
  expect(headers.get('retry-after')).toBe('900')
})

test('one challenge allows five wrong codes', async () => {
  const { totpURI } = await enrolled('five@example.com')
  const page = await challenged('five@example.com')
  for (let attempt = 0; attempt < 5; attempt++) {
    expect(
      (await page.post('/two-factor/verify-totp', { code: String(attempt).padStart(6, '8') })).status,
    ).toBe(401)
  }
  expect((await page.post('/two-factor/verify-totp', { code: codeOf(totpURI, 1) })).body).toMatchObject({
    errorCode: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
  })
  expect((await page.get('/get-session')).body).toBeNull()
})

test('a trusted device needs no code until the password changes', async () => {
  const { id, totpURI } = await enrolled('trust@example.com')
  const page = await challenged('trust@example.com')
  await page.post('/two-factor/verify-totp', { code: codeOf(totpURI, 1), trustDevice: true })
  await page.post('/sign-out')
  expect((await page.signIn('trust@example.com')).body).toMatchObject({ redirect: false })
  await server.signIn.setPassword(id, 'Sieben grüne Enten')
  expect((await page.signIn('trust@example.com', 'Sieben grüne Enten')).body).toMatchObject({
    twoFactorRedirect: true,
  })
})

test('a person who is locked between password and code cannot sign in', async () => {
  const { id, totpURI } = await enrolled('late@example.com')
  const page = await challenged('late@example.com')
  await server.lock(id)
  expect((await page.post('/two-factor/verify-totp', { code: codeOf(totpURI, 1) })).body).toMatchObject({
    errorCode: 'PERSON_LOCKED',
  })
  expect((await page.get('/get-session')).body).toBeNull()
})

test('turning codes off requires the password', async () => {
  const { page } = await enrolled('off@example.com')
  expect((await page.post('/two-factor/disable', { password: 'wrong' })).body).toMatchObject({
    errorCode: 'INVALID_PASSWORD',
  })
  expect((await page.post('/two-factor/disable', { password: strongPassword })).body).toEqual({
    status: true,
  })
  expect((await server.client().signIn('off@example.com')).body).toMatchObject({ redirect: false })
})

test('after a change of the secret, old codes still work and old sessions do not', async () => {
  const { page, totpURI } = await enrolled('hedy@example.com')
  const moved = await openSignInServer({
    pool: server.pool,
    secret: 'another secret that came after the first one',
    formerSecrets: [testSecret],
  })
  try {
    const session = defined(page.cookies.get('patio.session_token'))
    const cookie = `patio.session_token=${session}`
    expect((await moved.client().get('/list-sessions', { cookie })).status).toBe(401)
    const again = moved.client()
    expect((await again.signIn('hedy@example.com')).body).toMatchObject({ twoFactorRedirect: true })
    const { body } = await again.post('/two-factor/verify-totp', { code: codeOf(totpURI, 1) })
    expect(body).toMatchObject({ user: { email: 'hedy@example.com' } })
  } finally {
    await moved.close()
  }
})
