import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readLead, updateLead } from '#contract/crm/leads.ts'
import { createOpportunity, listOpportunities } from '#contract/crm/opportunities.ts'
import { listLeadHistory } from '#contract/crm/team.ts'
import { createSavedView, listSavedViews } from '#contract/identity/views.ts'
import { makeClient, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { firstOf } from '#tests/support/elements.ts'

const dashboard = openDashboard()
/** A card in a column of a board. */
const card = (page: Page, column: string, name: string) =>
  page.getByRole('grid', { name: column, exact: true }).getByRole('row', { name })

test('leads move on the board by keyboard, a refused move goes back, and a lost lead needs a reason', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const { id } = await makeLead(owner, { firstName: 'Sara', lastName: 'Vidal', company: 'Vitrina' })
  const other = await makeLead(owner, { firstName: 'Jon', company: 'Taller Norte' })
  await setStatus(server, owner.organizationId, other.id, 'NEGOTIATING')
  const page = await dashboard.open(await addressOf(server, owner, '/leads/board'), {
    person: owner,
    refusals: [`POST /api/crm/leads/${id}/move 409`],
  })
  await seeHeading(page, 'Leads')
  await card(page, 'Negotiating', 'Jon').waitFor()

  // a new lead is qualified by the menu, then moved
  await card(page, 'New', 'Sara Vidal').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu', { name: 'Move to…' })
  expect(await menu.getByRole('menuitemradio', { name: 'Negotiating' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await menu.getByRole('menuitemradio', { name: 'Qualified' }).focus()
  await page.keyboard.press('Enter')
  await card(page, 'Qualified', 'Sara Vidal').and(page.locator(':focus')).waitFor()
  await expect.poll(() => statusOf(id)).toBe('QUALIFIED')

  // somebody changes the lead in the same moment
  await page.route(
    '**/move',
    async route => {
      await owner.call(updateLead, { params: { id }, body: { company: 'Vitrina SL' } })
      await route.continue()
    },
    { times: 1 },
  )
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByText('Sara Vidal stays where it was. The lead has changed since it was read.').waitFor()
  await card(page, 'Qualified', 'Sara Vidal').and(page.locator(':focus')).getByText('Vitrina SL').waitFor()

  // the next column that takes it is Negotiating, and then Lost, which asks for a reason
  await page.keyboard.press('Shift+ArrowRight')
  await card(page, 'Negotiating', 'Sara Vidal').and(page.locator(':focus')).waitFor()
  await expect.poll(() => statusOf(id)).toBe('NEGOTIATING')
  const question = page.getByRole('alertdialog', { name: 'Disqualify Sara Vidal?' })
  await page.keyboard.press('Shift+ArrowRight')
  await question.getByLabel('Reason').fill('They chose another agency')
  await question.getByRole('button', { name: 'Disqualify Sara Vidal' }).press('Enter')
  await question.waitFor({ state: 'detached' })
  await card(page, 'Lost', 'Sara Vidal').and(page.locator(':focus')).waitFor()
  const { items } = await owner.call(listLeadHistory, { params: { id } })
  expect(items[0]).toMatchObject({ toStatus: 'LOST', reason: 'They chose another agency', source: 'manual' })

  // Escape keeps the other lead
  await card(page, 'Negotiating', 'Jon').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await card(page, 'Negotiating', 'Jon').and(page.locator(':focus')).waitFor()

  // a lead is created from the board
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New lead' })
  await form.getByLabel('First name').fill('Nerea')
  await page.keyboard.press('Enter')
  await form.getByText('Fill in this field.').waitFor()
  await form.getByLabel('E-mail').fill('nerea@vitrina.test')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await card(page, 'New', 'Nerea').waitFor()

  async function statusOf(leadId: string): Promise<string> {
    return (await owner.call(readLead, { params: { id: leadId } })).status
  }
})

test('the board searches leads in each column and shows saved views, and a found lead moves', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const { id } = await makeLead(owner, { firstName: 'Sara', lastName: 'Vidal', temperature: 'HOT' })
  const lost = await makeLead(owner, { firstName: 'Sara', lastName: 'Prats' })
  await setStatus(server, owner.organizationId, lost.id, 'LOST')
  await makeLead(owner, { firstName: 'Jon' })
  const filters = { temperature: 'HOT', orderBy: 'score', order: 'desc' }
  await owner.call(createSavedView, { body: { list: 'leads', name: 'Hottest first', filters } })
  const page = await dashboard.open(await addressOf(server, owner, '/leads/board'), { person: owner })
  await card(page, 'New', 'Jon').waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('sara')
  await card(page, 'New', 'Jon').waitFor({ state: 'detached' })
  await card(page, 'New', 'Sara Vidal').waitFor()
  await card(page, 'Lost', 'Sara Prats').waitFor()
  await screenshot(page, 'board', 'search')
  expect(await axeFindings(page)).toEqual([])
  await card(page, 'New', 'Sara Vidal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await card(page, 'Contacted', 'Sara Vidal').and(page.locator(':focus')).waitFor()
  await expect.poll(async () => (await owner.call(readLead, { params: { id } })).status).toBe('CONTACTED')
  // the table searches for the same
  await page.getByRole('link', { name: 'Table' }).press('Enter')
  await page.getByRole('row', { name: 'Sara Vidal' }).waitFor()
  expect(new URL(page.url()).search).toBe('?q=sara')

  await page.getByRole('link', { name: 'Board' }).press('Enter')
  await page.getByRole('link', { name: 'Hottest first' }).press('Enter')
  await page.getByRole('link', { name: 'Hottest first' }).and(page.locator('[aria-current=page]')).waitFor()
  await card(page, 'Contacted', 'Sara Vidal').waitFor()
  await card(page, 'New', 'Jon').waitFor({ state: 'detached' })
  await screenshot(page, 'board', 'view')
  // what the board does not use of the view stays in it
  await page.getByRole('button', { name: 'Remove the filter warmth' }).press('Enter')
  await card(page, 'New', 'Jon').waitFor()
  await page.getByRole('button', { name: 'Actions for views' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Save changes to Hottest first' }).press('Enter')
  await expect
    .poll(async () => firstOf((await owner.call(listSavedViews, { query: { list: 'leads' } })).items).filters)
    .toEqual({ orderBy: 'score', order: 'desc' })
})

test('an opportunity is created, moved to a stage, won and reopened by keyboard; sums keep currencies apart', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const client = await makeClient(owner, { name: 'Vitrina SL' })
  const clientId = client.id
  await owner.call(createOpportunity, {
    body: { title: 'Shop windows', clientId, stage: 'Offer', amountCents: 250_000, currency: 'eur' },
  })
  await owner.call(createOpportunity, {
    body: { title: 'New York fair', clientId, stage: 'Offer', amountCents: 99_000, currency: 'usd' },
  })
  const page = await dashboard.open(await addressOf(server, owner, '/opportunities'), { person: owner })
  await page.getByRole('grid', { name: 'Opportunities' }).getByText('Shop windows').waitFor()

  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New opportunity' })
  await form.getByLabel('Title').fill('Rebrand')
  await form.getByRole('combobox', { name: 'Client' }).fill('Vitri')
  await page.getByRole('option', { name: 'Vitrina SL' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await form.getByLabel('Amount').fill('1.536,70')
  await form.getByRole('button', { name: 'Create opportunity' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Rebrand' })
  await sheet.getByText('1,536.70').waitFor()
  expect((await owner.call(listOpportunities, { query: { search: 'Rebrand' } })).items).toMatchObject([
    { clientId, amountCents: 153_670, currency: 'eur', stage: null, status: 'OPEN' },
  ])

  await page.getByRole('link', { name: 'Board' }).press('Enter')
  const offer = page.getByRole('region', { name: 'Offer', exact: true })
  await offer.getByText('€2,500.00').first().waitFor()
  await card(page, 'No stage', 'Rebrand').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await card(page, 'Offer', 'Rebrand').and(page.locator(':focus')).waitFor()
  await offer.locator('data[value="403670 eur"]').waitFor()
  await offer.locator('data[value="99000 usd"]').first().waitFor()
  await page.keyboard.press('Shift+ArrowRight')
  await card(page, 'Won', 'Rebrand').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Shift+ArrowLeft')
  await card(page, 'Offer', 'Rebrand').and(page.locator(':focus')).waitFor()
  await expect
    .poll(async () => (await owner.call(listOpportunities, { query: { search: 'Rebrand' } })).items)
    .toMatchObject([{ stage: 'Offer', status: 'OPEN', closedAt: null }])

  // the search narrows every column, stays in the address, and comes along to the table
  await card(page, 'Won', 'Rebrand').waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search by title' }).fill('rebr')
  await card(page, 'Offer', 'Shop windows').waitFor({ state: 'detached' })
  await card(page, 'Offer', 'Rebrand').waitFor()
  await page.getByRole('link', { name: 'Table' }).press('Enter')
  await page.waitForURL('**/opportunities?search=rebr')
  const rows = page.getByRole('grid', { name: 'Opportunities' }).locator('[data-row-key]')
  await expect.poll(() => rows.count()).toBe(1)
})

test('on a phone, the title of the opportunities has room beside the views and the button', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const address = await addressOf(server, owner, '/opportunities/board')
  const page = await dashboard.open(address, { person: owner, width: 390, language: 'es' })
  const title = page.getByRole('heading', { level: 1, name: 'Oportunidades' })
  await page.getByRole('button', { name: 'Nueva oportunidad…' }).waitFor()
  expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await screenshot(page, 'opportunities', 'phone-es')
})
