import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { connectGateway } from '#contract/billing/gateway.ts'
import { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { listRefunds } from '#contract/billing/refunds.ts'
import { createLead } from '#contract/crm/leads.ts'
import { cards } from '#tests/support/billing/charges.ts'
import { openProfile } from '#tests/support/browser.ts'
import { setIssuer } from '#tests/support/crm/budgets.ts'
import { addressOf, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { mailsTo } from '#tests/support/outbox.ts'

const dashboard = openDashboard()

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types what a field asks for, and goes to the next field. */
async function type(page: Page, ...values: string[]): Promise<void> {
  for (const value of values) {
    await page.keyboard.type(value)
    await press(page, 'Tab')
  }
}

/** The browser of the customer, at a link that the organization sent. Its pages need no scripts. */
async function customerAt(page: Page, url: string): Promise<Page> {
  const context = await openProfile(defined(page.context().browser()), {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    javaScriptEnabled: false,
  })
  const customer = await context.newPage()
  await customer.goto(url)
  return customer
}

test('one day by keyboard: a lead of the web form, a budget, its signature, the invoice, a card that asks the bank, a refund, a rectifying invoice', async () => {
  const { server } = dashboard
  const organization = await server.organization({ name: 'Harbour Books' })
  const owner = await organization.person({ role: 'OWNER' })
  await setIssuer(owner)
  await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  const webForm = await makeApplication(server, organization, { scopes: ['crm:leads:write'] })
  const refusals: string[] = []
  const page = await dashboard.open(await addressOf(server, owner, '/leads'), { person: owner, refusals })
  await seeHeading(page, 'Leads')

  // the web form sends a lead, which appears without a reload
  await webForm.client.call(createLead, {
    body: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@engines.test',
      company: 'Analytical Engines',
      source: 'web form',
    },
  })
  await page.getByRole('row', { name: 'Ada Lovelace' }).waitFor()
  await page.getByRole('grid', { name: 'Leads' }).focus()
  await press(page, 'j', 'Enter')
  const lead = page.getByRole('complementary', { name: 'Ada Lovelace' })
  await lead.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Qualify', exact: true }).press('Enter')
  await lead.getByText('Qualified').first().waitFor()
  await press(page, 'v')
  const convert = page.getByRole('dialog', { name: 'Convert Ada Lovelace' })
  await convert.getByText('The client Analytical Engines is created.').waitFor()
  await convert.getByLabel('Why it is converted').focus()
  await page.keyboard.type('They want a spring catalogue')
  await press(page, 'Control+Enter')
  await convert.waitFor({ state: 'detached' })

  // a budget for the new client
  await page.goto(await addressOf(server, owner, '/budgets'))
  await seeHeading(page, 'Budgets')
  await press(page, 'c')
  await page.getByRole('dialog', { name: 'New budget' }).waitFor()
  await type(page, 'Spring catalogue')
  await page.keyboard.type('Analyt')
  await page.getByRole('option', { name: 'Analytical Engines' }).waitFor()
  await press(page, 'ArrowDown', 'Enter', 'Control+Enter')
  await seeHeading(page, /^P-\d{4}-0001$/)
  await page.getByRole('textbox', { name: 'Item, row 1' }).focus()
  await type(page, 'Design', '10', 'h', '60', '', '21')
  await expect.poll(() => page.locator('dd data').last().textContent()).toBe('€726.00')
  await press(page, 'Control+Enter')
  await page.getByText('All saved').waitFor()

  // it is signed outside, on a phone
  await page.getByRole('link', { name: 'Signing' }).press('Enter')
  await page.getByRole('button', { name: 'Issue a link…' }).press('Enter')
  const link = page.getByRole('dialog')
  await link.getByLabel('Name of the signer').waitFor()
  await type(page, 'Ada Lovelace')
  await page.keyboard.type('ada@engines.test')
  await press(page, 'Control+Enter')
  const signer = await customerAt(page, defined(await link.locator('pre').textContent()))
  await press(page, 'Enter')
  await link.waitFor({ state: 'detached' })
  await signer.locator('input[name=name]').focus()
  await type(signer, 'Ada Lovelace')
  await signer.getByRole('checkbox').press('Space')
  await press(signer, 'Enter')
  await signer.getByRole('heading', { name: /is signed|está firmado/ }).waitFor()
  await page.getByRole('main').getByText('Valid', { exact: true }).waitFor()

  // the signed budget becomes an invoice
  await page.getByRole('button', { name: 'Invoice this budget' }).press('Enter')
  await page.getByRole('button', { name: 'Invoice €726.00' }).press('Enter')
  await page.getByText('The draft of the invoice is there.').waitFor()
  const draft = firstOf((await owner.call(listInvoices, {})).data)
  const invoicePath = await addressOf(server, owner, `/invoices/${draft.id}`)
  const question = page.getByRole('alertdialog', { name: /^Issue the invoice/ })
  const issue = async () => {
    await page.getByRole('button', { name: 'Issue invoice…' }).press('Enter')
    await question.getByRole('button', { name: 'Issue invoice' }).press('Enter')
  }
  refusals.push(`POST /api/billing/invoices/${draft.id}/issue 422`)
  await page.goto(invoicePath)
  await issue()
  // the web form did not ask what the law asks of an invoice
  await page.getByText('To be invoiced, Analytical Engines lacks: address, city, country.').waitFor()
  await page.getByRole('link', { name: 'Complete the data of Analytical Engines' }).press('Enter')
  await page.getByRole('complementary', { name: 'Analytical Engines' }).waitFor()
  await press(page, 'e')
  const client = page.getByRole('dialog')
  // the first empty field has the focus; the name, the phone and the e-mail stay as they are
  await client.getByLabel('Tax ID').and(page.locator(':focus')).waitFor()
  await type(page, 'B12345674', '', '', 'Calle Mayor 1', '48001', 'Bilbao')
  await page.keyboard.type('Spain')
  await page.getByRole('option', { name: 'Spain' }).waitFor()
  await press(page, 'ArrowDown', 'Enter', 'Control+Enter')
  await client.waitFor({ state: 'detached' })
  await page.goto(invoicePath)
  await issue()
  await question.waitFor({ state: 'detached' })
  await seeHeading(page, /^F\d{4}-000001$/)
  const history = page.getByRole('list', { name: 'History' })
  await page.getByRole('button', { name: 'Send invoice…' }).press('Enter')
  const letter = page.getByRole('dialog', { name: /^Send the invoice/ })
  await letter.getByRole('button', { name: /^Send F/ }).press('Enter')
  await letter.waitFor({ state: 'detached' })
  await history.getByText('Sent to ada@engines.test').waitFor()
  expect(mailsTo(server, 'ada@engines.test').at(-1)).toContain('.pdf')

  // the customer pays with a card whose bank asks
  await page.getByRole('button', { name: 'Create a link…' }).press('Enter')
  await page.getByRole('button', { name: 'Create link' }).press('Enter')
  const payment = page.getByRole('dialog', { name: /^Public link/ })
  const payer = await customerAt(page, defined(await payment.locator('pre').textContent()))
  await payment.getByRole('button', { name: 'Close' }).last().press('Enter')
  await payment.waitFor({ state: 'detached' })
  await payer.getByLabel(/Número de la tarjeta|Card number/).focus()
  await type(payer, cards.asks, '12/40')
  await payer.getByRole('button', { name: /^(Pagar|Pay) / }).press('Enter')
  await payer.getByRole('button', { name: /autorizar el pago|allow the payment/ }).press('Enter')
  await payer.getByText(/Esta factura está pagada|This invoice is paid/).waitFor()
  await history.getByText('Payment received').waitFor()

  // a part of the work was not done: its money goes back, with a rectifying invoice
  await page.getByRole('button', { name: 'What went wrong?' }).press('Enter')
  const wrong = page.getByRole('dialog', { name: /^What went wrong/ })
  await wrong.getByRole('radio', { name: /The money has to go back/ }).press('Space')
  await wrong.getByRole('button', { name: /^Refund money of/ }).press('Enter')
  const refund = page.getByRole('dialog', { name: /^Refund money/ })
  await refund.getByRole('textbox', { name: 'Amount' }).press('Control+a')
  await page.keyboard.type('121')
  await refund.getByRole('checkbox', { name: 'Also prepare a rectifying invoice' }).press('Space')
  await refund.getByRole('button', { name: 'Refund €121.00' }).press('Enter')
  await refund.getByText('€121.00 was refunded.').waitFor()
  await screenshot(page, 'day', 'refunded')
  const params = { id: draft.id }
  const given = firstOf((await owner.call(listRefunds, { params })).items)
  await page.goto(await addressOf(server, owner, `/invoices/${given.rectifyingInvoiceId}`))
  await seeHeading(page, 'Draft of a rectifying invoice')
  await issue()
  await seeHeading(page, /^R\d{4}-000001$/)
  await screenshot(page, 'day', 'rectified')

  expect(await owner.call(readInvoice, { params, query: {} })).toMatchObject({
    status: 'PAID',
    totalCents: 72_600,
    paidCents: 72_600,
    rectifiedCents: 12_100,
    dueCents: 0,
  })
  const { items } = await owner.call(listLedger, { query: { invoiceId: draft.id } })
  expect(items.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ['PAYMENT', 72_600],
    ['REFUND', -12_100],
  ])
  for (const customer of [signer, payer]) await customer.context().close()
})
