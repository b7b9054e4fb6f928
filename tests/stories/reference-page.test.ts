import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { application } from '#tests/applications.ts'
import { browsable, hasBrowser, needBrowser, openBrowser } from '#tests/browser.ts'
import { openWorld, type TestWorld } from '#tests/world.ts'

let world: TestWorld
let browser: Browser
let page: Page
let seen: { requests: string[]; problems: string[] }

beforeAll(async () => {
  if (!hasBrowser) return
  // the page calls the address that the server says people use
  world = await openWorld(await browsable())
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

beforeEach(async context => {
  needBrowser(context)
  const tab = await browser.newContext()
  page = await tab.newPage()
  seen = { requests: [], problems: [] }
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) seen.problems.push(message.text())
  })
  page.on('pageerror', error => seen.problems.push(error.message))
  page.on('requestfailed', request => seen.problems.push(`${request.url()}: ${request.failure()?.errorText}`))
  // every request of the page, whatever makes it; nothing leaves this machine
  await tab.route('**/*', route => {
    const { hostname, href, protocol } = new URL(route.request().url())
    seen.requests.push(href)
    return protocol === 'data:' || ['localhost', '127.0.0.1'].includes(hostname)
      ? route.continue()
      : route.abort()
  })
  return () => tab.close()
})

/** Nothing was asked of another host, nothing failed, and no policy had to step in. */
function assertClean(): void {
  const { origin } = new URL(world.url)
  expect(seen.requests.length).toBeGreaterThan(3)
  expect(seen.requests.filter(url => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([])
  expect(seen.problems).toEqual([])
}

test('the reference shows every operation, offline and within its policy, at whatever address it was opened', async () => {
  await page.goto(`${world.url.replace('localhost', '127.0.0.1')}/docs`)
  await page.waitForURL(`${world.url}/docs`)
  seen = { requests: [], problems: [] }
  await page.locator('.opblock-tag').first().waitFor({ timeout: 60_000 })
  expect(await page.title()).toBe('Patio API')
  const { paths } = (await (await fetch(`${world.url}/api/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const wanted = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  // webhooks stand in a section of their own, which is never folded
  const summaries = page.locator('.opblock-tag-section .opblock-summary')
  const shown: string[] = []
  // the areas are folded at first; of a longer list than any of them the page shows a part only
  const areas = page.locator('.opblock-tag').filter({ hasNotText: 'Events that applications receive' })
  for (const area of await areas.all()) {
    await area.click()
    await summaries.first().waitFor()
    const names = await summaries.evaluateAll(blocks =>
      blocks.map(block => {
        const text = (name: string) =>
          block
            .querySelector(name)
            ?.textContent?.replace(/\u200b/g, '')
            .trim()
        return `${text('.opblock-summary-method')} ${text('.opblock-summary-path')}`
      }),
    )
    shown.push(...names)
    await area.click()
    await vi.waitFor(async () => expect(await summaries.count()).toBe(0), 10_000)
  }
  expect(shown.sort()).toEqual(wanted.sort())
  // an operation opens with its schema, and can be tried with a token, or with an application's key
  const person = await (await world.organization()).person({ role: 'OWNER' })
  await authorize('From GET /api/auth/token', person.token)
  expect(await tryOut('auth', '/api/auth/me')).toContain(person.id)
  const { key } = await application(world, await world.organization(), { scopes: ['analytics:errors:write'] })
  await authorize('From POST /api/integrations/applications/{id}/keys', key)
  expect(await tryOut('error-reports', '/api/external/v1/errors/report')).toMatch(/"deduplicated": false/)
  assertClean()
})

/** Gives the page a credential, by the text that says where it comes from. */
async function authorize(from: string, credential: string): Promise<void> {
  await page.locator('.authorize').click()
  const way = page.locator('.auth-container', { hasText: from })
  await way.locator('input').fill(credential)
  await way.locator('button[type=submit]').click()
  await page.locator('.close-modal').click()
}

/** Sends what the page suggests for an operation; the answer that it shows. */
async function tryOut(area: string, path: string): Promise<string | null> {
  await page.locator('.opblock-tag', { hasText: area }).first().click()
  const operation = page.locator('.opblock', { hasText: path })
  await operation.locator('.opblock-summary').click()
  await operation.locator('.execute').click()
  const answer = operation.locator('.live-responses-table .highlight-code').first()
  await answer.waitFor()
  return answer.textContent()
}
