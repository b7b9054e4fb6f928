import { createHash } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readBudget } from '#contract/crm/budgets.ts'
import { listSignatures, verifySignature } from '#contract/crm/signatures.ts'
import { sendSigningLink } from '#contract/crm/signing-links.ts'
import { browsable, openBrowser, openProfile } from '#tests/support/browser.ts'
import { makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { openPortal, sentBudget } from '#tests/support/crm/portal.ts'
import { issueBareLink, issueLink } from '#tests/support/crm/signing.ts'
import { defined, firstOf, lastOf } from '#tests/support/elements.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  server = await startTestServer(await browsable())
  const organization = await server.organization({ name: 'Harbour Books' })
  owner = await organization.person({ role: 'OWNER' })
  await setIssuer(owner)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

beforeEach(async () => {
  // a phone without JavaScript, which the pages do not need
  const tab = await openProfile(browser, {
    viewport: { width: 375, height: 700 },
    locale: 'es-ES',
    javaScriptEnabled: false,
  })
  page = await tab.newPage()
  problems = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('requestfailed', request => problems.push(`${request.url()}: ${request.failure()?.errorText}`))
  return () => tab.close()
})

const statusOf = async (id: string) => (await owner.call(readBudget, { params: { id } })).status

test('a client reads the mail, the PDF and the page, signs, and the signature verifies', async () => {
  const budget = await makeBudget(owner)
  const signerEmail = 'ada@lovelace.test'
  const { id: linkId, documentHash } = await issueLink(owner, budget.id, { signerEmail })
  await owner.call(sendSigningLink, { params: { id: budget.id, linkId } })
  const [url = ''] = /http:\S+\/s\/\S+/.exec(lastOf(mailsTo(server, signerEmail))) ?? []

  await page.goto(url)
  expect(await page.title()).toBe(`Presupuesto ${budget.code}`)
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  // nothing is cut off on a phone
  const { scrollWidth, clientWidth } = await widths()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  const address = await page.getByRole('link', { name: 'Abrir el presupuesto (PDF)' }).getAttribute('href')
  const pdf = await fetch(new URL(defined(address), url))
  const bytes = Buffer.from(await pdf.arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(documentHash)

  await page.getByLabel('Tu nombre y apellidos').fill('Ada Lovelace')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Firmar el presupuesto' }).click()
  await page.getByRole('heading', { name: `El presupuesto ${budget.code} está firmado` }).waitFor()
  expect(problems).toEqual([])
  expect(await statusOf(budget.id)).toBe('SIGNED')
  const params = { budgetId: budget.id }
  const signature = firstOf((await owner.call(listSignatures, { params })).items)
  expect(signature).toMatchObject({ signerName: 'Ada Lovelace', documentHash, hashVersion: 3 })
  const found = await owner.call(verifySignature, { params: { ...params, sigId: signature.id } })
  expect(found).toMatchObject({ status: 'VALID', userAgent: expect.stringContaining('Chrome') })

  await page.goto(url)
  const link = page.getByRole('link', { name: 'Guardar lo que has firmado (PDF)' })
  expect(await link.getAttribute('href')).toBe(address)
  expect(await page.getByRole('button').count()).toBe(0)

  await page.goto(`${server.url}/verify`)
  await page.getByLabel('Archivo PDF').setInputFiles({
    name: 'firmado.pdf',
    mimeType: 'application/pdf',
    buffer: bytes,
  })
  await page.getByRole('button', { name: 'Comprobar' }).click()
  await page.getByRole('heading', { name: 'Firma conocida' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('Ada Lovelace')
  expect(problems).toEqual([])
})

test('a customer signs in to the portal by mail, signs, sees invoices and signs out', async () => {
  const { clientId, email } = await openPortal(server, owner)
  const budget = await sentBudget(owner, clientId)
  await page.goto(`${server.url}/portal/sign-in/${owner.organizationId}`)
  await page.getByLabel('Tu correo electrónico').fill(email)
  await page.getByRole('button', { name: 'Enviarme un enlace para entrar' }).click()
  await page.getByRole('heading', { name: 'Mira tu correo' }).waitFor()
  await expect.poll(() => mailsTo(server, email)).toHaveLength(1)
  const [url = ''] = /http:\S+\/portal\/enter\/\S+/.exec(firstOf(mailsTo(server, email))) ?? []

  await page.goto(url)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('heading', { name: 'Presupuestos' }).waitFor()
  await page.getByRole('link', { name: budget.code }).click()
  const { scrollWidth, clientWidth } = await widths()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  await page.getByLabel('Tu nombre y apellidos').fill('Grace Hopper')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Firmar el presupuesto' }).click()
  await page.getByRole('heading', { name: `El presupuesto ${budget.code} está firmado` }).waitFor()
  expect(await statusOf(budget.id)).toBe('SIGNED')

  await page.goto(`${server.url}/portal/budgets`)
  await page.getByRole('link', { name: 'Facturas' }).click()
  await page.getByRole('heading', { name: 'Facturas' }).waitFor()
  expect(problems).toEqual([])
  await page.getByRole('button', { name: 'Salir' }).click()
  await page.getByRole('heading', { name: 'Has salido del portal' }).waitFor()
  expect(defined(await page.goto(`${server.url}/portal/budgets`)).status()).toBe(401)
})

test('without consent nothing is signed', async () => {
  const budget = await makeBudget(owner)
  const { url } = await issueLink(owner, budget.id)
  await page.goto(url)
  await page.getByRole('button', { name: 'Firmar el presupuesto' }).click()
  expect(page.url()).toBe(url)
  expect(await statusOf(budget.id)).toBe('SENT')
})

test('a page without a PDF shows the whole budget, and can be declined', async () => {
  const budget = await makeBudget(owner, {
    title: 'Un título muy largo, que no cabe en una línea de teléfono',
  })
  const { url } = await issueBareLink(server, owner, budget.id)
  await page.goto(url)
  const text = (await page.locator('main').innerText()).replaceAll('\u00a0', ' ')
  for (const shown of ['Fase 1', 'Diseño', '2,5 h', 'Libro', 'IVA 21 %', 'Total'])
    expect(text).toContain(shown)
  const { scrollWidth, clientWidth } = await widths()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  await page.getByText('No aceptar').click()
  await page.getByLabel('Motivo (opcional)').fill('Es demasiado')
  await page.getByRole('button', { name: 'Rechazar el presupuesto' }).click()
  await page.getByRole('heading', { name: `Has rechazado el presupuesto ${budget.code}` }).waitFor()
  expect(await statusOf(budget.id)).toBe('DECLINED')
  expect(problems).toEqual([])
})

/** The width of the page and of its visible part. */
function widths() {
  return page.locator('html').evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
}
