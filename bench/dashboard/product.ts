import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { APIRequestContext, Browser, BrowserContext } from 'playwright-core'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { freePort } from '#platform/ports.ts'
import { openBrowserIn } from '#tests/support/browser.ts'
import { captured, itemAt, only } from '#tests/support/elements.ts'
import { insertMembers } from '#tests/support/identity/people.ts'
import { onPool } from '#tests/support/rows.ts'
import { start, temporaryFolder } from '../processes.ts'

/** A whole server with demo data, whose first organization has 200 members, and a person who is signed in. */
export type DashboardProduct = {
  /** The address of the organization: `http://localhost:4000/o/acme-studio`. */
  readonly organizationUrl: string
  /** Objects of the demo, and an asset whose text is as long as a text may be. */
  readonly ids: ObjectIds
  /** A browser without files of the dashboard, in which the person is signed in. */
  newContext(): Promise<BrowserContext>
  /** The same in a browser of its own, which keeps compiled scripts from one visit to the next. */
  newProfile(): Promise<BrowserContext>
  stop(): Promise<void>
}

type ObjectIds = Record<'invoice' | 'channel' | 'asset' | 'longAsset', string>

const memberCount = 200
/** The window of every page, and the language that its texts are looked for in. */
export const view = { viewport: { width: 1_440, height: 900 }, locale: 'en-GB' } as const

/** Builds the dashboard unless it is built, as `npm start` does. */
export function buildDashboard(): void {
  const { status, stderr } = spawnSync(process.execPath, ['dashboard/build/build.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The dashboard could not be built:\n${stderr}`)
}

/** Starts the product with demo data, adds members, and signs the first person in through the screen. */
export async function startDashboard(browser: Browser): Promise<DashboardProduct> {
  const dataDir = temporaryFolder()
  const port = String(await freePort('127.0.0.1'))
  const url = `http://localhost:${port}`
  const env = { DATA_DIR: dataDir, PORT: port, CEILING_FACTOR: '0', LOG_LEVEL: 'warn' }
  const product = start('server/main.mjs', ['up'], env, 'nothing')
  await untilServed(url)
  const { organizations } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    organizations: { id: string; people: { email: string; password: string }[] }[]
  }
  const organization = itemAt(organizations, 0)
  await addMembers(readFileSync(join(dataDir, 'database.url'), 'utf8').trim(), organization.id)

  const person = itemAt(organization.people, 0)
  const context = await browser.newContext(view)
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.fill('input[name=email]', person.email)
  await page.fill('input[name=password]', person.password)
  await page.click('button[type=submit]')
  await page.waitForURL(/\/o\/[^/]+/)
  const organizationUrl = captured(/^(.*\/o\/[^/?#]+)/, page.url())
  const storageState = await context.storageState()
  const ids = await objectIds(context.request, url, organization.id)
  await context.close()
  return {
    organizationUrl,
    ids,
    newContext: () => browser.newContext({ ...view, storageState }),
    async newProfile() {
      const profile = await openBrowserIn(temporaryFolder(), view)
      await profile.addCookies(storageState.cookies)
      return profile
    },
    stop: product.stop,
  }
}

async function untilServed(url: string): Promise<void> {
  const untilMs = performance.now() + 120_000
  while (performance.now() < untilMs) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the server did not become ready')
}

async function objectIds(
  request: APIRequestContext,
  url: string,
  organizationId: string,
): Promise<ObjectIds> {
  const { token } = await (await request.get(`${url}/api/auth/token?organization=${organizationId}`)).json()
  const headers = { authorization: `Bearer ${token}` }
  const firstOf = async (path: string): Promise<string> => {
    const response = await request.get(`${url}/api/${path}`, { headers })
    const { items, data = items } = await response.json()
    const [first] = data
    if (!first) throw new Error(`GET ${path}: ${response.status()} ${await response.text()}`)
    return first.id
  }
  const demo = {
    invoice: await firstOf('billing/invoices?limit=1'),
    channel: await firstOf('chat/channels?limit=1'),
    asset: await firstOf('studio/assets?limit=1'),
  }
  const created = await request.post(`${url}/api/studio/assets`, {
    headers,
    data: { type: 'PROMPT', name: 'A long text', bodyMarkdown: longText(limits.assetBody) },
  })
  return { ...demo, longAsset: (await created.json()).id }
}

/** Markdown of exactly so many characters: sections with a list, emphasis, code and a link. */
function longText(length: number): string {
  const section = (at: number) =>
    `## Section ${at}\n\nRead the *whole* contract, and **mark** what \`changes\`.\n\n- the first point\n- [a page](https://example.com/${at})\n\n`
  return Array.from({ length: Math.ceil(length / 100) }, (_, at) => section(at))
    .join('')
    .slice(0, length)
}

async function addMembers(databaseUrl: string, organizationId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ there: number }>(
      'select count(*)::int as there from membership where organization_id = $1',
      [organizationId],
    )
    const ids = Array.from({ length: memberCount - only(rows).there }, newId)
    const members = ids.map((id, at) => ({ id, name: `Member ${at + 1}`, email: `${id}@example.test` }))
    await insertMembers(onPool(client), organizationId, members)
  } finally {
    await client.end()
  }
}
