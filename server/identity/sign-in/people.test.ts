import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRows, onPool } from '#tests/support/rows.ts'
import { verifyPassword } from './hash.ts'
import { openSignInServer, type SignInServer, strongPassword } from './test-server.ts'

let server: SignInServer
beforeAll(async () => {
  server = await openSignInServer()
})
afterAll(() => server.close())

test('better-auth finds every table and column where it expects them', async () => {
  type Checked = { explicitSchemaCheck(): Promise<void> }
  await ((await server.signIn.readyWithPasskeys()) as Checked).explicitSchemaCheck()
  // the verdict is kept for good, so another instance shows that the check can fail
  const lacking = await openSignInServer()
  try {
    await lacking.pool.query('alter table passkey rename column aaguid to gone')
    const context = (await lacking.signIn.readyWithPasskeys()) as Checked
    await expect(context.explicitSchemaCheck()).rejects.toThrow(/passkey\.aaguid/)
  } finally {
    await lacking.close()
  }
})

test('a person is created once per e-mail, regardless of case, also concurrently', async () => {
  const make = (email: string) => server.signIn.createPerson({ email, name: 'Ada', password: strongPassword })
  const results = await Promise.allSettled([
    make('Ada@Example.com'),
    make('ada@example.com'),
    make(' ADA@example.com '),
  ])
  expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'PERSON_EXISTS', status: 409 })
  }
  const { rows } = await server.pool.query("select email, email_verified from person where name = 'Ada'")
  expect(rows).toEqual([{ email: 'ada@example.com', email_verified: false }])
  await expect(insertRows(onPool(server.pool), 'person', [{ email: 'Ada@x.org' }])).rejects.toThrow()
})

test('a weak password, a wrong address or a missing name creates nothing', async () => {
  const refused = [
    [{ email: 'a@example.com', name: 'A', password: 'too short' }, 'PASSWORD_REFUSED'],
    [{ email: 'turing@example.com', name: 'A', password: 'Turing was here' }, 'PASSWORD_REFUSED'],
    [{ email: 'a@example.com, b@example.com', name: 'A', password: strongPassword }, 'VALIDATION_ERROR'],
    [
      { email: 'a@example.com\r\nBcc: b@example.com', name: 'A', password: strongPassword },
      'VALIDATION_ERROR',
    ],
    [{ email: 'nobody', name: 'A', password: strongPassword }, 'VALIDATION_ERROR'],
    [{ email: 'a@example.com', name: '  ', password: strongPassword }, 'VALIDATION_ERROR'],
    [{ email: 'a@example.com', name: 'A\nVisit evil.example', password: strongPassword }, 'VALIDATION_ERROR'],
  ] as const
  for (const [person, code] of refused)
    await expect(server.signIn.createPerson(person)).rejects.toMatchObject({ code })
  const { rowCount } = await server.pool.query(
    "select 1 from person where email like 'a@%' or email like 'turing@%'",
  )
  expect(rowCount).toBe(0)
})

test('a new password set by the server ends sessions, links and trusted devices', async () => {
  const { id } = await server.person('grace@example.com')
  const page = server.client()
  await page.signIn('grace@example.com')
  await page.post('/request-password-reset', { email: 'grace@example.com' })
  await server.signIn.settled()
  const pending = () => server.pool.query('select 1 from verification where value = $1', [id])
  expect((await pending()).rowCount).toBe(1)
  server.ended.length = 0

  await server.signIn.setPassword(id, 'Sieben grüne Enten')
  expect(server.ended).toEqual([id])
  expect((await pending()).rowCount).toBe(0)
  expect((await page.get('/list-sessions')).status).toBe(401)
  expect((await server.client().signIn('grace@example.com')).status).toBe(401)
  expect((await server.client().signIn('grace@example.com', 'Sieben grüne Enten')).status).toBe(200)

  await expect(server.signIn.setPassword(id, 'password12')).rejects.toMatchObject({
    code: 'PASSWORD_REFUSED',
  })
  await expect(server.signIn.setPassword('nobody', strongPassword)).rejects.toMatchObject({
    code: 'PERSON_NOT_FOUND',
  })
})

test('a person without a password can be given one', async () => {
  const { id } = await server.signIn.createPerson({
    email: 'linus@example.com',
    name: 'Linus',
    isEmailVerified: true,
  })
  await server.signIn.setPassword(id, strongPassword)
  expect((await server.client().signIn('linus@example.com')).status).toBe(200)
})

test('deleting a person deletes all their rows', async () => {
  const { id } = await server.signIn.createPerson({
    email: 'gone@example.com',
    name: 'Gone',
    isEmailVerified: true,
  })
  await server.signIn.setPassword(id, strongPassword)
  expect((await server.client().signIn('gone@example.com')).status).toBe(200)
  await server.pool.query('delete from person where id = $1', [id])
  for (const table of ['session', 'credential']) {
    expect((await server.pool.query(`select 1 from ${table} where person_id = $1`, [id])).rowCount).toBe(0)
  }
})

test("hashes are salted Argon2id with OWASP's parameters", async () => {
  const [one, two] = await Promise.all([
    server.signIn.hashPassword(strongPassword, { email: 'ada@example.com', names: [] }),
    server.signIn.hashPassword(strongPassword, { email: 'ada@example.com', names: [] }),
  ])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await verifyPassword({ hash: one, password: strongPassword })).toBe(true)
  expect(await verifyPassword({ hash: one, password: `${strongPassword} ` })).toBe(false)
  // the same letter, composed and decomposed
  const accented = await server.signIn.hashPassword('Sieben gr\u00fcne Enten', {
    email: 'ada@example.com',
    names: [],
  })
  expect(await verifyPassword({ hash: accented, password: 'Sieben gru\u0308ne Enten' })).toBe(true)
  expect(await verifyPassword({ hash: 'plain text', password: 'plain text' })).toBe(false)
  // made by the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 24
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword({ hash: reference, password: 'password' })).toBe(true)
})
