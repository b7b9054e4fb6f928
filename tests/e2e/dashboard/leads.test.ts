import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { qualifyLead } from '#contract/crm/lead-moves.ts'
import { listLeads, readLead, updateLead } from '#contract/crm/leads.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { plantLeads } from '#tests/support/crm/many-leads.ts'
import {
  addressOf,
  axeFindings,
  openDashboard,
  screenshot,
  seeContent,
  seeHeading,
} from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'

const dashboard = openDashboard()

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

test('a person creates a lead, changes several at once, and sees which could not change and why', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const sara = await makeLead(owner, {
    firstName: 'Sara',
    lastName: 'Vidal',
    company: 'Vitrina',
    email: 'sara@vitrina.test',
  })
  await owner.call(qualifyLead, { params: { id: sara.id } })
  await makeLead(owner, { firstName: 'Jon', temperature: 'HOT' })
  const page = await dashboard.open(await addressOf(server, owner, '/leads'), { person: owner })
  await seeHeading(page, 'Leads')
  await rowOf(page, 'Sara Vidal').waitFor()

  await press(page, 'c')
  const form = page.getByRole('dialog', { name: 'New lead' })
  await form.getByLabel('E-mail').fill('sara@vitrina.test')
  await press(page, 'Tab')
  await form.getByText('Sara Vidal has this e-mail already.').waitFor()
  await form.getByLabel('First name').fill('Nerea')
  await screenshot(page, 'leads', 'create')
  await press(page, 'Enter')
  await page.getByRole('complementary', { name: 'Nerea' }).getByText('created the lead').waitFor()
  await screenshot(page, 'leads', 'sheet')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Escape')
  expect(new URL(page.url()).search).toBe('')

  // Sara is the oldest, at the end of the list
  await rowOf(page, 'Sara Vidal').focus()
  await press(page, 'x', 'k', 'x')
  await page.getByText('2 selected').first().waitFor()
  await screenshot(page, 'leads', 'selection')
  await press(page, 's')
  const status = page.getByRole('dialog', { name: 'Status of 2 leads' })
  await status.getByText('Negotiating').click()
  await press(page, 'Enter')
  await status.getByText('1 of 2 leads did not change').waitFor()
  expect(await status.getByRole('listitem').allInnerTexts()).toEqual([
    'Jon: Its status does not lead directly to this one.',
  ])
  await screenshot(page, 'leads', 'refused')
  await status.getByRole('button', { name: 'Close', exact: true }).last().click()
  await rowOf(page, 'Sara Vidal').getByText('Negotiating').waitFor()

  await page.getByRole('link', { name: 'Hot' }).click()
  await rowOf(page, 'Sara Vidal').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions for views' }).click()
  await page.getByRole('menuitem', { name: 'Save as view…' }).click()
  await page.getByRole('dialog', { name: 'Save the filters as a view' }).getByLabel('Name').fill('Warm ones')
  await press(page, 'Enter')
  await page.getByRole('link', { name: 'Warm ones' }).and(page.locator('[aria-current=page]')).waitFor()
  await screenshot(page, 'leads', 'view')
})

test('two people edit a lead: the second one sees both values, and nothing is overwritten unseen', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const { id } = await makeLead(owner, { firstName: 'Jon', stage: 'Offer', company: 'Taller' })
  const page = await dashboard.open(await addressOf(server, owner, `/leads/${id}`), {
    person: owner,
    refusals: [`PATCH /api/crm/leads/${id} 409`],
  })
  await seeHeading(page, 'Jon')
  await press(page, 'e')
  const form = page.getByRole('dialog', { name: 'Edit Jon' })
  await form.getByLabel('Stage').fill('Signed')
  await owner.call(updateLead, { params: { id }, body: { stage: 'Lost offer', company: 'Taller Norte' } })
  await press(page, 'Enter')
  const conflict = form.getByRole('alert')
  await conflict.getByText('Somebody else saved this lead while you edited it').waitFor()
  expect(await conflict.innerText()).toMatch(
    /Company: Taller Norte[\s\S]*Yours: Signed[\s\S]*Theirs: Lost offer/,
  )
  expect(await form.getByLabel('Company').inputValue()).toBe('Taller Norte')
  await screenshot(page, 'leads', 'conflict')
  await form.getByRole('button', { name: 'Save lead' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await owner.call(readLead, { params: { id } })).toMatchObject({
    stage: 'Signed',
    company: 'Taller Norte',
  })

  await press(page, 'v')
  const convert = page.getByRole('dialog', { name: 'Convert Jon' })
  await convert.getByText('The client Taller Norte is created.').waitFor()
  await convert.getByLabel('Why it is converted').fill('They signed the offer today')
  await screenshot(page, 'leads', 'convert')
  await convert.getByRole('button', { name: 'Convert Jon' }).click()
  await convert.waitFor({ state: 'detached' })
  await page.getByText('converted it into a contact').waitFor()
  await press(page, 'e')
  expect(await page.getByRole('dialog').count()).toBe(0)

  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase their personal data…' }).click()
  const erase = page.getByRole('alertdialog')
  const button = erase.getByRole('button', { name: 'Erase the data of Jon' })
  await erase.getByLabel('Reason').fill('Asked by letter')
  expect(await button.isDisabled()).toBe(true)
  await erase.getByLabel('Type Jon to confirm').fill('Jon')
  await screenshot(page, 'leads', 'erase')
  // the event of the change comes before its reply; what it erased is not read again
  await page.route(`**/api/crm/leads/${id}/erase`, async route => {
    const response = await route.fetch()
    await sleep(1_500)
    await route.fulfill({ response })
  })
  await button.click()
  await page.waitForURL('**/leads')
  await seeContent(page)
})

test('the next screen shows the result of an action whose screen the person has left, or why it was refused (DSH-28)', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const { id } = await makeLead(owner, { firstName: 'Jon' })
  const { id: other } = await makeLead(owner, { firstName: 'Nerea' })
  const refusals = [`POST /api/crm/leads/${other}/qualify 409`]
  const page = await dashboard.open(await addressOf(server, owner, `/leads/${id}`), {
    person: owner,
    refusals,
  })
  /** Starts the action, and leaves before it reaches the server. */
  async function qualifyAndLeave(): Promise<() => void> {
    const held = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    await page.route('**/qualify', async route => {
      arrived.resolve()
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Actions', exact: true }).first().press('Enter')
    await page.getByRole('menuitem', { name: 'Qualify', exact: true }).press('Enter')
    await arrived.promise
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.waitForURL(/\/o\/[^/]+$/)
    return held.resolve
  }
  const release = await qualifyAndLeave()
  release()
  await page.getByText('Jon is qualified.').waitFor()

  await page.goto(await addressOf(server, owner, `/leads/${other}`))
  const releaseLate = await qualifyAndLeave()
  await owner.call(qualifyLead, { params: { id: other } })
  releaseLate()
  await page.getByText('The lead is already qualified or in a later status.').waitFor()
})

test('a file is checked before it is imported, its columns are assigned, and its faulty lines come back', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/leads/import'), {
    person: owner,
    refusals: ['POST /api/crm/leads/import 400'],
  })
  await seeHeading(page, 'Import leads')
  const text = 'email;Handy;Nombre\nana@b.test;600000001;Ana\nwrong;;Bo\n'
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByText('has unknown columns: Handy').waitFor()
  await page.getByRole('button', { name: 'Handy' }).press('Enter')
  await page.getByRole('option', { name: 'Phone' }).press('Enter')
  await page.getByText('1 line with errors').waitFor()
  expect(await page.getByRole('cell', { name: 'E-mail must be' }).count()).toBe(1)
  await screenshot(page, 'leads', 'import')
  expect(await axeFindings(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the lines with errors' }).press('Enter')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(
    '\uFEFFemail;Handy;Nombre\r\nwrong;;Bo\r\n',
  )
  await page.getByRole('button', { name: 'Import 1 lead' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'fair.csv' })
  await sheet.getByText('Done', { exact: true }).waitFor()
  await screenshot(page, 'leads', 'imported')
  const { data } = await owner.call(listLeads, { query: {} })
  expect(data).toMatchObject([{ email: 'ana@b.test', phone: '600000001', firstName: 'Ana' }])
})

test('10,000 leads by keyboard: the list goes to its end, a change of many says what failed, the search finds one', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await makeLead(owner)
  await plantLeads(server, owner.organizationId, 10_000)
  // the newest, and the only one that can be negotiated with
  const { id } = await makeLead(owner, { firstName: 'Sara' })
  await owner.call(qualifyLead, { params: { id } })
  const page = await dashboard.open(await addressOf(server, owner, '/leads'), { person: owner })
  await page.getByText('10,000+ leads').waitFor()
  const rows = page.getByRole('grid', { name: 'Leads' }).locator('[data-row-key]')
  await rows.first().waitFor()
  await page.getByRole('grid', { name: 'Leads' }).focus()
  const place = async () => Number(await page.locator('[aria-rowindex]:focus').getAttribute('aria-rowindex'))
  for (const least of [40, 80, 120])
    await expect
      .poll(async () => {
        await press(page, 'End')
        return place()
      })
      .toBeGreaterThan(least)
  // the list draws what is seen
  expect(await rows.count()).toBeLessThan(80)
  await press(page, 'Control+a', 's')
  const status = page.getByRole('dialog', { name: /^Status of \d+ leads$/ })
  // nothing is chosen yet: the first one has the focus (DSH-25)
  await status.locator('input[type=radio]:focus').waitFor()
  await status.getByRole('radio', { name: 'Negotiating' }).focus()
  await press(page, 'Space', 'Enter')
  await status.getByText(/^\d+ of \d+ leads did not change/).waitFor()
  const [, failed, all] = defined(/(\d+) of (\d+) leads did not change/.exec(await status.innerText()))
  expect(Number(all) - Number(failed)).toBe(1)
  // five are named
  const rest = `and ${Number(failed) - 5} more: Its status does not lead directly to this one.`
  await status.getByText(rest).waitFor()
  await status.locator('button:focus', { hasText: 'Close' }).waitFor()
  await press(page, 'Escape')
  await status.waitFor({ state: 'detached' })
  await press(page, '/')
  await page.keyboard.type('Visitor 7654')
  await rowOf(page, 'Visitor 7654').waitFor()
  await page.getByText('1 lead', { exact: true }).waitFor()
})
