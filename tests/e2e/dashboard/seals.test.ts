import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { aSealCertificate, pdfsig } from '#tests/support/crm/seals.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { openTimeStampServer } from '#tests/support/crm/time-stamp-server.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'

const authority = await openTimeStampServer()
afterAll(() => authority.close())
const dashboard = openDashboard({ timeStampUrl: authority.url })

/** The bytes of the file that a button downloads. */
async function downloaded(page: Page, name: string): Promise<{ bytes: Buffer; fileName: string }> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name }).press('Enter')
  const file = await download
  return { bytes: readFileSync(await file.path()), fileName: file.suggestedFilename() }
}

test('a certificate is uploaded, and a budget that is signed then has a sealed document and a time stamp', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/settings/crm'), {
    person: owner,
    refusals: ['PUT /api/crm/seal-certificate 400'],
  })
  await seeHeading(page, 'CRM')
  await page.getByText('There is no certificate: signed budgets are not sealed.').waitFor()
  await page.getByRole('button', { name: 'Upload certificate…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Upload seal certificate' })
  const { bytes, passphrase } = aSealCertificate()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'seal.p12', mimeType: 'application/x-pkcs12', buffer: bytes })
  await dialog.getByLabel('Passphrase of the file').focus()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await dialog.getByText('The passphrase does not open this file.').waitFor()
  await dialog.getByLabel('Passphrase of the file').fill(passphrase)
  await screenshot(page, 'seal', 'upload')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('CN=Faro-seal, O=Faro', { exact: true }).waitFor()
  await page.getByText('0 of 0 with a time stamp').waitFor()

  const { budget } = await signedBudget(server, owner)
  await page.goto(await addressOf(server, owner, `/budgets/${budget.id}`))
  await seeHeading(page, budget.code)
  await page.getByRole('link', { name: 'Signing' }).press('Enter')
  // both appear by themselves
  await page.getByText('Fits the signature').waitFor()
  const { bytes: pdf, fileName } = await downloaded(page, 'Download sealed document')
  expect(fileName).toBe(`sellado-${budget.code}.pdf`)
  expect(pdfsig(pdf)).toContain('Signature is Valid')
  const { bytes: stamp } = await downloaded(page, 'Download time stamp')
  expect(authority.replies.some(reply => reply.equals(stamp))).toBe(true)
  await screenshot(page, 'seal', 'budget')
  expect(await axeFindings(page)).toEqual([])

  await page.goto(await addressOf(server, owner, '/settings/crm'))
  await page.getByText('1 of 1 with a time stamp').waitFor()
  await screenshot(page, 'seal', 'settings')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove…' }).press('Enter')
  await page.getByRole('button', { name: 'Remove certificate' }).press('Enter')
  // although the certificate that the question was about is gone
  await page.getByText('The certificate is removed.').waitFor()
  await page.getByText('There is no certificate: signed budgets are not sealed.').waitFor()
})
