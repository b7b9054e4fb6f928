import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { connect } from '#sdk/client.ts'
import { firstRun } from '#server/first-run.ts'
import type { DemoFile } from '#server/identity/first-run.ts'
import {
  axeFindings,
  openDashboard,
  screenshot,
  seeContent,
  type TabOptions,
} from '#tests/support/dashboard.ts'
import { defined, findIn, firstOf, only } from '#tests/support/elements.ts'
import { reportTestError } from '#tests/support/error-reports/reports.ts'
import { insertOperator, insertSessions } from '#tests/support/identity/people.ts'
import { plantDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { smallControls } from '#tests/support/small-controls.ts'

const dashboard = openDashboard()
const widths = { wide: 1440, laptop: 1280, phone: 390, narrow: 320 }
// npm test opens each screen in one of the two combinations
const isWhole = process.env.WHOLE_MATRIX === '1'
/** The value of each parameter in the paths of the router. A new parameter needs a line. */
const parameters: Record<string, () => string> = {
  $organization: () => organization.address,
  $leadId: () => defined(organization.ids.lead),
  $clientId: () => defined(organization.ids.crm_client),
  $opportunityId: () => defined(organization.ids.crm_opportunity),
  $budgetId: () => defined(organization.ids.budget),
  $invoiceId: () => defined(organization.ids.invoice),
  $organizationId: () => organization.id,
  $errorId: () => defined(organization.ids.error_group),
  $channelId: () => defined(organization.ids.chat_channel),
  $agentId: () => defined(organization.ids.chat_agent),
  $assetId: () => defined(organization.ids.asset),
  $collectionId: () => defined(organization.ids.collection),
  $applicationId: () => defined(organization.ids.application),
  $deliveryId: () => defined(organization.ids.webhook_delivery),
  $entryId: () => defined(organization.ids.market_entry),
  $submissionId: () => defined(organization.ids.market_entry),
}
let organization: { id: string; address: string; owner: { sessionId: string }; ids: Record<string, string> }

beforeAll(async () => {
  const { config, sql } = dashboard.server
  await firstRun({ ...config, demo: true }, () => {})
  const demo = JSON.parse(readFileSync(join(config.dataDir, 'demo.json'), 'utf8')) as DemoFile
  const [{ id, people, applications }] = demo.organizations as [DemoFile['organizations'][number]]
  const row = only(
    await sql<{ address: string }>('select address from organization_address where leads_to = $1', [id]),
  )
  const sessionId = newId()
  const owner = findIn(people, ({ role }) => role === 'OWNER')
  await insertSessions({ sql }, [{ sessionId, personId: owner.id }])
  const client = connect(dashboard.server.url, { apiKey: firstOf(applications).key })
  await reportTestError(
    { client },
    { stack: 'Error\n    at pay (src/pay.ts:4:2)', context: { plan: 'TEAM' } },
  )
  const ids: Record<string, string> = {}
  const readFirst = async (table: string) => {
    const first = only(
      await sql<{ id: string }>(`select id from ${table} where organization_id = $1 order by id limit 1`, [
        id,
      ]),
    )
    ids[table] = first.id
    return first.id
  }
  await plantDeliveries(dashboard.server, id, await readFirst('application'))
  const tables = [
    'lead',
    'crm_client',
    'crm_opportunity',
    'budget',
    'invoice',
    'error_group',
    'chat_channel',
    'chat_agent',
    'asset',
    'collection',
    'webhook_delivery',
    'market_entry',
  ]
  for (const table of tables) await readFirst(table)
  // the owner sees the screens of operators, too
  await insertOperator({ sql }, { id: owner.id, organizationId: id })
  organization = { id, address: row.address, owner: { sessionId }, ids }
})

test.for([
  { language: 'es', theme: 'light', axeAt: 'wide', turn: 0 },
  { language: 'en', theme: 'dark', axeAt: 'phone', turn: 1 },
] as const)(
  'every screen opens, fits wide screens, laptops, phones and 320 px, and axe finds nothing: $language, $theme (DSH-13)',
  async ({ axeAt, turn, ...options }) => {
    const first = axeAt
    const second = first === 'wide' ? 'phone' : 'wide'
    const page = await openApplication({ ...options, width: widths[first] })
    const problems: Record<string, unknown> = {}
    const paths = await pathsOf(page)
    expect(paths.length).toBeGreaterThan(10)
    for (const path of paths.filter((_, at) => isWhole || at % 2 === turn)) {
      await resize(page, widths[first])
      await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await seeContent(page)
      await screenshot(
        page,
        `screen${path.replace(organization.address, '').replaceAll('/', '-')}`,
        `${first}-${options.theme}-${options.language}`,
      )
      const found = [...(await shapeOf(page, widths[first])), ...(await axeFindings(page))]
      for (const width of [widths[second], widths.laptop, widths.narrow]) {
        await resize(page, width)
        found.push(...(await shapeOf(page, width)))
      }
      if (found.length > 0) problems[path] = found
    }
    expect(problems).toEqual({})
  },
)

function openApplication(options: TabOptions): Promise<Page> {
  return dashboard.open(`/o/${organization.address}`, { ...options, person: organization.owner })
}

/** The paths of all screens, from the router itself, with values for their parameters. */
async function pathsOf(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // the routes of some areas come after the first screen
  const routesOf = () => page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath)')
  await expect.poll(routesOf).toContain('/operator/health')
  const routes = (await routesOf()).filter(route => !route.endsWith('/$'))
  const paths = routes.map(route =>
    route.replace(/\$\w+/g, name => {
      const value = parameters[name]
      if (!value) throw new Error(`Which ${name} shall the test open in ${route}? Add it to parameters.`)
      return value()
    }),
  )
  return [...new Set(paths.map(path => path.replace(/(.)\/$/, '$1')))]
}

async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 900 ? 844 : 900 })
  // the screen follows in the next frame
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/**
 * The faults in the shape of a screen: it has one heading, its bar stays, only lines of tabs and, on laptops, the columns of a board
 * scroll sideways, and the cells of a list stay in their rows.
 */
async function shapeOf(page: Page, width: number): Promise<string[]> {
  const [headings, isTall, wide, tall] = (await page.evaluate(`[
    document.querySelectorAll('h1').length,
    /^[/](o|operator)[/]/.test(location.pathname) && document.documentElement.scrollHeight > document.documentElement.clientHeight,
    [document.documentElement, ...document.querySelectorAll('main, main :not(nav)')].filter(part => part.scrollWidth > part.clientWidth && (part.tagName === 'HTML' || (innerWidth !== ${widths.laptop} || !/board/.test(part.className)) && /auto|scroll/.test(getComputedStyle(part).overflowX))).map(part => part.tagName + ' ' + part.className),
    [...document.querySelectorAll('[data-row-key] > *')].filter(cell => cell.getBoundingClientRect().height > cell.parentElement.getBoundingClientRect().height + 1).map(cell => cell.textContent),
  ]`)) as [number, boolean, string[], string[]]
  const small = width === widths.phone ? await smallControls(page) : []
  return [
    ...small,
    ...(headings === 1 ? [] : [`${headings} headings of the first level at ${width} px`]),
    ...(isTall ? [`the bar scrolls away at ${width} px`] : []),
    ...wide.map(part => `${part} scrolls sideways at ${width} px`),
    ...tall.map(text => `the cell “${text}” is taller than its row at ${width} px`),
  ]
}
