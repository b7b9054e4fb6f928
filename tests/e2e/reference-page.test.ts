import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { browsable, openBrowser, openProfile } from '#tests/support/browser.ts'
import { crowd } from '#tests/support/crowd.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { mainThreadMeter, openArea, openOperation, operationsByArea } from '#tests/support/reference-page.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let browser: Browser
let page: Page
let seen: { requests: string[]; problems: string[] }

beforeAll(async () => {
  // the page calls the server's PUBLIC_URL
  server = await startTestServer(await browsable())
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

beforeEach(async () => {
  const tab = await openProfile(browser)
  page = await tab.newPage()
  seen = { requests: [], problems: [] }
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) seen.problems.push(message.text())
  })
  page.on('pageerror', error => seen.problems.push(error.message))
  page.on('requestfailed', request => seen.problems.push(`${request.url()}: ${request.failure()?.errorText}`))
  // every request of the page; nothing leaves this machine
  await tab.route('**/*', route => {
    const { hostname, href, protocol } = new URL(route.request().url())
    seen.requests.push(href)
    return protocol === 'data:' || ['localhost', '127.0.0.1'].includes(hostname)
      ? route.continue()
      : route.abort()
  })
  return () => tab.close()
})

/** No request went to another host, nothing failed, and no policy was violated. */
function assertClean(): void {
  const { origin } = new URL(server.url)
  expect(seen.requests.length).toBeGreaterThan(3)
  expect(seen.requests.filter(url => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([])
  expect(seen.problems).toEqual([])
}

const area = (name: string) => page.locator(`[data-sidebar-id="patio/tag/${name}"]`)
const operation = (id: string) => page.locator(`[id="patio/tag/${id}"]`)
/** The median of three values. */
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[1]
/** The acceptable waits of a person, in milliseconds of the main thread. */
const limits = { firstView: 1_000, operation: 200 }

test('the reference shows, finds and tries an operation quickly, offline and within its policy', async () => {
  const spent = await mainThreadMeter(page)
  await page.goto(`${server.url}/docs`)
  await area('webhooks').waitFor()
  expect(await spent()).toBeLessThanOrEqual(limits.firstView * crowd())
  expect(await page.title()).toBe('Patio API')

  // operations open from the side bar, and the page does not become slower with use
  const times: number[] = []
  for (const [name, ids] of Object.entries(operationsByArea)) {
    await openArea(page, name)
    for (const id of ids) {
      const before = await spent()
      await openOperation(page, id)
      times.push((await spent()) - before)
    }
  }
  expect(median(times.slice(1, 4))).toBeLessThanOrEqual(limits.operation * crowd())
  expect(median(times.slice(-3))).toBeLessThanOrEqual(limits.operation * crowd())
  // Scalar renders an operation with the next one, and no others
  const rendered = await page.locator('section[id*="/api/"]').count()
  expect(rendered).toBeLessThanOrEqual(2 * times.length)

  // the search knows operations of every area
  await page.keyboard.press('Control+k')
  await page.keyboard.type('/api/auth/organizations')
  await page.getByRole('option', { name: '/api/auth/organizations' }).first().click()
  await operation('auth/GET/api/auth/organizations').getByRole('heading').first().waitFor()

  // requests are sent, with a person's token or an application's key
  const person = await (await server.organization()).person({ role: 'OWNER' })
  await tryOut('auth/GET/api/auth/me', person.token, person.id)
  const { key } = await makeApplication(server, await server.organization(), {
    scopes: ['analytics:errors:write'],
  })
  await tryOut('error-reports/POST/api/external/v1/errors/report', key, '"deduplicated": false')
  assertClean()
})

test('a link to an operation also works on a phone and at another address, and the page fits the screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const link = '/docs#tag/billing/GET/api/billing/invoices/{id}'
  await page.goto(`${server.url.replace('localhost', '127.0.0.1')}${link}`)
  await page.waitForURL(url => url.origin === server.url)
  const heading = operation('billing/GET/api/billing/invoices/{id}').getByRole('heading').first()
  // the reload would abort what is still loading
  await heading.waitFor()
  await page.waitForLoadState('networkidle')
  seen = { requests: [], problems: [] }
  await page.reload()
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(844)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  assertClean()
})

/** Sends the suggested request of an operation with a credential, and waits for the displayed reply. */
async function tryOut(id: string, credential: string, answer: string): Promise<void> {
  await page.goto(`${server.url}/docs#tag/${id}`)
  await operation(id)
    .getByRole('button', { name: /Test Request/ })
    .click()
  const client = page.getByRole('dialog')
  await client.locator('.scalar-password-input').first().fill(credential)
  await client.getByRole('button', { name: /^Send/ }).first().click()
  await client.locator('.cm-content', { hasText: answer }).waitFor()
  await client.getByRole('button', { name: 'Close Client' }).click()
}
