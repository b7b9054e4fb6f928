import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { getOrganization, updateMember, updateOrganization } from '#contract/identity/organization.ts'
import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import { createRole } from '#contract/identity/roles.ts'
import { createDepartment } from '#contract/identity/units.ts'
import { plainHost } from '#tests/support/browser.ts'
import { crowd } from '#tests/support/crowd.ts'
import {
  addressOf,
  givePassword,
  openDashboard,
  screenshot,
  seeContent,
  seeHeading,
  signInCookie,
  strongPassword,
} from '#tests/support/dashboard.ts'
import { defined, firstOf, mapAll } from '#tests/support/elements.ts'
import { streamsAt } from '#tests/support/event-stream.ts'
import { until } from '#tests/support/processes.ts'

const dashboard = openDashboard()
const openPeopleStream = streamsAt('/api/events', () => dashboard.server)
const main = (page: Page) => page.getByRole('main')
/** The entries of the navigation and of the pages of the settings, which are open after this. */
async function destinations(page: Page, organizationAddress: string): Promise<Destination[]> {
  const links = page.getByRole('navigation').getByRole('link')
  const read = () =>
    links.evaluateAll(entries =>
      entries.map(entry => ({
        label: entry.textContent ?? '',
        path: new URL((entry as unknown as { href: string }).href).pathname,
      })),
    )
  await page.goto(organizationAddress)
  await links.first().waitFor()
  const all = await read()
  // the pages of the settings take the place of the navigation
  await page.goto(`${organizationAddress}/settings`)
  await page.waitForURL('**/settings/*')
  const [, ...ofSettings] = await read()
  await page.goto(organizationAddress)
  await links.first().waitFor()
  return [...all, ...ofSettings]
}
type Destination = { label: string; path: string }

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

test('when a session ends in the middle of a form, the person signs in again and the call goes on', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await givePassword(server, owner)
  const page = await dashboard.open(await addressOf(server, owner, '/settings/invitations'), {
    person: owner,
    refusals: [
      'POST /api/org/invitations/bulk 401',
      'GET /api/auth/token 401',
      'POST /api/auth/sse-token 401',
      'GET /api/auth/preferences 401',
      'GET /api/auth/organizations 401',
    ],
  })
  await page.getByRole('button', { name: 'Invite people…' }).first().click()
  const form = page.getByRole('dialog', { name: 'Invite people' })
  await form.getByLabel('E-mail addresses').fill('ana@example.test')
  // the session ends before the server reads the call
  await page.route(
    '**/invitations/bulk',
    async route => {
      await server.api.identity.signIn.endSessions(owner.id)
      await route.continue()
    },
    { times: 1 },
  )
  await form.getByRole('button', { name: 'Check' }).click()
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.waitFor()
  await screenshot(page, 'session', 'ended')
  expect(await again.getByLabel('E-mail').inputValue()).toBe(owner.email)
  await again.getByLabel('Password').fill(strongPassword)
  await press(page, 'Enter')
  await again.waitFor({ state: 'detached' })
  await form.getByText('Will be invited').waitFor()
  await form.getByRole('button', { name: 'Back' }).click()
  expect(await form.getByLabel('E-mail addresses').inputValue()).toBe('ana@example.test')
})

/** How the server says that no gateway is connected. */
const noGateway = 'GET /api/billing/gateway 404'

/** The buttons that only people with more rights than a member see, by the heading of the screen. */
const buttonsOfOwners: Record<string, readonly string[]> = { Members: ['Invite people…'] }

test('a MEMBER meets no button and no screen that the server would refuse', async () => {
  const { server } = dashboard
  const organization = await server.organization({ features: ['marketplace'] })
  const [owner, member] = await Promise.all([
    organization.person({ role: 'OWNER' }),
    organization.person({ role: 'MEMBER' }),
  ])
  const address = await addressOf(server, owner)
  const [ofOwner, ofMember] = await mapAll([owner, member], async person =>
    screensOf(await dashboard.open(address, { person, refusals: [noGateway] }), address),
  )
  expect([...ofOwner.keys()]).toEqual(expect.arrayContaining([...ofMember.keys()]))
  expect(ofMember.has('Invitations')).toBe(false)
  for (const [heading, buttons] of Object.entries(buttonsOfOwners)) {
    expect(ofOwner.get(heading), heading).toEqual(expect.arrayContaining([...buttons]))
    expect(ofMember.get(heading)).toBeDefined()
    for (const button of buttons) expect(ofMember.get(heading)).not.toContain(button)
  }
})

/** Walks over all destinations and returns the buttons of each screen, with the actions of its first row. */
async function screensOf(page: Page, address: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { path } of await destinations(page, address)) {
    // the settings have opened their first page
    if (new URL(page.url()).pathname !== path) {
      await page.getByRole('navigation').locator(`a[href="${path}"]`).first().click()
      await page.locator('h1:focus').waitFor()
    }
    const heading = await main(page).getByRole('heading', { level: 1 }).first().textContent()
    await seeContent(page)
    const menu = main(page).getByRole('row').locator('button[aria-haspopup=menu]').first()
    // what can be done with the first row, if anything
    if ((await menu.count()) > 0) {
      await menu.click()
      await page.getByRole('menuitem').first().waitFor()
    }
    const actions = await page.getByRole('menuitem').allInnerTexts()
    const buttons = await main(page)
      .locator('button')
      .evaluateAll(list => list.map(button => button.getAttribute('aria-label') ?? button.textContent ?? ''))
    found.set(heading ?? '', [...buttons.map(text => text.replace(/…c$/, '…')), ...actions])
    if (actions.length > 0) {
      await press(page, 'Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
  }
  return found
}

test('a role that somebody else changes is followed within two seconds, without a reload', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, person] = await Promise.all([
    organization.person({ role: 'OWNER' }),
    organization.person({ role: 'MEMBER' }),
  ])
  const page = await dashboard.open(await addressOf(server, person, '/settings/members'), { person })
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const [invite, invitations] = [
    main(page).getByRole('button', { name: 'Invite people…' }),
    page.getByRole('link', { name: 'Invitations' }),
  ]
  await main(page).getByRole('grid').getByText(person.email).waitFor()
  expect(await invite.count()).toBe(0)
  await page.evaluate('globalThis.isNotReloaded = true')

  for (const [role, state] of [
    ['ADMIN', 'visible'],
    ['MEMBER', 'detached'],
  ] as const) {
    const changedAt = performance.now()
    await owner.call(updateMember, { params: { personId: person.id }, body: { role } })
    await Promise.all([invite.waitFor({ state }), invitations.waitFor({ state })])
    expect(performance.now() - changedAt).toBeLessThan(2_000 * crowd())
    // the list follows, too
    await main(page)
      .getByRole('row')
      .filter({ hasText: person.email })
      .getByText(role === 'ADMIN' ? 'Admin' : 'Member')
      .waitFor()
  }
  expect(await page.evaluate('globalThis.isNotReloaded')).toBe(true)
})

test('the palette leads to every destination by keys alone, and other keys do, too', async () => {
  const { server } = dashboard
  const owner = await (await server.organization({ features: ['marketplace'] })).person({ role: 'OWNER' })
  const address = await addressOf(server, owner)
  const page = await dashboard.open(address, { person: owner, refusals: [noGateway] })
  const list = await destinations(page, address)
  expect(list.length).toBeGreaterThanOrEqual(5)
  const palette = page.getByRole('dialog', { name: 'Search or do' })
  async function choose(words: string): Promise<void> {
    await press(page, 'Control+k')
    await palette.waitFor()
    await page.keyboard.type(words)
    await palette.getByRole('menuitem').first().waitFor()
    await press(page, 'Enter')
    await palette.waitFor({ state: 'detached' })
  }
  for (const { label, path } of list) {
    await choose(label)
    // the settings open their first page
    await page.waitForURL(url => url.pathname.startsWith(path))
    await page.locator('h1:focus').waitFor()
  }

  await press(page, 'g', 'h')
  await seeHeading(page, 'Home')
  await press(page, 'g', 'i')
  await seeHeading(page, 'Inbox')
  await press(page, 'g', ',')
  await page.waitForURL('**/settings/*')
  await press(page, '?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Everywhere').waitFor()
  await help.getByText('Inbox').waitFor()
  // a narrow window may have a keyboard
  await page.setViewportSize({ width: 390, height: 844 })
  await help.getByText('g', { exact: true }).first().waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await press(page, 'Escape')
  await help.waitFor({ state: 'detached' })

  await choose('oscuro')
  await page.locator('html[data-theme=dark]').waitFor()
  const stored = page.waitForResponse(
    response =>
      response.url().endsWith('/api/auth/preferences') &&
      (response.request().postData() ?? '').includes('"language"'),
  )
  await choose('español')
  await page.locator('html[lang=es]').waitFor()
  await stored
  await press(page, 'g', 'h')
  await seeHeading(page, 'Inicio')
  await screenshot(page, 'palette', 'dark-es')
  // the server keeps the choice
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await seeHeading(page, 'Inicio')
})

test('the palette finds actions of other screens by their words, opens the screen and starts the action', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner), { person: owner })
  await seeHeading(page, 'Home')
  const palette = page.getByRole('dialog', { name: 'Search or do' })
  for (const [words, keys, path, dialog] of [
    ['in new', ['g', 'v', 'c'], '/invoices', 'New invoice'],
    ['invite', [], '/settings/members', 'Invite people'],
    ['nuevo recurso', ['g', 's', 'c'], '/studio', 'New asset'],
    ['new gr', [], '/settings/units', 'New group'],
  ] as const) {
    await press(page, 'Control+k')
    await palette.waitFor()
    await page.keyboard.type(words)
    const first = palette.getByRole('menuitem').first()
    await first.filter({ hasText: dialog === 'New group' ? dialog : /^(New|Invite)/ }).waitFor()
    expect(await first.locator('kbd').allTextContents()).toEqual(keys)
    await press(page, 'Enter')
    const form = page.getByRole('dialog', { name: dialog })
    await form.waitFor()
    expect(new URL(page.url()).pathname.endsWith(path)).toBe(true)
    // what is typed goes into the form, and a list of entries waits for it
    await page.waitForFunction(
      'document.activeElement.matches("[role=dialog] :is(input, textarea):not([aria-expanded=true])")',
    )
    await press(page, 'Escape')
    await form.waitFor({ state: 'detached' })
  }

  // the list renders more entries when its end comes near, until all are there
  await press(page, 'Control+k')
  const entries = palette.getByRole('menuitem')
  await entries.first().waitFor()
  const total = Number.parseInt(defined(await palette.getByText(/^\d+ results$/).textContent()), 10)
  expect(await entries.count()).toBeLessThan(total / 2)
  await expect
    .poll(async () => {
      await palette.getByRole('menu').evaluate(list => list.scrollTo(0, list.scrollHeight))
      return entries.count()
    })
    .toBe(total)
  await press(page, 'Escape')
  await palette.waitFor({ state: 'detached' })

  // on the screen itself, its key alone is shown, and what was used last comes first
  await press(page, 'g', 'v')
  await seeHeading(page, 'Invoices')
  await press(page, 'Control+k')
  await page.keyboard.type('in')
  const best = palette.getByRole('menuitem').first()
  await best.filter({ hasText: 'Invite people' }).waitFor()
  await page.keyboard.type('voi')
  await best.filter({ hasText: 'New invoice' }).waitFor()
  expect(await best.locator('kbd').allTextContents()).toEqual(['c'])
})

test('with five streams in other browsers, lists are read anew on return, and the page says why it is not live', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, person] = await Promise.all([
    organization.person({ role: 'OWNER' }),
    organization.person({ role: 'MEMBER' }),
  ])
  const streams = await Promise.all(Array.from({ length: 5 }, () => openPeopleStream(owner)))
  const page = await dashboard.open(await addressOf(server, owner, '/settings/members'), {
    person: owner,
    refusals: ['GET /api/events 429'],
  })
  await page
    .getByRole('status')
    .filter({ hasText: 'Patio is open in too many browsers. Close one' })
    .waitFor()
  await screenshot(page, 'session', 'too-many-streams')
  const row = main(page).getByRole('row').filter({ hasText: person.email })
  await row.getByText('Member').waitFor()
  await owner.call(updateMember, { params: { personId: person.id }, body: { role: 'ADMIN' } })
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await row.getByText('Administrator').waitFor()

  for (const stream of streams) stream.close()
  await until('the streams are closed', async () => (await openStreams()) === 0)
  await page.evaluate('dispatchEvent(new Event("online"))')
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
})

test('six tabs share one stream; when its tab is closed, another goes on and nothing is missed', async () => {
  const { server } = dashboard
  const owner = await (await server.organization({ name: 'Before' })).person({ role: 'OWNER' })
  const address = await addressOf(server, owner, '/settings/members')
  const page = await dashboard.open(address, { person: owner })
  const context = page.context()
  const opened: Request[] = []
  context.on('request', request => {
    if (new URL(request.url()).pathname === '/api/events') opened.push(request)
  })
  const live = (tab: Page) => tab.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const named = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true }).waitFor()
  await live(page)
  // from here on, no tab may open a stream of its own
  opened.length = 0
  const others = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const tab = await context.newPage()
      await tab.goto(address)
      await main(tab).getByRole('grid').getByText(owner.email).waitFor()
      await live(tab)
      return tab
    }),
  )
  expect(opened).toEqual([])
  await until('one stream is open', async () => (await openStreams()) === 1)
  await owner.call(updateOrganization, { body: { name: 'Renamed once' } })
  await Promise.all([page, ...others].map(tab => named(tab, 'Renamed once')))

  // a change while nobody has the stream
  await Promise.all([page.close(), owner.call(updateOrganization, { body: { name: 'Renamed twice' } })])
  await Promise.all(others.map(tab => named(tab, 'Renamed twice')))
  expect(opened).toHaveLength(1)
  expect(await firstOf(opened).headerValue('last-event-id')).toMatch(/./)
  await until('one stream is open', async () => (await openStreams()) === 1)
  await owner.call(updateOrganization, { body: { name: 'Renamed thrice' } })
  await Promise.all(others.map(tab => named(tab, 'Renamed thrice')))
})

test('a first visit reads its list once, and misses nothing that changes before its stream is open', async () => {
  const { server } = dashboard
  const owner = await (await server.organization({ name: 'Before' })).person({ role: 'OWNER' })
  await server.relayed()
  const page = await dashboard.open('/sign-in')
  await page.context().addCookies([await signInCookie(server, owner)])
  const address = await addressOf(server, owner, '/settings/members')
  const reads: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/org/members') reads.push(pathname)
  })
  const renamed = async (name: string) => {
    await owner.call(updateOrganization, { body: { name } })
    return page.getByRole('button', { name, exact: true })
  }
  await page.goto(address)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await (await renamed('Renamed')).waitFor()
  // the visit, and the event
  expect(reads).toHaveLength(2)

  const isRenamed = Promise.withResolvers<void>()
  await page.route('**/api/auth/sse-token', async route => {
    await isRenamed.promise
    await route.continue()
  })
  await page.goto(address)
  await main(page).getByRole('grid').getByText(owner.email).waitFor()
  const name = await renamed('Renamed meanwhile')
  isRenamed.resolve()
  await name.waitFor()
})

test('a role and a unit are deleted and a token is revoked, after a question', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, person] = await Promise.all([
    organization.person({ role: 'OWNER' }),
    organization.person({ role: 'MEMBER' }),
  ])
  const role = (name: string) => owner.call(createRole, { body: { name, permissions: ['CRM_VIEW'] } })
  const [{ id: roleId }] = await Promise.all([
    role('Support'),
    role('Auditor'),
    owner.call(createDepartment, { body: { name: 'Design' } }),
    owner.call(createPersonalToken, { body: { name: 'Laptop' } }),
  ])
  await owner.call(updateMember, { params: { personId: person.id }, body: { role: 'CUSTOM', roleId } })
  const settings = await addressOf(server, owner, '/settings')
  const page = await dashboard.open(`${settings}/roles`, { person: owner })
  /** Chooses an action of a row or column; its dialog is open after this. */
  async function choose(name: string, action: string, title: string): Promise<void> {
    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await page
      .getByRole('dialog', { name: title })
      .or(page.getByRole('alertdialog', { name: title }))
      .waitFor()
  }
  async function confirm(action: string, name: string, done: string): Promise<void> {
    await page.getByRole('button', { name: action, exact: true }).click()
    await page.getByText(done, { exact: true }).waitFor()
    await main(page).getByText(name, { exact: true }).waitFor({ state: 'detached' })
  }

  await choose('Support', 'Delete…', 'Support is in use')
  await page.getByRole('dialog').getByText(person.email).waitFor()
  await press(page, 'Escape')
  await choose('Auditor', 'Delete…', 'Delete the role Auditor?')
  await confirm('Delete', 'Auditor', 'Role Auditor deleted.')

  await page.goto(`${settings}/units`)
  await choose('Design', 'Delete…', 'Delete the department Design?')
  await page.getByText('It has no members, so nobody loses access.').waitFor()
  await confirm('Delete', 'Design', 'Design deleted.')

  await page.goto(`${settings}/tokens`)
  await choose('Laptop', 'Revoke…', 'Revoke the token Laptop?')
  await confirm('Revoke', 'Laptop', 'Token Laptop revoked.')
})

test('an owner may give every role, also while the list does not show the owner', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, person] = await Promise.all([
    organization.person({ role: 'OWNER' }),
    organization.person({ role: 'MEMBER' }),
  ])
  const search = encodeURIComponent(person.email)
  const page = await dashboard.open(await addressOf(server, owner, `/settings/members?search=${search}`), {
    person: owner,
  })
  await main(page)
    .getByRole('button', { name: /^Actions of / })
    .click()
  expect(await main(page).locator('[data-row-key]').count()).toBe(1)
  await page.getByRole('menuitem', { name: 'Change the role…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Role/ }).click()
  await page.getByRole('option', { name: 'Owner' }).waitFor()
})

test('an unknown address of an organization keeps the navigation, and another screen opens from there', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/invoices/of/nobody'), { person: owner })
  await seeHeading(page, 'Unknown page')
  await page.getByText('Not here, or not for you').waitFor()
  await page.getByRole('link', { name: 'Clients' }).press('Enter')
  await seeHeading(page, 'Clients')
})

test('an owner turns an optional feature off and on', async () => {
  const { server } = dashboard
  const owner = await (await server.organization({ features: ['marketplace'] })).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/settings/organization'), {
    person: owner,
  })
  const marketplace = page.getByRole('switch', { name: 'Marketplace' })
  for (const features of [[], ['marketplace']] as const) {
    await marketplace.waitFor()
    await marketplace.press('Space')
    await expect.poll(async () => (await owner.call(getOrganization, {})).features).toEqual(features)
    await expect.poll(() => marketplace.isChecked()).toBe(features.length > 0)
    await expect.poll(() => marketplace.isEnabled()).toBe(true)
  }
})

test('new entries of the audit log wait until the person asks for them, in words of both languages', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Olga Owner' })
  const newcomer = await organization.person({ role: 'MEMBER' })
  await owner.call(updateOrganization, { body: { name: 'Renamed once' } })
  await server.relayed()
  const page = await dashboard.open(await addressOf(server, owner, '/settings/audit'), {
    person: owner,
    language: 'es',
  })
  const rows = main(page).locator('[data-row-key]')
  await rows.first().getByText('Cambiar organización').waitFor()
  await rows.first().getByText('nombre', { exact: true }).waitFor()
  const count = await rows.count()
  await page.getByRole('status').filter({ hasText: 'En directo' }).waitFor()

  await owner.call(updateOrganization, { body: { name: 'Renamed twice' } })
  const bar = main(page).getByRole('button', { name: '1 fila nueva' })
  await bar.waitFor()
  expect(await rows.count()).toBe(count)
  await bar.click()
  await bar.waitFor({ state: 'detached' })
  expect(await rows.count()).toBe(count + 1)

  // the sheet keeps the raw names
  await rows.first().click()
  const sheet = page.getByRole('complementary')
  await sheet.getByText('PATCH /api/org', { exact: true }).waitFor()
  await sheet.getByText('name', { exact: true }).waitFor()
  await screenshot(page, 'audit', 'sheet')

  // a filter is added to those of the address, and the entry stays open
  const search = () => Object.fromEntries(new URL(page.url()).searchParams)
  const before = search()
  await sheet.getByRole('link', { name: 'Filtrar por esta persona o aplicación' }).press('Enter')
  await expect.poll(search).toEqual({ ...before, actorId: owner.id })

  // filters that nothing fits can be cleared
  await page.goto(await addressOf(server, owner, `/settings/audit?actorId=${newcomer.id}`))
  await main(page).getByRole('button', { name: 'Quitar los filtros' }).press('Enter')
  await rows.first().waitFor()
  expect(await rows.count()).toBe(count + 1)
  expect(search()).toEqual({})
})

test('over plain http at the address of another machine, lists are live and a secret can be read', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, person] = await Promise.all([
    organization.person({ role: 'OWNER' }),
    organization.person({ role: 'MEMBER' }),
  ])
  const origin = `http://${plainHost}:${new URL(server.url).port}`
  const settings = `${origin}${await addressOf(server, owner, '/settings')}`
  const page = await dashboard.open('about:blank', { refusals: ['GET /api/auth/organizations 401'] })
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Password').waitFor()
  expect(await page.evaluate('isSecureContext')).toBe(false)
  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)

  await page.context().addCookies([await signInCookie(server, owner, origin)])
  await page.goto(`${settings}/members`)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const row = main(page).getByRole('row').filter({ hasText: person.email })
  await row.getByText('Member').waitFor()
  await owner.call(updateMember, { params: { personId: person.id }, body: { role: 'ADMIN' } })
  await row.getByText('Administrator').waitFor()

  await page.goto(`${settings}/tokens`)
  await page.getByRole('button', { name: 'New personal token…' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Create the token' }).click()
  await dialog.getByRole('button', { name: /^Copy/ }).first().click()
  // only secure contexts have a clipboard
  await page.getByText('The browser does not allow copying. Select the text and copy it.').waitFor()
})

/** How many streams the server has open. */
async function openStreams(): Promise<number> {
  const metrics = await (await fetch(`${dashboard.server.url}/metrics`)).text()
  return Number(/^patio_streams (\d+)/m.exec(metrics)?.[1])
}
