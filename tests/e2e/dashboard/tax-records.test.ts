import { expect, test } from 'vitest'
import { listTaxRecords, readTaxRecordStatus } from '#contract/billing/tax-records.ts'
import { makeInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'

const dashboard = openDashboard()

test('an owner turns tax records on, sees the record of an invoice and checks the chain', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
  const address = await addressOf(server, owner, '/settings/billing')
  const page = await dashboard.open(address, { person: owner, language: 'es' })
  await seeHeading(page, 'Facturación')
  await page.getByRole('radio', { name: 'Registrar sin enviar' }).focus()
  await page.keyboard.press('Space')
  expect(await page.getByRole('radio', { name: 'Registrar y enviar' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Guardar registros' }).press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Cambiar' }).press('Enter')
  await question.waitFor({ state: 'detached' })
  expect((await owner.call(readTaxRecordStatus)).mode).toBe('KEEP')

  const invoice = await makeInvoice(owner)
  await server.sql(
    `update tax_record set state = 'REJECTED', error_code = '1109', error_text = 'El NIF no está identificado.',
       answered_at = now() where organization_id = $1`,
    [organization.id],
  )
  await page.reload()
  await page.getByText('1109 El NIF no está identificado.').waitFor()
  await page.getByRole('button', { name: 'Comprobar la cadena' }).press('Enter')
  await page.getByText('La cadena está entera. Registros comprobados: 1.').waitFor()
  await screenshot(page, 'tax-records', 'settings')
  expect(await axeFindings(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar ZIP' }).press('Enter'),
  ])
  expect(file.suggestedFilename()).toMatch(/^verifactu-.*\.zip$/)
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'tax-records', 'settings-phone')
  expect(await axeFindings(page)).toEqual([])

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: defined(invoice.number) }).press('Enter')
  await page.getByText('Rechazado', { exact: true }).waitFor()
  await screenshot(page, 'tax-records', 'invoice')
  expect(await axeFindings(page)).toEqual([])
  const [xml] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar XML' }).press('Enter'),
  ])
  expect(xml.suggestedFilename()).toBe(`${invoice.number}.xml`)
  expect((await owner.call(listTaxRecords, { params: { id: invoice.id } })).items).toHaveLength(1)
})
