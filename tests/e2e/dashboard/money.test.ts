import { beforeAll, expect, test } from 'vitest'
import { readExternalUser } from '#contract/billing/external-users.ts'
import { readBillingSettings } from '#contract/billing/settings.ts'
import { listInvoiceTemplates } from '#contract/billing/templates.ts'
import { currentAccount, plantPayer } from '#tests/support/billing/charges.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantCharge, plantDifference, plantPayment } from '#tests/support/billing/payments.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import type { Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
let owner: Person
let shop: TestApplication
let accountId: string
let invoice: PlantedInvoice

beforeAll(async () => {
  const { server } = dashboard
  const organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { name: 'Web shop' })
  accountId = await currentAccount(server, organization.id)
  invoice = await plantInvoice(server, shop, { totalCents: 153_670 })
  await server.sql(`update crm_client set name = 'Ateliernord', search = ' ateliernord' where id = $1`, [
    invoice.clientId,
  ])
})

/** Inserts payments, each a minute older than the one before. */
async function plantPayments(
  payments: readonly { cents: number; method?: string; reference?: string; intent?: string }[],
): Promise<void> {
  for (const [at, { cents, method = 'TRANSFER', reference, intent }] of payments.entries())
    await plantPayment(dashboard.server, {
      organizationId: owner.organizationId,
      invoiceId: invoice.id,
      method,
      cents,
      paidAt: new Date(Date.now() - at * 60_000),
      reference,
      accountId: intent && accountId,
      paymentIntentId: intent,
    })
}

/** Inserts a charge that was declined, and one that the gateway still processes. */
async function plantCharges(): Promise<void> {
  for (const [state, failure, decline] of [
    ['FAILED', 'card_declined', 'insufficient_funds'],
    ['PROCESSING', null, null],
  ] as const)
    await plantCharge(dashboard.server, {
      organizationId: owner.organizationId,
      invoiceId: invoice.id,
      state,
      amountCents: 153_670,
      accountId,
      paymentIntentId: `pi_${state}`,
      failureCode: failure,
      declineCode: decline,
    })
}

test('the line of a bank statement leads to its payment, which is reversed; a difference is settled', async () => {
  await plantPayments([
    { cents: 50_000, method: 'GATEWAY_CARD', intent: 'pi_3card' },
    { cents: 103_670, reference: 'Transf. N26 0044' },
  ])
  const { sql } = dashboard.server
  await sql(`update invoice set paid_cents = 153670 where id = $1`, [invoice.id])
  const page = await dashboard.open(await addressOf(dashboard.server, owner, '/payments'), { person: owner })
  await seeHeading(page, 'Payments')
  const rows = page.locator('main [data-row-key]')
  await rows.nth(1).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('1.036,70 €')
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('1.036,70 €')
  await rows.first().focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary', { name: '€1,036.70' })
  await sheet.getByText('Transf. N26 0044').waitFor()
  await screenshot(page, 'money', 'payment')
  expect(await axeFindings(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Reverse the payment…' }).press('Enter')
  const question = page.getByRole('alertdialog')
  const confirm = question.getByRole('button', { name: 'Reverse €1,036.70' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.keyboard.type('Of another client')
  await confirm.press('Enter')
  await sheet.getByText('Reversed', { exact: true }).first().waitFor()
  const [payment] = await sql<{ reversed: boolean }>(
    `select reversed_at is not null as reversed from payment where invoice_id = $1 and amount_cents = 103670`,
    [invoice.id],
  )
  expect(payment).toEqual({ reversed: true })
  // a payment of the gateway is refunded instead
  await page.keyboard.press('Escape')
  await page.getByLabel('Client, reference, amount').fill('pi_3c')
  await expect.poll(() => rows.first().textContent()).toContain('500')
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await page.getByText('it is refunded from its invoice').waitFor()
  expect(await page.getByRole('button', { name: 'Reverse the payment…' }).count()).toBe(0)

  await plantCharges()
  await page.goto(await addressOf(dashboard.server, owner, '/payments/charges'))
  await page.getByText('The card has not enough funds.').waitFor()
  await screenshot(page, 'money', 'charges')
  await page.getByRole('row', { name: 'In progress' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Do not repeat it').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'money', 'charge-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  const differences = [
    { objectId: 'pi_unknown', kind: 'MISSING_HERE', gatewayCents: 4_900 },
    { objectId: 're_back', kind: 'MISSING_THERE', localCents: -2_000 },
    { objectId: 'pi_part', kind: 'AMOUNT', localCents: 10_000, gatewayCents: 9_000 },
  ] as const
  const { organizationId } = owner
  for (const difference of differences)
    await plantDifference(dashboard.server, { organizationId, accountId, day: '2026-11-02', ...difference })
  await sql(`update invoice set overpaid_cents = 12345 where id = $1`, [invoice.id])
  await page.goto(await addressOf(dashboard.server, owner, '/reconciliation'))
  const difference = page.getByRole('article', { name: 'Payment pi_unknown' })
  await difference.getByText('the ledger could book it to no invoice').waitFor()
  await screenshot(page, 'money', 'reconciliation')
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'money', 'reconciliation-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await difference.locator('dd').allTextContents()).toEqual([
    '€49.00',
    'Nothing',
    expect.stringContaining('collected at the gateway'),
  ])
  await page.getByText('€123.45').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await difference.getByRole('button', { name: 'Settle…' }).press('Enter')
  await page.getByLabel('Reason').waitFor()
  await page.keyboard.type('It belongs to the old shop')
  await page.getByRole('button', { name: 'Settle €49.00' }).press('Enter')
  await difference.waitFor({ state: 'detached' })
  expect(await page.getByRole('article').count()).toBe(2)
  const [settled] = await sql<{ reason: string }>(
    `select settled_reason as reason from gateway_difference where gateway_object_id = 'pi_unknown'`,
  )
  expect(settled).toEqual({ reason: 'It belongs to the old shop' })
})

const refusedKey = { path: 'secretKey', code: 'refused', message: 'is not a key of Stripe' }

test('the settings of billing are saved, the gateway tells refused keys from no answer, a template is seen with an invoice', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const merchant = await organization.person({ role: 'OWNER' })
  const { number } = await plantInvoice(server, await makeApplication(server, organization))
  const page = await dashboard.open(await addressOf(server, merchant, '/settings/billing'), {
    person: merchant,
    refusals: [
      'GET /api/billing/gateway 404',
      'PUT /api/billing/gateway 422',
      'PUT /api/billing/gateway 502',
    ],
  })
  await page.getByText('test address of the Spanish tax office').waitFor()
  const series = page.getByLabel('Series of invoices')
  await series.fill('acme')
  await page.getByText('The first of the year is ACME').waitFor()
  await page.getByRole('textbox', { name: 'Days to pay' }).fill('15')
  await screenshot(page, 'money', 'settings')
  expect(await axeFindings(page)).toEqual([])
  await series.press('Enter')
  await page.getByText('Saved. It applies').waitFor()
  expect(await merchant.call(readBillingSettings)).toMatchObject({ invoiceSeries: 'ACME', paymentDays: 15 })

  await page.getByRole('link', { name: 'Payment gateway' }).press('Enter')
  await page.getByRole('button', { name: 'Connect a gateway…' }).press('Enter')
  const dialog = page.getByRole('dialog')
  // the server would ask Stripe
  for (const [status, json, shown] of [
    [422, { errorCode: 'GATEWAY_REFUSED', details: [refusedKey] }, 'is not a key of Stripe'],
    [502, { errorCode: 'GATEWAY_NOT_REACHED' }, 'Nothing was stored, and the keys may be right'],
  ] as const) {
    await dialog.getByLabel('Secret key').fill(`sk_test_${status}`)
    await page.route('**/api/billing/gateway', route => route.fulfill({ status, json }), { times: 1 })
    await dialog.getByRole('button', { name: 'Connect Stripe' }).press('Enter')
    await dialog.getByText(shown).waitFor()
  }
  await dialog.getByRole('radio', { name: /Sandbox/ }).check({ force: true })
  await dialog.getByRole('button', { name: 'Connect Sandbox' }).press('Enter')
  await page.getByText('Test mode: no real money is moved').waitFor()
  await page.getByText('Ready to collect').waitFor()
  // without the announcements of the buttons that were busy
  await page.reload()
  await page.getByText('Ready to collect').waitFor()
  await screenshot(page, 'money', 'gateway')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Disconnect…' }).press('Enter')
  await page.getByRole('button', { name: 'Disconnect Sandbox' }).press('Enter')
  await page.getByText('No gateway is connected').waitFor()

  await page.getByRole('link', { name: 'Mail templates' }).press('Enter')
  await page.getByText('No templates yet').waitFor()
  await page.keyboard.press('c')
  const sheet = page.getByRole('complementary', { name: 'New template' })
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Short')
  await sheet.getByRole('textbox', { name: 'Subject' }).fill('Invoice {{number}}')
  await sheet.getByRole('textbox', { name: 'Text' }).fill('Dear customer, due on ')
  await sheet.getByRole('button', { name: 'Insert {{dueDate}}' }).press('Enter')
  const picker = sheet.getByRole('combobox', { name: 'With the invoice' })
  await picker.fill(defined(number))
  await page.getByRole('option', { name: defined(number) }).waitFor()
  await picker.press('ArrowDown')
  await picker.press('Enter')
  await sheet.getByText(`Invoice ${number}`, { exact: true }).waitFor()
  await sheet.frameLocator('iframe').getByText('Dear customer, due on 2 de diciembre').waitFor()
  await screenshot(page, 'money', 'template')
  await sheet.getByRole('textbox', { name: 'Subject' }).press('Enter')
  await page.getByRole('complementary', { name: 'Short' }).waitFor()
  const { items } = await merchant.call(listInvoiceTemplates)
  expect(items).toMatchObject([{ name: 'Short', body: 'Dear customer, due on {{dueDate}}' }])
  await page.getByRole('button', { name: 'Delete the template…' }).press('Enter')
  await page.getByRole('button', { name: 'Delete “Short”' }).press('Enter')
  await page.getByText('No templates yet').waitFor()
})

test('a user’s authorization is revoked, their data are erased, and a consent text is published', async () => {
  const { server } = dashboard
  const { userId } = invoice
  await plantPayer(server, shop, accountId, userId, { limitCents: 50_000 })
  const other = await plantInvoice(server, shop)
  await server.sql(`update crm_client set name = 'Vitrina', search = ' vitrina' where id = $1`, [
    other.clientId,
  ])
  const page = await dashboard.open(await addressOf(server, owner, '/payments/authorizations'), {
    person: owner,
  })
  const row = page.getByRole('row', { name: userId })
  await row.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary')
  await sheet.getByText('Visa ···· 4242').first().waitFor()
  await sheet.getByText('€500.00').waitFor()
  await screenshot(page, 'money', 'user')
  expect(await axeFindings(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Revoke…' }).press('Enter')
  await page.getByRole('button', { name: 'Revoke that of' }).press('Enter')
  await sheet.getByText('Inactive').waitFor()
  await sheet.getByText('Revoked').first().waitFor()

  await sheet.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Change the client…' }).press('Enter')
  const combo = page.getByRole('combobox', { name: 'Client' })
  await combo.fill('Vitr')
  await page.getByRole('option', { name: 'Vitrina' }).waitFor()
  await combo.press('ArrowDown')
  await combo.press('Enter')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await sheet.getByText('Vitrina').waitFor()

  await sheet.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Erase their personal data…' }).press('Enter')
  const erase = page.getByRole('button', { name: `Erase the data of ${userId}` })
  expect(await erase.isDisabled()).toBe(true)
  await page.getByLabel(`Type ${userId} to confirm`).fill(userId)
  await erase.press('Enter')
  await sheet.getByText('No name').waitFor()
  const params = { applicationId: shop.id, userId }
  expect(await owner.call(readExternalUser, { params })).toMatchObject({
    name: null,
    email: null,
    clientName: 'Vitrina',
  })

  await page.goto(await addressOf(server, owner, '/settings/consent'))
  await page.getByRole('row', { name: 'Spanish, version 1' }).waitFor()
  await page.keyboard.press('c')
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill('I allow monthly charges of what I used, until I write to stop them.')
  await page.getByRole('button', { name: 'Check and publish…' }).press('Enter')
  await page.getByRole('button', { name: 'Publish in English' }).press('Enter')
  await page.getByRole('row', { name: 'English, version 2' }).press('Enter')
  await sheet.getByText('I allow monthly charges').waitFor()
  await screenshot(page, 'money', 'consent')
})
