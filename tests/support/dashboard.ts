import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Config } from '#server/config.ts'
import { browsable, openBrowser, openProfile } from './browser.ts'
import { only } from './elements.ts'
import { insertSessions } from './identity/people.ts'
import { signInToken } from './identity/sign-in.ts'
import { type Person, startTestServer, type TestServer } from './test-server.ts'

export type TabOptions = {
  /** The signed-in person; without it, nobody. */
  person?: Pick<Person, 'sessionId'>
  language?: 'es' | 'en'
  theme?: 'light' | 'dark'
  /** The width of the window; phones have 390. */
  width?: number
  /** The refusals that the test expects, such as `POST /api/auth/sign-in/email 401`. All others fail it. */
  refusals?: readonly string[]
}

/** The dashboard as people use it: the built files from a real server, in a real browser. */
export type Dashboard = {
  readonly server: TestServer
  /** Opens a tab at a path, in a browser profile of its own. */
  open(path: string, options?: TabOptions): Promise<Page>
}

/** A password that every rule accepts. */
export const strongPassword = 'Vierzig blaue Traktoren'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const pictures = join(import.meta.dirname, '../../artifacts/dashboard')

/**
 * One server and one browser for the tests of a file. Each test fails on errors in the console, breaches of
 * the policy, and refusals that it did not expect, in any of its tabs.
 */
export function openDashboard(overrides: Partial<Config> = {}): Dashboard {
  let server: TestServer
  let browser: Browser
  const open: { context: BrowserContext; problems: string[] }[] = []

  beforeAll(async () => {
    // sign-in accepts requests of its PUBLIC_URL alone
    const address = await browsable()
    ;[server, browser] = await Promise.all([
      startTestServer({ ...address, dashboard: 'on', ...overrides }),
      openBrowser(),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  afterEach(async ({ task }) => {
    const tabs = open.splice(0)
    if (task.result?.state === 'fail')
      await Promise.all(
        tabs
          .flatMap(({ context }) => context.pages())
          .map((page, at) => screenshot(page, `failed-${task.name.replace(/\W+/g, '-')}`, String(at))),
      )
    await Promise.all(tabs.map(({ context }) => context.close()))
    expect(tabs.flatMap(({ problems }) => problems)).toEqual([])
  })

  return {
    get server() {
      return server
    },
    async open(path, { person, language = 'en', theme = 'light', width = 1440, refusals = [] } = {}) {
      const context = await openProfile(browser, {
        locale: language === 'es' ? 'es-ES' : 'en-GB',
        colorScheme: theme,
        viewport: { width, height: width < 900 ? 844 : 900 },
        reducedMotion: 'reduce',
        baseURL: server.url,
      })
      open.push({ context, problems: problemsOf(context, refusals) })
      if (person) await context.addCookies([await signInCookie(server, person)])
      const page = await context.newPage()
      await page.goto(path)
      return page
    },
  }
}

/** Lines of the browser itself: a refusal, whose reply is judged apart, and a header that works over https alone. */
const ownLines = ['Failed to load resource', 'The Cross-Origin-Opener-Policy header has been ignored']

/** Collects what no page may do. */
function problemsOf(context: BrowserContext, refusals: readonly string[]): string[] {
  const problems: string[] = []
  context.on('console', message => {
    if (message.type() === 'error' && !ownLines.some(line => message.text().startsWith(line)))
      problems.push(message.text())
  })
  context.on('weberror', error => problems.push(String(error.error().stack)))
  context.on('response', response => {
    if (response.status() < 400) return
    const refusal = `${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`
    if (!refusals.includes(refusal)) problems.push(refusal)
  })
  void context.addInitScript(() => {
    const { console, addEventListener } = globalThis as unknown as {
      console: { error(text: string): void }
      addEventListener(name: string, listener: (event: Record<string, string>) => void): void
    }
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      console.error(`breach of ${violatedDirective}: ${blockedURI} ${sample}`),
    )
  })
  return problems
}

/** The cookie of a signed-in person, for a test server at this URL. */
export async function signInCookie(
  server: TestServer,
  person: Pick<Person, 'sessionId'>,
  url: string = server.url,
) {
  const value = encodeURIComponent(await signInToken(server, person))
  return { name: 'patio.session_token', value, url, httpOnly: true, sameSite: 'Lax' as const }
}

/** The address of a screen of the person's organization, such as `/settings/members`. */
export async function addressOf(server: TestServer, { organizationId }: Person, path = ''): Promise<string> {
  const row = only(
    await server.sql<{ address: string }>('select address from organization_address where leads_to = $1', [
      organizationId,
    ]),
  )
  return `/o/${row.address}${path}`
}

/** Gives a person a password. Their session stays. */
export async function givePassword(server: TestServer, person: Person): Promise<void> {
  const session = only(
    await server.sql<{ token: string }>('select token from session where id = $1', [person.sessionId]),
  )
  await server.api.identity.signIn.setPassword(person.id, strongPassword)
  await insertSessions(server, [{ sessionId: person.sessionId, personId: person.id, token: session.token }])
}

/** Fills the form of the sign-in page and sends it. */
export async function signIn(page: Page, email: string, password = strongPassword): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Waits for the heading of a screen. */
export async function seeHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Waits until a screen has read what it shows: no skeleton stands for it any more. */
export async function seeContent(page: Page): Promise<void> {
  await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' })
}

/** A picture for human eyes: `artifacts/dashboard/<story>-<step>.png`, which git ignores. */
export async function screenshot(page: Page, story: string, step: string): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${story}-${step}.png`) })
}

/** The findings of axe, which runs through the debugger, which the policy of the page does not concern. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: Violation[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
