import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { listRefunds } from '#contract/billing/refunds.ts'
import { addBillingContact, updateClient } from '#contract/crm/clients.ts'
import { cards, plantAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { makeInvoice, plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { until } from '#tests/support/processes.ts'

const dashboard = openDashboard()

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('an invoice by keyboard: a draft with the figures of the server, issued, sent, paid by transfer', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await plantIssuer(server, owner.organizationId)
  const client = await makeClient(owner, { ...whereabouts, name: 'Ateliernord' })
  await owner.call(addBillingContact, {
    params: { id: client.id },
    body: { name: 'Maud Lenoir', email: 'maud@ateliernord.example' },
  })
  const page = await dashboard.open(await addressOf(server, owner, '/invoices'), { person: owner })
  await seeHeading(page, 'Invoices')
  await page.getByText('There are no invoices yet').waitFor()
  await press(page, 'c')
  await page.getByRole('combobox', { name: 'Client' }).focus()
  await page.keyboard.type('Atelier')
  await page.getByRole('option', { name: 'Ateliernord' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await page.getByRole('button', { name: 'Create draft' }).focus()
  await press(page, 'Enter')

  await seeHeading(page, 'Draft invoice')
  // without a signed budget, closing is all that the dialog offers
  await page.getByRole('button', { name: 'Link a budget…' }).press('Enter')
  const budgets = page.getByRole('dialog', { name: 'Link a signed budget' })
  await budgets.getByText('Ateliernord has no signed budget without an invoice.').waitFor()
  expect(await budgets.getByRole('button', { name: 'Link budget' }).count()).toBe(0)
  await budgets.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')
  await budgets.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Issue invoice…' }).waitFor()
  expect(await page.getByRole('button', { name: 'Issue invoice…' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Add line' }).focus()
  await press(page, 'Enter')
  // the new line has the focus
  await page.keyboard.type('Art direction')
  await press(page, 'Tab')
  await page.keyboard.type('2.5')
  await press(page, 'Tab')
  await page.keyboard.type('420')
  await press(page, 'Tab', 'Tab')
  await page.keyboard.type('IVA 21')
  // 2.5 × 420 plus 21 %, computed by the server
  await page.getByText('€1,270.50').first().waitFor()
  await screenshot(page, 'invoice', 'draft')
  expect(await page.getByText('Save the changes of the draft first.').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Save draft' }).focus()
  await press(page, 'Enter')
  await page.getByText('Draft saved.').waitFor()

  await page.getByRole('button', { name: 'Issue invoice…' }).focus()
  await press(page, 'Enter')
  const question = page.getByRole('alertdialog', { name: 'Issue the invoice to Ateliernord?' })
  await question.getByText('The number is final').waitFor()
  await question.getByRole('button', { name: 'Issue invoice' }).focus()
  await press(page, 'Enter')
  await seeHeading(page, /^F\d{4}-000001$/)
  await page.getByText('Calle Mayor 1, 48001 Bilbao, Spain', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Send invoice…' }).focus()
  await press(page, 'Enter')
  const letter = page.getByRole('dialog', { name: /^Send the invoice/ })
  // the main contact is chosen already
  expect(await letter.getByRole('checkbox', { name: /maud@ateliernord.example/ }).isChecked()).toBe(true)
  await letter.getByRole('button', { name: /^Send F/ }).focus()
  await press(page, 'Enter')
  const history = page.getByRole('list', { name: 'History' })
  await history.getByText('Sent to maud@ateliernord.example').waitFor()

  await page.getByRole('button', { name: 'Register payment…' }).focus()
  await press(page, 'Enter')
  const payment = page.getByRole('dialog', { name: /^Register a payment/ })
  await payment.getByRole('textbox', { name: 'Amount' }).fill('2000')
  await payment.getByRole('button', { name: /^Register/ }).click()
  await payment.getByText('Write an amount of up to €1,270.50.').waitFor()
  await payment.getByRole('textbox', { name: 'Amount' }).fill('1270.50')
  await payment.getByRole('button', { name: 'Register €1,270.50' }).focus()
  await press(page, 'Enter')
  await history.getByText('Payment received').waitFor()
  await page.getByText('Nothing is left to do').waitFor()

  // what the buttons said to screen readers is gone
  await page.reload()
  await page.getByRole('button', { name: 'What went wrong?' }).focus()
  await press(page, 'Enter')
  const wrong = page.getByRole('dialog', { name: /^What went wrong/ })
  expect(await wrong.getByRole('radio', { name: /It should not exist/ }).isDisabled()).toBe(true)
  await wrong.getByText('The gateway did not collect it').waitFor()
  await screenshot(page, 'invoice', 'wrong')
  expect(await axeFindings(page)).toEqual([])
  await wrong.getByRole('radio', { name: /A line or an amount is wrong/ }).focus()
  await press(page, 'Space')
  await wrong.getByRole('textbox', { name: 'Reason' }).fill('Wrong price')
  await wrong.getByRole('button', { name: /^Prepare rectifying invoice of F/ }).focus()
  await press(page, 'Enter')
  await seeHeading(page, 'Draft of a rectifying invoice')
  await page.getByText('-€1,270.50').first().waitFor()

  // the list opens the same beside it
  await page.goto(await addressOf(server, owner, '/invoices?view=paid'))
  await page.getByRole('row', { name: /Ateliernord/ }).waitFor()
  await page.getByRole('grid', { name: 'Invoices' }).focus()
  await press(page, 'j', 'Enter')
  const sheet = page.getByRole('complementary', { name: /^F\d{4}-000001$/ })
  await sheet.getByText('Payment received').waitFor()
  await screenshot(page, 'invoice', 'sheet')
  expect(await axeFindings(page)).toEqual([])
})

test('the electronic formats of an invoice: what is missing is named, filled in at the client, and downloaded', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await plantIssuer(server, owner.organizationId)
  const abroad = { ...whereabouts, country: 'FR', taxId: null, postalCode: null }
  const client = await makeClient(owner, { ...abroad, name: 'Ateliernord' })
  const { id, number } = await makeInvoice(owner, { clientId: client.id })
  const page = await dashboard.open(await addressOf(server, owner, `/invoices/${id}`), {
    person: owner,
    refusals: [`GET /api/billing/invoices/${id}/e-invoice 422`],
  })
  await seeHeading(page, defined(number))
  const open = async (format: string) => {
    await page.getByRole('button', { name: 'Document' }).focus()
    await press(page, 'Enter')
    await page.getByRole('menuitem', { name: `Download as ${format}…` }).focus()
    await press(page, 'Enter')
    return page.getByRole('dialog', { name: `Download ${number} as ${format}` })
  }
  const download = async (format: string) => {
    const dialog = await open(format)
    await dialog.getByRole('button', { name: `Download ${format}` }).focus()
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')])
    await dialog.waitFor({ state: 'detached' })
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const dialog = await open('Facturae')
  await dialog.getByRole('button', { name: 'Download Facturae' }).focus()
  await press(page, 'Enter')
  await dialog.getByText('Tax id of the client: missing').waitFor()
  await dialog.getByText('Fill in at the client what is missing').waitFor()
  await screenshot(page, 'invoice', 'facturae')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('link', { name: 'Open the client' }).focus()
  await press(page, 'Enter')
  await seeHeading(page, 'Ateliernord')
  await owner.call(updateClient, { params: { id: client.id }, body: { taxId: '12345678901' } })
  await page.goto(await addressOf(server, owner, `/invoices/${id}`))
  await seeHeading(page, defined(number))
  const facturae = await download('Facturae')
  expect(facturae.name).toBe(`${number}-facturae.xml`)
  expect(facturae.text).toContain('FR12345678901')
  expect((await download('UBL')).text).toContain('urn:cen.eu:en16931:2017')
})

/** Presses buttons of several tabs twice each, all at once. */
async function pressTwice(...buttons: Locator[]): Promise<void> {
  const elements = await Promise.all(buttons.map(button => button.elementHandle()))
  await Promise.all(
    elements.map(one =>
      one.evaluate(element => {
        const pressed = element as unknown as { click(): void }
        pressed.click()
        pressed.click()
      }),
    ),
  )
}

test('a charge and a refund move money once: double press, two tabs, a declined card, and a slow one that locks the invoice', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const application = await makeApplication(server, organization)
  const accountId = await plantAccount(server, organization.id)
  const planted = async (card: string) => {
    const invoice = await plantInvoice(server, application)
    await server.sql('update invoice set sent_at = now() where id = $1', [invoice.id])
    await sandboxPayer(server, application, accountId, invoice.userId, { card })
    return { ...invoice, path: await addressOf(server, owner, `/invoices/${invoice.id}`) }
  }
  const [good, poor, slow] = [await planted(cards.good), await planted(cards.poor), await planted(cards.slow)]
  const attempts = (invoiceId: string) =>
    server.sql<{ state: string }>('select state from charge_attempt where invoice_id = $1', [invoiceId])
  const openCharge = async (page: Page) => {
    await page.getByRole('button', { name: 'Charge €121.00…' }).focus()
    await press(page, 'Enter')
    // it has its key a moment after the dialog opened
    const button = page.getByRole('dialog').getByRole('button', { name: 'Charge €121.00', disabled: false })
    await button.waitFor()
    return button
  }
  const page = await dashboard.open(good.path, {
    person: owner,
    refusals: [
      `POST /api/billing/invoices/${good.id}/charge 409`,
      `POST /api/billing/invoices/${good.id}/refund 409`,
    ],
  })
  const other = await page.context().newPage()
  await other.goto(good.path)
  const [button, sameButton] = [await openCharge(page), await openCharge(other)]
  await screenshot(page, 'invoice', 'charge')
  // at once, also when one tab already knows of the charge of the other
  await pressTwice(button, sameButton)
  await page.getByRole('list', { name: 'History' }).getByText('Payment received').waitFor()
  await other.getByRole('list', { name: 'History' }).getByText('Payment received').waitFor()
  expect((await attempts(good.id)).map(({ state }) => state)).toEqual(['SUCCEEDED'])
  expect(await owner.call(readInvoice, { params: { id: good.id }, query: {} })).toMatchObject({
    paidCents: 12_100,
    overpaidCents: 0,
  })

  // the money goes back, once, also when two tabs ask twice
  const openRefund = async (tab: Page) => {
    await closeDialog(tab)
    await tab.getByRole('button', { name: 'What went wrong?' }).press('Enter')
    const wrong = tab.getByRole('dialog', { name: /^What went wrong/ })
    await wrong.getByRole('radio', { name: /The money has to go back/ }).press('Space')
    await wrong.getByRole('button', { name: /^Refund money of/ }).press('Enter')
    const refund = tab.getByRole('dialog', { name: /^Refund money/ })
    await refund.getByRole('textbox', { name: 'Amount' }).press('Control+a')
    await tab.keyboard.type('21')
    const refundButton = refund.getByRole('button', { name: 'Refund €21.00', disabled: false })
    await refundButton.waitFor()
    return refundButton
  }
  await pressTwice(await openRefund(page), await openRefund(other))
  // the tab whose request comes after the answer to the other one has a key of its own, and is refused
  for (const tab of [page, other])
    await tab
      .getByRole('dialog')
      .getByText(/€21\.00 was refunded\.|Nothing else was refunded\./)
      .waitFor()
  const refunds = (await owner.call(listRefunds, { params: { id: good.id } })).items
  expect(refunds).toMatchObject([{ status: 'SUCCEEDED', amountCents: 2_100 }])
  const ledger = (await owner.call(listLedger, { query: { invoiceId: good.id } })).items
  expect(ledger.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ['PAYMENT', 12_100],
    ['REFUND', -2_100],
  ])
  await other.close()

  await page.goto(poor.path)
  await (await openCharge(page)).press('Enter')
  await page.getByRole('dialog').getByText('The card has insufficient funds. Nothing was charged.').waitFor()
  await page.getByRole('button', { name: 'Try again: charge €121.00' }).press('Enter')
  await until('a second attempt', async () => (await attempts(poor.id)).length === 2)
  expect((await attempts(poor.id)).map(({ state }) => state)).not.toContain('SUCCEEDED')

  await page.goto(slow.path)
  await (await openCharge(page)).press('Enter')
  await page.getByRole('dialog').getByText('Do not repeat it').waitFor()
  await screenshot(page, 'invoice', 'processing')
  await closeDialog(page)
  await page.getByRole('heading', { name: 'A charge is in progress: €121.00' }).waitFor()
  expect(await page.getByRole('timer').textContent()).toMatch(/\d+ s$/)
  expect(await page.getByRole('button', { name: /^Charge/ }).count()).toBe(0)
})
