import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { hangsMs } from '#tests/support/crowd.ts'
import {
  addressOf,
  axeFindings,
  givePassword,
  openDashboard,
  screenshot,
  seeHeading,
  signIn,
  strongPassword,
} from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'
import { codeOf } from '#tests/support/identity/totp.ts'
import { invitationSecret, mailsTo } from '#tests/support/outbox.ts'
import type { Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
const mailed = <Found>(find: () => Found) => vi.waitUntil(find, { timeout: hangsMs })
const nobodySignedIn = 'GET /api/auth/organizations 401'
/** Asked for beside the organizations at the address of an organization. */
const noToken = 'GET /api/auth/token 401'
const wrongPassword = 'POST /api/auth/sign-in/email 401'

async function personWithPassword(role: 'OWNER' | 'MEMBER' = 'MEMBER'): Promise<Person> {
  const person = await (await dashboard.server.organization()).person({ role })
  await givePassword(dashboard.server, person)
  return person
}

/** Signs out with the menu of the person. */
async function signOut(page: Page, { name }: Person): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await seeHeading(page, 'Sign in')
}

test('the book of the parts is for tests alone', async () => {
  const reply = await fetch(`${dashboard.server.url}/book`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
})

test('a person signs in at the address of a screen and arrives there; a wrong password gets words', async () => {
  const person = await personWithPassword()
  const members = await addressOf(dashboard.server, person, '/settings/members')
  const page = await dashboard.open(members, { refusals: [nobodySignedIn, noToken, wrongPassword] })
  await page.getByText('Sign in to open the page.').waitFor()
  await signIn(page, person.email, 'not the password')
  await page.getByText('The e-mail address or the password is wrong. Check both.').waitFor()
  await screenshot(page, 'sign-in', 'wrong')
  // the field keeps the address
  await signIn(page, person.email)
  await seeHeading(page, 'Members')
  expect(new URL(page.url()).pathname).toBe(members)
  await page.getByRole('grid').getByText(person.email).waitFor()
})

test('one-time codes are turned on, and the next sign-in asks for one', async () => {
  const person = await personWithPassword()
  const page = await dashboard.open('/me/security', {
    person,
    refusals: [nobodySignedIn, 'POST /api/auth/two-factor/verify-totp 401'],
  })
  await page.getByRole('button', { name: 'Turn on…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(strongPassword)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const totpUri = `otpauth://totp/Patio?secret=${await dialog.locator('code').textContent()}`
  await dialog.getByRole('img', { name: 'Scan this code with your authenticator' }).waitFor()
  await dialog.getByLabel('Six-digit code').fill(codeOf(totpUri))
  await screenshot(page, 'sign-in', 'codes')
  await dialog.getByRole('button', { name: 'Confirm the code' }).click()
  await dialog.getByRole('button', { name: 'I stored them' }).click()
  await page.getByText('On', { exact: true }).waitFor()

  // on a phone, the account has its sign-out too
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await signIn(page, person.email)
  const code = page.getByRole('textbox', { name: 'One-time code' })
  await code.fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The code is wrong.').waitFor()
  // a code works once
  await code.fill(codeOf(totpUri, 1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await seeHeading(page, 'Home')
})

test('after too many tries, a clock says how long to wait', async () => {
  const person = await personWithPassword()
  const page = await dashboard.open('/sign-in', {
    refusals: [wrongPassword, 'POST /api/auth/sign-in/email 429'],
  })
  const tries = Array.from({ length: 10 }, () =>
    fetch(`${dashboard.server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: dashboard.server.config.publicUrl },
      body: JSON.stringify({ email: person.email, password: 'not the password' }),
    }),
  )
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(10).fill(401))
  await signIn(page, person.email)
  const notice = page.getByText(/Too many tries\. You can try again in 1[45]:\d\d\./)
  const first = await notice.textContent()
  await screenshot(page, 'sign-in', 'wait')
  await expect.poll(() => notice.textContent()).not.toBe(first)
})

test('a person adds a passkey, after giving the password again, and signs in with it', async () => {
  const person = await personWithPassword()
  const { server } = dashboard
  await server.sql(`update session set created_at = now() - interval '2 days' where id = $1`, [
    person.sessionId,
  ])
  const page = await dashboard.open('/sign-in', {
    person,
    refusals: [nobodySignedIn, 'GET /api/auth/passkey/generate-register-options 403'],
  })
  const authenticator = await virtualAuthenticator(page)
  await page.goto('/me/security')
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the passkey').fill('Laptop')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
  await screenshot(page, 'passkey', 'confirm')
  await dialog.getByLabel('Your password').fill(strongPassword)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor()
  await screenshot(page, 'passkey', 'added')

  await page.goto(await addressOf(server, person))
  // a present finger would take the offer in the e-mail field at once
  await authenticator.setPresent(false)
  await signOut(page, person)
  await authenticator.setPresent(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await seeHeading(page, 'Home')
})

/** A passkey device of the browser, whose owner confirms everything while they are present. */
async function virtualAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setPresent: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

test('two addresses are invited at once; a new person and one with an account accept', async () => {
  const { server } = dashboard
  const organization = await server.organization({ name: 'Taller Norte' })
  const owner = await organization.person({ role: 'OWNER' })
  const colleague = await organization.person()
  const guest = await personWithPassword()
  const newcomer = 'nerea@example.test'

  const page = await dashboard.open(await addressOf(server, owner, '/settings/invitations'), {
    person: owner,
  })
  await page.getByRole('button', { name: 'Invite people…' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('E-mail addresses')
    .fill(`Nerea <${newcomer}>\n${guest.email}, ${colleague.email}; nobody`)
  await dialog.getByRole('button', { name: 'Check' }).click()
  const results = dialog.getByRole('listitem')
  await expect
    .poll(() => results.allInnerTexts())
    .toEqual([
      `${newcomer}\nWill be invited`,
      `${guest.email}\nWill be invited`,
      `${colleague.email}\nAlready a member`,
      'nobody\nNot an address',
    ])
  await screenshot(page, 'invitation', 'preview')
  // nothing happened so far
  expect(await server.sql('select 1 from invitation where organization_id = $1', [organization.id])).toEqual(
    [],
  )
  await dialog.getByRole('button', { name: 'Send 2 invitations' }).click()
  await dialog.getByText('Invited', { exact: true }).nth(1).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('grid').getByText(newcomer).waitFor()

  const invited = await dashboard.open(
    `/accept-invitation#secret=${await mailed(() => mailedSecret(newcomer))}`,
  )
  await seeHeading(invited, 'Join Taller Norte')
  expect(new URL(invited.url()).hash).toBe('')
  await screenshot(invited, 'invitation', 'join')
  await invited.getByLabel('Your name').fill('Nerea Etxebarria')
  await invited.getByLabel('Password').fill(strongPassword)
  await invited.getByRole('button', { name: 'Accept and sign in' }).click()
  await seeHeading(invited, 'Home')

  const welcomed = await dashboard.open(
    `/accept-invitation#secret=${await mailed(() => mailedSecret(guest.email))}`,
    { person: guest },
  )
  await seeHeading(welcomed, 'Join Taller Norte')
  expect(await welcomed.getByLabel('Password').count()).toBe(0)
  await welcomed.getByRole('button', { name: 'Accept and sign in' }).click()
  await seeHeading(welcomed, 'Home')
  await welcomed.getByRole('button', { name: 'Taller Norte' }).waitFor()
})

/** The secret of the latest invitation, once its mail was sent. */
function mailedSecret(address: string): string | undefined {
  return mailsTo(dashboard.server, address).length > 0
    ? invitationSecret(dashboard.server, address)
    : undefined
}

test('a forgotten password is replaced by a link from a mail, which leaves the address at once', async () => {
  const person = await personWithPassword()
  const page = await dashboard.open('/sign-in', { refusals: [nobodySignedIn, wrongPassword] })
  await page.getByRole('link', { name: 'Forgotten?' }).click()
  // both pages have a field for the address
  await seeHeading(page, 'Choose a new password')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('the mail is on its way').waitFor()
  const [link] = await mailed(() =>
    /\/reset-password#token=\S+/.exec(mailsTo(dashboard.server, person.email).at(-1) ?? ''),
  )
  // as from a mail program, in a tab of its own
  const tab = await page.context().newPage()
  await tab.goto(link)
  await tab.getByLabel('New password').fill('sieben grüne Kraniche')
  expect(new URL(tab.url()).hash).toBe('')
  expect(await tab.evaluate('JSON.stringify(history.state) + JSON.stringify(localStorage)')).not.toContain(
    link.slice(-20),
  )
  await screenshot(tab, 'reset', 'choose')
  await tab.getByRole('button', { name: 'Save the password' }).click()
  await tab.getByText('Password changed. Sign in with it.').waitFor()
  await signIn(tab, person.email)
  await tab.getByText('The e-mail address or the password is wrong.').waitFor()
  await signIn(tab, person.email, 'sieben grüne Kraniche')
  await seeHeading(tab, 'Home')
})

test('an administrator makes a provisioning token by keyboard, an identity provider uses it, and its revocation ends that', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/settings/provisioning'), {
    person: owner,
  })
  await page.getByText('No identity provider has a token').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New provisioning token' }).waitFor()
  await page.keyboard.type('Entra ID')
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Token Entra ID' })
  const secret = defined(await dialog.locator('pre, code').first().textContent())
  expect(secret).toMatch(/^patio_/)
  await screenshot(page, 'provisioning', 'token')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  // the secret is shown once
  expect(await page.content()).not.toContain(secret)

  const listUsers = () =>
    fetch(`${server.url}/scim/v2/Users`, { headers: { Authorization: `Bearer ${secret}` } })
  const answer = await listUsers()
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain(owner.email)

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Entra ID' })
  await row.getByText(secret.slice(0, 8)).waitFor()
  expect(await row.getByText('Never').count()).toBe(0)
  await row.getByRole('button', { name: 'Actions of Entra ID' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Revoke…' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).press('Enter')
  await page.getByText('Token Entra ID revoked.').waitFor()
  await page.getByText('No identity provider has a token').waitFor()
  await expect.poll(async () => (await listUsers()).status).toBe(401)
})
