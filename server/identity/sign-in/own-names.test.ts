import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined, findIn } from '#tests/support/elements.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
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
  const rows = onPool(server.pool)
  await insertRows(rows, 'organization', [
    { id: 'o1', name: 'Faro & Hijos, S.L.' },
    { id: 'o2', name: 'Formerly Zanahoria' },
  ])
  const of = { person_id: personId, name: 'Mónika Kowalczyk', email: 'mk@example.com' }
  await insertRows(rows, 'membership', [
    { ...of, organization_id: 'o1', removed_at: null },
    { ...of, organization_id: 'o2', removed_at: new Date() },
  ])
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
