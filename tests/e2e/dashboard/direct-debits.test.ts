import { beforeAll, expect, test } from 'vitest'
import { createMandate, updateCreditor } from '#contract/billing/direct-debits.ts'
import { rejectionMessage } from '#tests/support/billing/bank-files.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import type { Organization, Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
let organization: Organization
let owner: Person
let invoice: PlantedInvoice

beforeAll(async () => {
  const { server } = dashboard
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  invoice = await plantInvoice(server, await makeApplication(server, organization), { totalCents: 153_670 })
  await server.sql(
    `update crm_client set name = 'Ateliernord', name_folded = 'ateliernord', search = ' ateliernord' where id = $1`,
    [invoice.clientId],
  )
  await owner.call(updateCreditor, {
    body: {
      name: 'Talleres Patio',
      identifier: 'ES50ZZZM23456789',
      iban: 'ES9121000418450200051332',
      bic: null,
    },
  })
})

test('a mandate is registered, an invoice collected with it, and the rejection of the bank imported', async () => {
  const { server } = dashboard
  const page = await dashboard.open(await addressOf(server, owner, '/payments/mandates'), { person: owner })
  await seeHeading(page, 'Payments')
  await page.getByRole('button', { name: 'New mandate…' }).first().press('Enter')
  const mandate = page.getByRole('dialog', { name: 'New mandate' })
  await mandate.getByRole('combobox', { name: 'Client' }).pressSequentially('Atelier')
  await page.getByRole('option', { name: 'Ateliernord' }).click()
  await mandate.getByLabel('Reference of the mandate').fill('M-2026-7')
  await mandate.getByLabel('Account holder').fill('Ateliernord GmbH')
  await mandate.getByLabel('IBAN').fill('de89 3704 0044 0532 0130 00')
  await mandate.getByLabel('Signed on').fill('2026-01-15')
  await screenshot(page, 'direct-debits', 'mandate')
  expect(await axeFindings(page)).toEqual([])
  await mandate.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('DE••••3000').waitFor()
  await screenshot(page, 'direct-debits', 'mandates')

  await page.goto(await addressOf(server, owner, '/payments/direct-debits'))
  await page.getByRole('button', { name: 'Prepare remittance…' }).press('Enter')
  const prepare = page.getByRole('dialog', { name: 'Prepare a remittance' })
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  await prepare.getByLabel('Collection date').fill(day)
  await prepare.getByRole('checkbox').press('Space')
  await screenshot(page, 'direct-debits', 'prepare')
  expect(await axeFindings(page)).toEqual([])
  await prepare.getByRole('button', { name: 'Prepare €1,536.70' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Collection on' })
  await sheet.getByText('In progress').waitFor()
  const [downloaded] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Download the file' }).press('Enter'),
  ])
  expect(downloaded.suggestedFilename()).toBe(`pain.008-${day}.xml`)
  await sheet.getByRole('button', { name: 'Mark as sent…' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as sent' }).press('Enter')
  await sheet.getByRole('button', { name: 'Record result…' }).waitFor()
  await screenshot(page, 'direct-debits', 'remittance')
  expect(await axeFindings(page)).toEqual([])

  const debit = only(
    await server.sql<{ id: string; remittance: string }>(
      `select d.id, d.remittance_id as remittance from direct_debit d join charge_attempt a using (organization_id, id)
     where a.invoice_id = $1`,
      [invoice.id],
    ),
  )
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'direct-debits', 'remittances-phone')
  await page.getByRole('button', { name: 'Actions', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Import results…' }).press('Enter')
  const load = page.getByRole('dialog', { name: 'Import results of the bank' })
  await load.locator('input[type=file]').setInputFiles({
    name: 'pain.002.xml',
    mimeType: 'application/xml',
    buffer: Buffer.from(rejectionMessage(debit.remittance, [[debit.id, 'AM04']])),
  })
  await load.getByText('The account has not enough funds.').waitFor()
  await screenshot(page, 'direct-debits', 'import-phone')
  expect(await axeFindings(page)).toEqual([])
  await load.getByRole('button', { name: 'Record 1 result' }).press('Enter')
  await load.getByText('What was recorded').waitFor()
  expect(await server.sql('select outcome, reason_code from direct_debit where id = $1', [debit.id])).toEqual(
    [{ outcome: 'REJECTED', reason_code: 'AM04' }],
  )
  await load.getByRole('button', { name: 'Close' }).last().press('Enter')
  await page.goto(await addressOf(server, owner, `/payments/direct-debits?open=${debit.remittance}`))
  await page.getByText('Rejected').waitFor()
  await screenshot(page, 'direct-debits', 'remittance-phone')
  expect(await axeFindings(page)).toEqual([])
})

test('the page of a client shows its mandates and leads to their list', async () => {
  const { server } = dashboard
  await owner.call(createMandate, {
    body: {
      clientId: invoice.clientId,
      reference: 'M-2026-8',
      debtorName: 'Ateliernord GmbH',
      iban: 'DE89370400440532013000',
      scheme: 'CORE',
      kind: 'RCUR',
      signedOn: '2026-01-15',
    },
  })
  const { id: otherId } = await makeClient(owner, { name: 'Vitrina' })
  const page = await dashboard.open(await addressOf(server, owner, `/clients/${otherId}`), { person: owner })
  const section = page.getByRole('region', { name: 'Direct debit mandates' })
  await section.getByText('No mandate').waitFor()
  await page.goto(await addressOf(server, owner, `/clients/${invoice.clientId}`))
  await section.getByText('M-2026-8').waitFor()
  await section.getByText('DE••••3000').first().waitFor()
  await screenshot(page, 'direct-debits', 'client')
  expect(await axeFindings(page)).toEqual([])
  await section.getByRole('link', { name: 'Show in the list' }).press('Enter')
  await page.getByRole('row', { name: 'M-2026-8' }).waitFor()
  await page.getByText('client is Ateliernord').waitFor()
  await screenshot(page, 'direct-debits', 'mandates-of-client')
  await page.getByRole('button', { name: 'Remove the filter client' }).press('Enter')
  await page.getByText('client is').waitFor({ state: 'detached' })

  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  const other = await dashboard.open(await addressOf(server, owner, `/clients/${invoice.clientId}`), {
    person: viewer,
  })
  await other.getByRole('region', { name: 'Budgets' }).waitFor()
  expect(await other.getByRole('region', { name: 'Direct debit mandates' }).count()).toBe(0)
})
