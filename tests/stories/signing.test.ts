import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readBudget } from '#contract/crm/budgets.ts'
import { listSignatures, verifySignature } from '#contract/crm/signatures.ts'
import { sendSigningLink } from '#contract/crm/signing-links.ts'
import { chooseAddress } from '#server/address.ts'
import { makeBudget, setIssuer } from '#tests/budgets.ts'
import { mailsTo } from '#tests/outbox.ts'
import { issueBareLink, issueLink } from '#tests/signing.ts'
import { openWorld, type Person, type TestWorld } from '#tests/world.ts'

// a browser starts here, on machines that may be busy
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = places.find(place => place && existsSync(place))
const howToInstall =
  'No Chromium was found, so the signing page was not looked at. Install one (Debian: apt install chromium) ' +
  'or set CHROMIUM to the path of one.'

let world: TestWorld
let owner: Person
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  if (!executablePath) return
  const place = await chooseAddress({ host: '127.0.0.1', port: 0, publicUrl: 'http://localhost:0' })
  world = await openWorld({ port: place.port, publicUrl: place.publicUrl })
  const organization = await world.organization({ name: 'Harbour Books' })
  owner = await organization.person({ role: 'OWNER' })
  await setIssuer(owner)
  browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  })
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

beforeEach(async context => {
  // here it is told and skipped for all to see; where a build decides, it fails
  if (!executablePath && process.env.CI) throw new Error(howToInstall)
  if (!executablePath) context.skip(howToInstall)
  // a phone, and no script: the pages need none
  const tab = await browser.newContext({
    ...{ viewport: { width: 375, height: 700 }, locale: 'es-ES', javaScriptEnabled: false },
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

test('a client reads the mail, the PDF and the page, signs, and the signature is proven', async () => {
  const budget = await makeBudget(owner)
  const signerEmail = 'ada@lovelace.test'
  const { id: linkId, documentHash } = await issueLink(owner, budget.id, { signerEmail })
  await owner.call(sendSigningLink, { params: { id: budget.id, linkId } })
  const [url = ''] = /http:\S+\/s\/\S+/.exec(mailsTo(world, signerEmail).at(-1)!) ?? []

  await page.goto(url)
  expect(await page.title()).toBe(`Presupuesto ${budget.code}`)
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  // nothing is cut off on a phone
  const { scrollWidth, clientWidth } = await widths()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  const address = await page.getByRole('link', { name: 'Abrir el presupuesto (PDF)' }).getAttribute('href')
  const pdf = await fetch(new URL(address!, url))
  expect(
    createHash('sha256')
      .update(await pdf.bytes())
      .digest('hex'),
  ).toBe(documentHash)

  await page.getByLabel('Tu nombre y apellidos').fill('Ada Lovelace')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Firmar el presupuesto' }).click()
  await page.getByRole('heading', { name: `El presupuesto ${budget.code} está firmado` }).waitFor()
  expect(problems).toEqual([])
  expect(await statusOf(budget.id)).toBe('SIGNED')
  const params = { budgetId: budget.id }
  const [signature] = (await owner.call(listSignatures, { params })).items
  expect(signature).toMatchObject({ signerName: 'Ada Lovelace', documentHash, hashVersion: 3 })
  const found = await owner.call(verifySignature, { params: { ...params, sigId: signature!.id } })
  expect(found).toMatchObject({ status: 'VALID', userAgent: expect.stringContaining('Chrome') })

  const again = await page.goto(url)
  expect(again!.status()).toBe(404)
  await page.getByRole('heading', { name: 'Este enlace ya no es válido' }).waitFor()
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
  const { url } = await issueBareLink(world, owner, budget.id)
  await page.goto(url)
  const text = await page.locator('main').innerText()
  for (const shown of ['Fase 1', 'Diseño', '2.5 h', 'Libro', 'IVA 21 %', 'Total'])
    expect(text).toContain(shown)
  const { scrollWidth, clientWidth } = await widths()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  await page.getByLabel('Motivo (opcional)').fill('Es demasiado')
  await page.getByRole('button', { name: 'Rechazar el presupuesto' }).click()
  await page.getByRole('heading', { name: `Has rechazado el presupuesto ${budget.code}` }).waitFor()
  expect(await statusOf(budget.id)).toBe('DECLINED')
  expect(problems).toEqual([])
})

/** How wide the page is, and how much of that is seen. */
function widths() {
  return page.locator('html').evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
}
