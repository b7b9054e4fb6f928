import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readSecretNames } from '#contract/error-reports/secret-names.ts'
import { listOrganizationErrors, readErrorTab } from '#contract/error-reports/tab.ts'
import { listErrorTickets } from '#contract/error-reports/tickets.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { firstOf } from '#tests/support/elements.ts'
import { createReporter, reportTestError } from '#tests/support/error-reports/reports.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import type { Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
const rows = (page: Page) => page.locator('main [data-row-key]')
const row = (page: Page, name: string) => page.getByRole('row', { name })
const toast = (page: Page) => page.getByRole('region', { name: 'Notices' })

const payment = {
  message: 'TypeError: card.brand is undefined\nwhile charging order 8412',
  module: 'checkout',
  severity: 'critical',
  file: 'src/checkout/pay.ts',
  line: 42,
  function: 'Checkout.pay',
  endpoint: '/orders/:id/pay',
  method: 'POST',
  requestId: 'req_7f31',
  stack: [
    'TypeError: card.brand is undefined',
    '    at Checkout.pay (file:///srv/shop/src/checkout/pay.ts:42:18)',
    '    at async Orders.submit (file:///srv/shop/src/orders/submit.ts:17:5)',
    '    at run (/srv/shop/node_modules/fastify/lib/handleRequest.js:81:12)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ].join('\n'),
  context: { plan: 'TEAM', cart: { items: 3, customer: { email: 'sara@vitrina.example' } }, apiKey: 'k-1' },
} as const

async function openShop(name = 'Web shop'): Promise<{ owner: Person; shop: TestApplication }> {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Olivia Ferrer' })
  return { owner, shop: await createReporter(server, organization, { name }) }
}

/** The id of the error with this message. */
async function idOf(owner: Person, search: string): Promise<string> {
  const { items } = await owner.call(listOrganizationErrors, { query: { search } })
  return firstOf(items).id
}

/** Reports errors of other places, as a shop of some age has them. */
async function reportOthers(shop: TestApplication, count = 4): Promise<void> {
  const others = [
    ['Timeout of 5000 ms while calling the stock service', 'stock', 'high', 17, 38],
    ['Image cannot be resized: unsupported format image/heic', 'media', 'low', 3, 2],
    ['duplicate key value violates unique constraint "customer_email_key"', 'accounts', 'medium', 9, 4],
    ['ENOSPC: no space left on device, write', 'exports', 'high', 1, 1],
  ] as const
  for (const [message, module, severity, line, occurrences] of others.slice(0, count))
    await reportTestError(shop, {
      message,
      module,
      severity,
      file: `src/${module}/index.ts`,
      line,
      function: module,
      occurrences,
    })
}

test('the first error arrives live, is examined, resolved, comes back, and becomes a ticket, by keyboard', async () => {
  const { server } = dashboard
  const { owner, shop } = await openShop()
  const page = await dashboard.open(await addressOf(server, owner, '/errors'), { person: owner })
  await seeHeading(page, 'Errors')
  await page.getByText('openErrorReporter({ url').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'errors', 'first')

  await reportTestError(shop, { ...payment, userId: 'u-1' })
  await row(page, 'TypeError: card.brand is undefined').waitFor()
  await reportOthers(shop)
  await page.getByRole('button', { name: /4 new/ }).press('Enter')
  await expect.poll(() => rows(page).count()).toBe(5)
  await screenshot(page, 'errors', 'list')
  expect(await axeFindings(page)).toEqual([])

  // the sheet: own frames, the raw stack, what was removed
  await row(page, 'TypeError: card.brand is undefined').focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary', { name: 'TypeError: card.brand is undefined' })
  await sheet.getByText('Orders.submit').waitFor()
  expect(await sheet.getByText('handleRequest').count()).toBe(0)
  await sheet.getByText('apiKey, cart.customer.email').waitFor()
  await screenshot(page, 'errors', 'sheet')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('w')
  await sheet.getByText('handleRequest').waitFor()

  // resolved: it leaves the list, comes back with undo, and leaves again
  const id = await idOf(owner, 'card.brand')
  await page.keyboard.press('e')
  await toast(page).getByText('“TypeError: card.brand is undefined” is resolved.').waitFor()
  await expect.poll(() => rows(page).count()).toBe(4)
  await sheet.getByRole('button', { name: 'Reopen' }).waitFor()
  await page.keyboard.press('u')
  await toast(page).getByText('Undone.').waitFor()
  await expect.poll(() => rows(page).count()).toBe(5)
  await sheet.getByRole('button', { name: 'Resolve' }).waitFor()
  await page.keyboard.press('e')
  await expect.poll(() => rows(page).count()).toBe(4)
  await expect.poll(() => stateOf(owner, id)).toBe('RESOLVED')

  // it occurs again
  await reportTestError(shop, { ...payment, requestId: 'req_9c02', userId: 'u-2' })
  await sheet
    .getByRole('note')
    .filter({ hasText: /It came back on .*Olivia Ferrer resolved it on/ })
    .waitFor()
  await expect.poll(() => rows(page).count()).toBe(5)
  await page.goto(await addressOf(server, owner, `/errors/${id}`))
  await seeHeading(page, 'TypeError: card.brand is undefined')
  await page.getByRole('heading', { name: /Sample 1 of/ }).waitFor()
  await screenshot(page, 'errors', 'page')
  expect(await axeFindings(page)).toEqual([])
  // the raw stack was chosen before
  await page.getByText('handleRequest').waitFor()
  await page.getByText('req_9c02').waitFor()
  await page.keyboard.press(']')
  await page.getByText('req_7f31').waitFor()
  await page.getByRole('tab', { name: 'Whole application' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show as table' }).press('Enter')
  await page.getByRole('columnheader', { name: 'limited' }).waitFor()

  // the ticket
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Create a ticket' })
  await dialog.getByLabel('Notes').fill('Cards of one bank have no brand')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await toast(page).getByRole('button', { name: 'Show' }).press('Enter')
  const card = (column: string) =>
    page.getByRole('grid', { name: column, exact: true }).getByRole('row', { name: 'TypeError: card.brand' })
  await card('Open').waitFor()
  const ticket = page.getByRole('complementary', { name: 'TypeError: card.brand is undefined' })
  await ticket.getByLabel('Notes').waitFor()
  await screenshot(page, 'errors', 'ticket')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await ticket.waitFor({ state: 'detached' })
  await card('Open').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await card('In progress').and(page.locator(':focus')).waitFor()
  await expect.poll(() => ticketStatusesOf(owner, shop)).toEqual(['IN_PROGRESS'])
})

test('errors are silenced, changed together and by filter; reporting and secret names are set', async () => {
  const { server } = dashboard
  const { owner, shop } = await openShop()
  await reportOthers(shop)
  await Promise.all(
    Array.from({ length: 52 }, (_, at) =>
      reportTestError(shop, { message: `Import of the feed failed`, module: `feed-${at}`, severity: 'low' }),
    ),
  )
  const page = await dashboard.open(await addressOf(server, owner, '/errors?severity=high'), {
    person: owner,
  })
  await expect.poll(() => rows(page).count()).toBe(2)
  await row(page, 'ENOSPC').focus()
  await page.keyboard.press('s')
  const silence = page.getByRole('dialog', { name: /Silence “ENOSPC/ })
  await silence.getByRole('radio', { name: 'Until it has occurred more often' }).focus()
  await page.keyboard.press('Space')
  await silence.getByRole('textbox', { name: 'Occurrences' }).fill('5')
  await screenshot(page, 'errors', 'silence')
  await page.keyboard.press('Control+Enter')
  await silence.waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).count()).toBe(1)
  const full = await idOf(owner, 'ENOSPC')
  await expect.poll(() => stateOf(owner, full)).toBe('SILENCED')

  // many at once, and back
  await page.goto(await addressOf(server, owner, '/errors'))
  await rows(page).first().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('e')
  await toast(page).getByText('2 errors are resolved.').waitFor()
  await expect.poll(() => openCount(owner)).toBe(53)
  await toast(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => openCount(owner)).toBe(55)

  // all that a filter finds, also those that are not loaded
  await page.getByLabel('Message, module or file').fill('feed')
  await page.getByText('52 errors').waitFor()
  await rows(page).first().focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'All 52 that fit…' }).press('Enter')
  const all = page.getByRole('dialog', { name: 'Change all that fit the filters' })
  await screenshot(page, 'errors', 'all')
  await all.getByRole('button', { name: 'Resolve 52' }).press('Enter')
  await all.waitFor({ state: 'detached' })
  await page.getByText('Nothing fits the filters').waitFor()
  expect(await openCount(owner)).toBe(3)

  // reporting
  await page.goto(await addressOf(server, owner, `/errors/reporting?application=${shop.id}`))
  await page.getByRole('radio', { name: 'Create a new one' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'A ticket that is done resolves its error' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await toast(page).getByText('The settings were saved.').waitFor()
  const { settings } = await owner.call(readErrorTab, { params: { id: shop.id } })
  expect(settings).toEqual({ ticketOnRegression: 'NEW', resolveWithTicket: true })
  await page.getByLabel('One name a line').fill('Customer TIN\nnif')
  await page.keyboard.press('Control+Enter')
  await toast(page).getByText('2 names were saved.').waitFor()
  expect(await owner.call(readSecretNames)).toEqual({ names: ['Customer TIN', 'nif'] })
  await screenshot(page, 'errors', 'reporting')
  expect(await axeFindings(page)).toEqual([])
})

test('Home leads to the new errors; the inbox opens what was assigned and marks it as done, by keyboard', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Olivia Ferrer' })
  const admin = await organization.person({ role: 'OWNER', name: 'Amir Benali' })
  const lead = await makeLead(admin, { firstName: 'Sara', lastName: 'Vidal', assigneeId: owner.id })
  await reportOthers(await createReporter(server, organization), 2)
  const page = await dashboard.open(await addressOf(server, owner), { person: owner })
  await page.getByRole('link', { name: /new errors/ }).press('Enter')
  await seeHeading(page, 'Errors')
  expect(new URL(page.url()).search).toBe('?since=24h')
  await expect.poll(() => rows(page).count()).toBe(2)

  await page.goto(await addressOf(server, owner, '/inbox'))
  const item = page.getByRole('listitem').filter({ hasText: 'Amir Benali assigned the lead Sara Vidal' })
  await item.waitFor()
  await page.keyboard.press('j')
  await item.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Sara Vidal' }).waitFor()
  expect(new URL(page.url()).searchParams.get('open')).toBe(lead.id)
  await page.goBack()
  await item.waitFor()
  await page.keyboard.press('e')
  await page.getByText('Nothing new').waitFor()
})

async function stateOf(owner: Person, id: string): Promise<string> {
  const { items } = await owner.call(listOrganizationErrors, { query: { ids: [id] } })
  return firstOf(items).state
}

async function openCount(owner: Person): Promise<number> {
  return (await owner.call(listOrganizationErrors, { query: { state: 'UNRESOLVED' } })).total
}

async function ticketStatusesOf(owner: Person, { id }: TestApplication): Promise<string[]> {
  const { items } = await owner.call(listErrorTickets, { params: { id } })
  return items.map(({ status }) => status)
}
