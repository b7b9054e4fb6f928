import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { captured, only } from '#tests/support/elements.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
import { eventually, openSignInServer, type SignInServer, strongPassword } from './test-server.ts'

const newPassword = 'Sieben grüne Enten'
let server: SignInServer
beforeAll(async () => {
  server = await openSignInServer()
})
beforeEach(async () => {
  await server.forgetRates()
  server.inbox.length = 0
})
afterAll(() => server.close())

async function mailedToken(email: string): Promise<string> {
  const { status } = await server.client().post('/request-password-reset', { email })
  expect(status).toBe(200)
  const mail = await eventually(() => server.inbox.find(message => message.to.includes(email)))
  return captured(new RegExp(`${server.url}/reset-password#token=(\\w+)`), mail.text)
}

test('a mailed link sets a new password once and ends all sessions', async () => {
  const { id } = await server.person('ada@example.com')
  const page = server.client()
  await page.signIn('ada@example.com')
  const token = await mailedToken('ada@example.com')
  const other = await (async () => {
    server.inbox.length = 0
    return mailedToken('ada@example.com')
  })()
  server.ended.length = 0

  const reset = (body: unknown) => server.client().post('/reset-password', body)
  expect((await reset({ token, newPassword: 'adaadaada!' })).body).toMatchObject({
    errorCode: 'PASSWORD_REFUSED',
  })
  expect((await reset({ token: 'x', newPassword })).body).toMatchObject({
    statusCode: 400,
    errorCode: 'INVALID_TOKEN',
  })
  expect((await reset({ token, newPassword })).body).toEqual({ status: true })
  expect(server.ended).toContain(id)
  expect((await page.get('/list-sessions')).status).toBe(401)
  expect((await server.client().signIn('ada@example.com')).status).toBe(401)
  expect((await server.client().signIn('ada@example.com', newPassword)).status).toBe(200)
  // neither this link nor one that was mailed before works any more
  for (const used of [token, other]) {
    expect((await reset({ token: used, newPassword: strongPassword })).body).toMatchObject({
      errorCode: 'INVALID_TOKEN',
    })
  }
  // a person who reads the mail owns the address
  const { rows } = await server.pool.query('select email_verified from person where id = $1', [id])
  expect(rows).toEqual([{ email_verified: true }])
  expect(server.logged()).not.toContain(token)
})

test('the mail is in the language that the person prefers', async () => {
  const { id } = await server.person('lengua@example.com')
  await mailedToken('lengua@example.com')
  expect(only(server.inbox).text).toContain('Subject: Choose a new password')
  await insertRows(onPool(server.pool), 'person_preference', [{ person_id: id, language: 'es' }])
  server.inbox.length = 0
  await mailedToken('lengua@example.com')
  const { text } = only(server.inbox)
  expect(text).toContain('Subject: Elige una contraseña nueva')
  expect(text).toContain('Abre este enlace en menos de 60 minutos')
})

test('the token is not in the database, only its digest', async () => {
  await server.person('digest@example.com')
  const token = await mailedToken('digest@example.com')
  const { rows } = await server.pool.query('select * from verification')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('a link works once, also concurrently', async () => {
  await server.person('race@example.com')
  const token = await mailedToken('race@example.com')
  const answers = await Promise.all(
    ['Sieben grüne Enten', 'Neun rote Esel im Wald'].map(password =>
      server.client().post('/reset-password', { token, newPassword: password }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a link expires after an hour', async () => {
  await server.person('old@example.com')
  const token = await mailedToken('old@example.com')
  const { rows } = await server.pool.query(
    "select expires_at > now() + interval '59 min' and expires_at < now() + interval '61 min' as hour from verification order by created_at desc limit 1",
  )
  expect(rows).toEqual([{ hour: true }])
  await server.pool.query("update verification set expires_at = now() - interval '1 second'")
  expect((await server.client().post('/reset-password', { token, newPassword })).body).toMatchObject({
    errorCode: 'INVALID_TOKEN',
  })
})

test('an unknown e-mail gets the same reply after the same time, and no mail', async () => {
  await server.person('known@example.com')
  server.mailServer.delayMs = 700
  async function ask(email: string) {
    const started = performance.now()
    const { status, body, headers } = await server.client().post('/request-password-reset', { email })
    const shown = [...headers].filter(([name]) => name !== 'date')
    return { answer: JSON.stringify({ status, body, shown }), took: performance.now() - started }
  }
  const [known, unknown] = [await ask('known@example.com'), await ask('unknown@example.com')]
  expect(known.answer).toBe(unknown.answer)
  expect(Math.min(known.took, unknown.took)).toBeGreaterThan(295)
  expect(Math.abs(known.took - unknown.took)).toBeLessThan(250 * crowd())
  await server.signIn.settled()
  server.mailServer.delayMs = 0
  expect(server.inbox.map(({ to }) => to)).toEqual([['known@example.com']])
})

test('at most three mails are sent in a quarter of an hour', async () => {
  await server.person('flood@example.com')
  for (const email of ['flood@example.com', 'unknown@example.com']) {
    const statuses = []
    for (let attempt = 0; attempt < 4; attempt++) {
      statuses.push((await server.client().post('/request-password-reset', { email })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  }
  await server.signIn.settled()
  expect(server.inbox).toHaveLength(3)
})

test('the link uses publicUrl, regardless of Host and redirectTo', async () => {
  await server.person('host@example.com')
  const evil = await server
    .client('tool')
    .post(
      '/request-password-reset',
      { email: 'host@example.com', redirectTo: '/somewhere' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    )
  expect(evil.status).toBe(200)
  const mail = await eventually(() => server.inbox[0])
  expect(mail.text).toContain(`${server.url}/reset-password#token=`)
  expect(mail.text).not.toContain('evil.example')
  expect(
    (
      await server
        .client()
        .post('/request-password-reset', { email: 'host@example.com', redirectTo: 'https://evil.example' })
    ).status,
  ).toBe(403)
})

describe('while the mail server refuses all mails (SGN-27)', () => {
  const email = 'waiting@example.com'
  beforeEach(async () => {
    await server.pool.query('delete from outgoing_mail; delete from refused_mail; delete from verification')
    const { rowCount } = await server.pool.query('select from person where email = $1', [email])
    if (rowCount === 0) await server.person(email)
    server.mailServer.isDown = true
    expect((await server.client().post('/request-password-reset', { email })).status).toBe(200)
    await server.signIn.settled()
    expect(server.inbox).toEqual([])
  })
  afterEach(() => {
    server.mailServer.isDown = false
  })
  const queued = async () =>
    (await server.pool.query('select kind, attempts, data::text as data from outgoing_mail')).rows
  /** Makes the mail due, and repeats it at a mail server that works again. */
  async function repeat(): Promise<void> {
    server.mailServer.isDown = false
    await server.pool.query('update outgoing_mail set next_at = now()')
    expect(await server.repeatMails()).toBe(1)
    expect(await queued()).toEqual([])
  }

  test('the mail waits with an encrypted token, and its link works when it arrives', async () => {
    const waiting = await queued()
    expect(waiting).toMatchObject([{ kind: 'password-reset', attempts: 1 }])
    await repeat()
    const token = captured(/reset-password#token=(\w+)/, only(server.inbox).text)
    expect(only(waiting).data).not.toContain(token)
    expect(server.logged()).not.toContain(token)
    const { body } = await server.client().post('/reset-password', { token, newPassword })
    expect(body).toEqual({ status: true })
  })

  test('a link that ends before the mail could arrive is not mailed, and operators see why', async () => {
    await server.pool.query(
      `update outgoing_mail set data = jsonb_set(data, '{expiresAt}', to_jsonb(now() + interval '50 seconds'))`,
    )
    await repeat()
    expect(server.inbox).toEqual([])
    const { rows } = await server.pool.query('select kind, error from refused_mail')
    expect(rows).toEqual([{ kind: 'password-reset', error: 'The link would expire before the mail arrives' }])
  })

  test('a link that has ended with another change of the password is not mailed', async () => {
    await server.pool.query('delete from verification')
    await repeat()
    expect(server.inbox).toEqual([])
    expect((await server.pool.query('select from refused_mail')).rowCount).toBe(0)
  })
})
