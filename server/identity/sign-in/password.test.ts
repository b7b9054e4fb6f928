import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { openSignInServer, type SignInServer, strongPassword } from './test-server.ts'

let server: SignInServer
beforeAll(async () => {
  server = await openSignInServer()
  await server.person('ada@example.com')
  await server.person('grace@example.com')
})
beforeEach(() => server.forgetRates())
afterAll(() => server.close())

test('the right password signs in; the page gets an HttpOnly cookie and no token', async () => {
  const page = server.client()
  const { status, headers, body } = await page.signIn('Ada@Example.com')
  expect(status).toBe(200)
  expect(body).toEqual({
    redirect: false,
    user: expect.objectContaining({ email: 'ada@example.com', name: 'Ada Example', twoFactorEnabled: false }),
  })
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^patio\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect(headers.get('set-auth-token')).toBeNull()
  expect(headers.get('cache-control')).toBe('no-store')
  const session = await page.get('/get-session')
  expect(session.body).toMatchObject({
    user: { email: 'ada@example.com' },
    session: { ipAddress: '127.0.0.1' },
  })
  expect(JSON.stringify(session.body)).not.toContain('token')
})

test('a tool gets a signed token, which works as bearer; the one in the database does not', async () => {
  const { headers, body } = await server.client('tool').signIn('ada@example.com')
  expect(body.token).toBe(headers.get('set-auth-token'))
  const tool = server.client('tool')
  const authorization = `Bearer ${body.token}`
  expect((await tool.get('/get-session', { authorization })).body).toMatchObject({
    user: { email: 'ada@example.com' },
  })
  expect(await server.signIn.readCredential({ authorization })).toBe(body.token)

  const [bare = ''] = String(body.token).split('.')
  expect((await server.pool.query('select 1 from session where token = $1', [bare])).rowCount).toBe(1)
  expect((await tool.get('/list-sessions', { authorization: `Bearer ${bare}` })).status).toBe(401)
  expect(
    (await tool.get('/list-sessions', { authorization: `Bearer ${bare}.${'A'.repeat(43)}=` })).status,
  ).toBe(401)

  expect((await tool.post('/sign-out', undefined, { authorization })).body).toEqual({ success: true })
  expect((await tool.get('/list-sessions', { authorization })).status).toBe(401)
})

test('a wrong password, an unknown e-mail and a person without password get the same reply', async () => {
  await server.signIn.createPerson({ email: 'linus@example.com', name: 'Linus' })
  const answers = []
  for (const email of ['ada@example.com', 'nobody@example.com', 'linus@example.com']) {
    const { status, headers, body } = await server.client().signIn(email, 'not the password at all')
    const shown = [...headers].filter(([name]) => name !== 'date')
    answers.push(JSON.stringify({ status, body, shown }))
  }
  expect(JSON.parse(firstOf(answers))).toMatchObject({
    status: 401,
    body: {
      statusCode: 401,
      error: 'Unauthorized',
      message: 'Invalid email or password',
      errorCode: 'INVALID_EMAIL_OR_PASSWORD',
    },
  })
  expect(new Set(answers).size).toBe(1)
})

test('an unknown e-mail costs as much processor time as a wrong password', async () => {
  for (let round = 0; round < 8; round++) await server.person(`slow${round}@example.com`)
  const best = { slow: Number.POSITIVE_INFINITY, none: Number.POSITIVE_INFINITY }
  // processor time, because the time on the clock counts how long a busy machine lets either of them wait
  for (let round = 0; round < 8; round++) {
    for (const who of ['slow', 'none'] as const) {
      const before = process.cpuUsage()
      await server.client().signIn(`${who}${round}@example.com`, 'not the password at all')
      const { user, system } = process.cpuUsage(before)
      best[who] = Math.min(best[who], user + system)
    }
  }
  // without the dummy hash an unknown e-mail takes a tenth
  expect(best.none).toBeGreaterThan(best.slow * 0.4)
})

test('a locked person cannot sign in, and has no valid session', async () => {
  const { id } = await server.person('mallory@example.com')
  const page = server.client()
  await page.signIn('mallory@example.com')
  await server.lock(id)
  expect((await page.get('/list-sessions')).status).toBe(401)

  const { status, body, headers } = await server.client().signIn('mallory@example.com')
  expect({ status, body }).toMatchObject({ status: 403, body: { errorCode: 'PERSON_LOCKED' } })
  expect(headers.getSetCookie()).toEqual([])
  expect((await server.client().signIn('mallory@example.com', 'a wrong password')).status).toBe(401)
  expect((await server.pool.query('select 1 from session where person_id = $1', [id])).rowCount).toBe(0)

  await server.unlock(id)
  expect((await server.client().signIn('mallory@example.com')).status).toBe(200)
})

test('ten wrong passwords from one address block the account for that address', async () => {
  for (let attempt = 1; attempt <= 10; attempt++) {
    expect((await server.client().signIn('ada@example.com', `wrong password ${attempt}`)).status).toBe(401)
  }
  const { status, headers, body } = await server.client().signIn('ada@example.com')
  expect(status).toBe(429)
  expect(body).toMatchObject({ statusCode: 429, errorCode: 'RATE_LIMIT_EXCEEDED' })
  expect(body.retryAfterSeconds).toBeGreaterThan(880)
  expect(headers.get('retry-after')).toBe(String(body.retryAfterSeconds))
  expect(headers.get('ratelimit-policy')).toBe('"sign-in";q=10;w=900')
  // only that account
  expect((await server.client().signIn('grace@example.com')).status).toBe(200)
  // an unknown e-mail is limited alike
  for (let attempt = 1; attempt <= 10; attempt++)
    await server.client().signIn('nobody@example.com', 'wrong password')
  expect((await server.client().signIn('nobody@example.com', 'wrong password')).status).toBe(429)
})

test('the right password resets the counter of wrong ones', async () => {
  for (let round = 0; round < 2; round++) {
    for (let attempt = 1; attempt <= 9; attempt++)
      await server.client().signIn('ada@example.com', 'wrong password')
    expect((await server.client().signIn('ada@example.com')).status).toBe(200)
  }
})

test('twenty concurrent attempts are counted exactly', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => server.client().signIn('ada@example.com', 'a wrong password')),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
})

test('there is no public sign-up and no unlisted route', async () => {
  const page = server.client()
  const unlisted = [
    '/sign-up/email',
    '/update-user',
    '/delete-user',
    '/change-email',
    '/verify-password',
    '/link-social',
  ]
  for (const path of unlisted) {
    const { status } = await page.post(path, {
      email: 'new@example.com',
      password: strongPassword,
      name: 'New',
    })
    expect({ path, status }).toEqual({ path, status: 404 })
  }
  expect((await page.get('/sign-in/email')).status).toBe(404)
  expect((await page.get('/ok')).status).toBe(404)
  expect((await page.post('/sign-in/social', { provider: 'oidc' })).status).toBe(404)
  expect((await page.get('/methods')).body).toEqual({ password: true, passkey: true, oidc: null })
})

test('other routes under the same prefix are not affected', async () => {
  expect((await server.client().get('/token')).body).toEqual({ token: 'ours' })
})

test('invalid bodies are refused with the usual error body', async () => {
  const page = server.client()
  const valid = { email: 'ada@example.com', password: strongPassword }
  const cases: [body: unknown, headers: Record<string, string>, status: number, errorCode: string][] = [
    ['{"email"', {}, 400, 'MALFORMED_BODY'],
    ['[]', {}, 400, 'VALIDATION_ERROR'],
    ['"text"', {}, 400, 'VALIDATION_ERROR'],
    [{}, {}, 400, 'VALIDATION_ERROR'],
    [{ ...valid, email: 'ada\0@example.com' }, {}, 400, 'VALIDATION_ERROR'],
    [{ ...valid, email: 'not an address' }, {}, 400, 'INVALID_EMAIL'],
    [{ ...valid, password: 7 }, {}, 400, 'VALIDATION_ERROR'],
    [{ ...valid, password: 'x'.repeat(129) }, {}, 400, 'PASSWORD_TOO_LONG'],
    [{ ...valid, padding: 'x'.repeat(66_000) }, {}, 413, 'BODY_TOO_LARGE'],
    ['email=ada', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]
  for (const [body, headers, status, errorCode] of cases) {
    const answer = await page.post('/sign-in/email', body, headers)
    expect(answer.body).toMatchObject({ statusCode: status, errorCode, message: expect.any(String) })
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body).sort()).toEqual(
      ['statusCode', 'error', 'message', 'errorCode', ...(answer.body.details ? ['details'] : [])].sort(),
    )
  }
  const missing = await page.post('/sign-in/email', { email: 'ada@example.com' })
  expect(missing.body.details).toEqual([{ path: 'password', code: 'INVALID', message: 'is required' }])
})

test('another origin cannot use the cookie or sign a visitor in', async () => {
  const page = server.client()
  await page.signIn('ada@example.com')
  const evil = { origin: 'https://evil.example' }
  expect((await page.post('/sign-out', {}, evil)).body).toMatchObject({
    statusCode: 403,
    errorCode: 'INVALID_ORIGIN',
  })
  expect((await page.get('/list-sessions')).status).toBe(200)
  const attempt = await server
    .client()
    .post('/sign-in/email', { email: 'ada@example.com', password: strongPassword }, evil)
  expect(attempt.body).toMatchObject({ statusCode: 403, errorCode: 'INVALID_ORIGIN' })
})

test('forwarded addresses count only with a trusted proxy', async () => {
  const page = server.client()
  await page.post(
    '/sign-in/email',
    { email: 'ada@example.com', password: strongPassword },
    { 'x-forwarded-for': '203.0.113.9', 'x-patio-client-address': '203.0.113.9' },
  )
  expect((await page.get('/get-session')).body).toMatchObject({ session: { ipAddress: '127.0.0.1' } })
})

test('changing the password requires the old one, refuses weak ones and ends the other sessions', async () => {
  const { id } = await server.person('alan@example.com')
  const [page, other] = [server.client(), server.client()]
  await page.signIn('alan@example.com')
  await other.signIn('alan@example.com')
  const change = (currentPassword: string, newPassword: string) =>
    page.post('/change-password', { currentPassword, newPassword })

  expect((await change('wrong', 'Sieben grüne Enten')).body).toMatchObject({ errorCode: 'INVALID_PASSWORD' })
  expect((await change(strongPassword, 'short')).body).toMatchObject({
    errorCode: 'PASSWORD_REFUSED',
    details: [{ path: 'newPassword', code: 'TOO_SHORT' }],
  })
  expect((await change(strongPassword, 'P@ssw0rd2024!')).body).toMatchObject({
    details: [{ code: 'TOO_COMMON' }],
  })
  expect((await change(strongPassword, 'I am alan 1912')).body).toMatchObject({
    details: [{ code: 'CONTAINS_EMAIL' }],
  })
  expect((await other.get('/list-sessions')).status).toBe(200)

  server.ended.length = 0
  expect((await change(strongPassword, 'Sieben grüne Enten')).status).toBe(200)
  expect(server.ended).toContain(id)
  expect((await other.get('/list-sessions')).status).toBe(401)
  expect((await page.get('/list-sessions')).body).toHaveLength(1)
  expect((await server.client().signIn('alan@example.com')).status).toBe(401)
  expect((await server.client().signIn('alan@example.com', 'Sieben grüne Enten')).status).toBe(200)
})

test('a stolen session cannot be used to guess the password', async () => {
  const thief = server.client('tool')
  const { body } = await thief.signIn('grace@example.com')
  const guess = (email: string | undefined, token = body.token) =>
    server
      .client('tool')
      .post(
        '/change-password',
        { currentPassword: 'a guess', newPassword: 'Sieben grüne Enten', email },
        { authorization: `Bearer ${token}` },
      )
  for (let attempt = 1; attempt <= 10; attempt++) {
    // another account in the body makes it no guess at another account
    expect((await guess(attempt % 2 ? undefined : `${attempt}@example.com`)).status).toBe(400)
  }
  expect((await guess('somebody@example.com')).status).toBe(429)
  expect((await guess(undefined, respelt(String(body.token)))).status).toBe(429)
})

/** The same signature: of the last sign before `=` base64 does not read the last two bits. */
function respelt(token: string): string {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return `${token.slice(0, -2)}${signs[signs.indexOf(defined(token.at(-2))) ^ 1]}=`
}

test('no password and no token is ever logged', async () => {
  const secret = 'an unmistakable password'
  const { body } = await server.client('tool').signIn('ada@example.com')
  await server.client().signIn('ada@example.com', secret)
  await server.client().post('/sign-in/email', `{"password":"${secret}"`)
  await server.client('tool').get('/get-session', { authorization: `Bearer ${body.token}` })
  const logged = server.logged()
  expect(logged.length).toBeGreaterThan(1_000)
  for (const hidden of [
    secret,
    strongPassword,
    firstOf(String(body.token).split('.')),
    itemAt(String(body.token).split('.'), 1),
  ]) {
    expect(logged).not.toContain(hidden)
  }
})

test('with https, cookies are Secure and bound to the host', async () => {
  const secure = await openSignInServer({ publicUrl: 'https://patio.example.com' })
  try {
    await secure.person('ada@example.com')
    const { headers } = await secure.client('tool').signIn('ada@example.com')
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-patio\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    const cookie = firstOf(firstOf(headers.getSetCookie()).split(';'))
    const { body } = await secure.client('tool').get('/get-session', { cookie })
    expect(body).toMatchObject({ user: { email: 'ada@example.com' } })
  } finally {
    await secure.close()
  }
})

test('replies 503 without a database and 500 for a bug, without details', async () => {
  const broken = await openSignInServer()
  const nowhere = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:9/none' })
  const away = await openSignInServer({ pool: nowhere })
  try {
    await broken.person('ada@example.com')
    await broken.pool.query('alter table sign_in_rate rename to gone')
    const bug = await broken.client().signIn('ada@example.com')
    expect(bug.body).toEqual({ statusCode: 500, error: 'Internal Server Error', message: expect.any(String) })
    expect(JSON.stringify(bug.body)).not.toMatch(/sign_in_rate|relation/)
    await broken.pool.query('alter table gone rename to sign_in_rate')
    await broken.pool.query('alter table credential rename to gone')
    expect((await broken.client().signIn('ada@example.com')).body).toEqual(bug.body)
    expect(broken.logged()).toContain('relation')

    const { status, headers, body } = await away.client().signIn('ada@example.com')
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { errorCode: 'UNAVAILABLE', retryAfterSeconds: 2 },
    })
    expect(headers.get('retry-after')).toBe('2')
  } finally {
    await Promise.all([broken.close(), away.close(), nowhere.end()])
  }
})
