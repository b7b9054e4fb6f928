import { beforeAll, expect, test } from 'vitest'
import { readInvoiceReminders, readReminderSettings } from '#contract/billing/reminders.ts'
import { readCrmSettings } from '#contract/crm/settings.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import type { Organization, Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
let organization: Organization
let owner: Person
beforeAll(async () => {
  organization = await dashboard.server.organization()
  owner = await organization.person({ role: 'OWNER' })
})

test('a rule is added and previewed, the next reminders are listed, and an invoice is paused', async () => {
  const { server } = dashboard
  const shop = await makeApplication(server, organization, {})
  const { id, number } = await plantInvoice(server, shop, { totalCents: 153_670 })
  const page = await dashboard.open(await addressOf(server, owner, '/settings/reminders'), { person: owner })
  await seeHeading(page, 'Reminders')
  await page.getByText('There are no rules').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).press('Enter')
  const rule = page.getByRole('group', { name: 'Rule: 7 days after the due date' })
  await rule.getByLabel('Text of your own').focus()
  await page.keyboard.type('Please pay {{number}}.')
  await rule.getByRole('button', { name: 'Show the e-mail' }).press('Enter')
  await page
    .frameLocator('iframe[title="The e-mail of the reminder"]')
    .getByText('Please pay EJEMPLO-000001.')
    .waitFor()
  await screenshot(page, 'reminders', 'rules')
  await rule.getByRole('button', { name: 'Hide the e-mail' }).press('Enter')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('link', { name: defined(number) }).waitFor()
  expect((await owner.call(readReminderSettings)).rules).toEqual([
    { days: 7, isOn: true, text: 'Please pay {{number}}.' },
  ])
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'reminders', 'rules-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('link', { name: defined(number) }).press('Enter')
  const pause = page.getByRole('switch', { name: 'No reminders for this invoice' })
  await pause.press('Space')
  await expect.poll(() => pause.isChecked()).toBe(true)
  expect(await owner.call(readInvoiceReminders, { params: { id } })).toMatchObject({
    isPaused: true,
    isClientPaused: false,
  })
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'reminders', 'invoice')
})

test('reminders to sign are turned on in the settings of the CRM', async () => {
  const page = await dashboard.open(await addressOf(dashboard.server, owner, '/settings/crm'), {
    person: owner,
    width: 390,
  })
  await page.getByRole('switch', { name: 'Remind people who do not answer' }).press('Space')
  const days = page.getByRole('textbox', { name: 'Days to wait' })
  await days.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => days.inputValue()).toBe('4')
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'reminders', 'signing')
  await page.getByRole('button', { name: 'Save reminders' }).press('Enter')
  await page.getByText('Reminders saved.').waitFor()
  expect(await owner.call(readCrmSettings)).toMatchObject({ signingReminders: { days: 4, most: 2 } })
})

test('people who may not manage the organization see the rules', async () => {
  const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
  const page = await dashboard.open(await addressOf(dashboard.server, viewer, '/settings/reminders'), {
    person: viewer,
    language: 'es',
    theme: 'dark',
    width: 390,
  })
  await page.getByText('7 días después del vencimiento').first().waitFor()
  expect(await page.getByRole('button', { name: 'Guardar' }).count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'reminders', 'viewer')
})
