import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined, findIn } from '#tests/support/elements.ts'
import { openSignInServer, type SignInServer, strongPassword } from './test-server.ts'

let server: SignInServer
let personId: string
beforeAll(async () => {
  server = await openSignInServer()
  ;({ id: personId } = await server.signIn.createPerson({
    email: 'mk@example.com',
    name: 'Mónika Kowalczyk',
    password: strongPassword,
  }))
  for (const [id, name, removed] of [
    ['o1', 'Faro & Hijos, S.L.', false],
    ['o2', 'Formerly Zanahoria', true],
  ]) {
    await server.pool.query(`insert into organization (id, name, plan) values ($1, $2, 'FREE')`, [id, name])
    await server.pool.query(
      `insert into membership (organization_id, person_id, role, name, email, removed_at)
       values ($1, $2, 'MEMBER', 'Mónika Kowalczyk', 'mk@example.com', case when $3 then now() end)`,
      [id, personId, removed],
    )
  }
})
beforeEach(() => server.forgetRates())
afterAll(() => server?.close())

async function change(newPassword: string) {
  const page = server.client()
  await page.signIn('mk@example.com')
  const { status, body } = await page.post('/change-password', {
    currentPassword: strongPassword,
    newPassword,
  })
  // back again, for the next one
  if (status === 200) await server.signIn.setPassword(personId, strongPassword)
  return (body.details as { code: string }[] | undefined)?.[0]?.code ?? status
}

test.each([
  'Monika2024!',
  'K0walczyk1990',
  'Monika.Kowalczyk',
  'farohijos2024',
  'F4ro&Hijos!',
  'KowalczykFaro1',
])('%s consists of known names', async password => {
  expect(await change(password)).toBe('CONTAINS_NAME')
})

test.each(['Monika likes tall giraffes', 'Zanahoria2031!', 'a faro in the evening sun'])(
  "%s has more than that, or another person's name",
  async password => {
    expect(await change(password)).toBe(200)
  },
)

test('names are checked for new accounts and for resets', async () => {
  const made = server.signIn.createPerson({
    email: 'x@example.com',
    name: 'Bartholomew Quill',
    password: 'Bartholomew7!',
  })
  await expect(made).rejects.toMatchObject({ code: 'PASSWORD_REFUSED' })
  server.inbox.length = 0
  await server.client().post('/request-password-reset', { email: 'mk@example.com' })
  await server.signIn.settled()
  const [, token] = defined(
    /#token=(\w+)/.exec(findIn(server.inbox, ({ to }) => to.includes('mk@example.com')).text),
  )
  const refused = await server.client().post('/reset-password', { token, newPassword: 'Kowalczyk2031!' })
  expect(refused.body).toMatchObject({ errorCode: 'PASSWORD_REFUSED', details: [{ code: 'CONTAINS_NAME' }] })
})
