import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { connectGateway } from '#contract/billing/gateway.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { makeInvoice } from '#tests/support/billing/invoices.ts'
import { createTestChannel, sendMessage } from '#tests/support/chat/chat.ts'
import { makeClient, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { plantLeads } from '#tests/support/crm/many-leads.ts'
import { addressOf, openDashboard } from '#tests/support/dashboard.ts'
import { defined, findIn, firstOf, inTurn, itemAt } from '#tests/support/elements.ts'
import { createReporter, reportTestError } from '#tests/support/error-reports/reports.ts'
import { until } from '#tests/support/processes.ts'
import type { Person } from '#tests/support/test-server.ts'

/** An hour of a busy organization, as fast as one tab of a browser follows it. */
const navigations = 200
const framesEach = 180
const messagesEach = 10
const changes = ['lead.changed', 'client.changed', 'invoice.changed', 'error.changed'] as const
/** The screens that are opened before the first measurement: their scripts and formatters stay in memory. */
const warmUpRounds = 2
const mostGrowthMB = 25
const mostNodes = 4_000

const dashboard = openDashboard()

test('a tab that receives 36,000 frames and 2,000 messages and shows 200 screens keeps its memory, its nodes and no stream', async () => {
  const { server } = dashboard
  const organization = await server.organization({ features: ['marketplace'] })
  const owner = await organization.person({ role: 'OWNER' })
  await makeLead(owner)
  await plantLeads(server, organization.id, 300)
  await makeClient(owner)
  await makeInvoice(owner, { draft: true })
  await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  const shop = await createReporter(server, organization)
  await reportTestError(shop, { stack: 'Error: x\n    at pay (src/pay.ts:4:2)' })
  const channel = await createTestChannel(owner)
  const leadIds = (
    await server.sql<{ id: string }>('select id from lead where organization_id = $1', [organization.id])
  ).map(({ id }) => id)

  const page = await dashboard.open(await addressOf(server, owner), {
    person: owner,
    // how the server says that there is none
    refusals: [`GET /api/integrations/applications/${shop.id}/webhook 404`],
  })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await countEvents(page, owner)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  let paths = await pathsOf(page, [])
  // the lists show links to the pages of their rows
  for (let round = 0; round < warmUpRounds; round++) {
    const links: string[] = []
    for (const path of paths) {
      await visit(page, path)
      links.push(...(await linksOf(page)))
    }
    paths = await pathsOf(page, links)
  }
  await hurry(10)
  const start = firstOf(paths)
  await visit(page, start)
  const before = await memoryOf(cdp)

  let mostShown = 0
  for (let at = 0; at < navigations; at++) {
    await Promise.all([visit(page, inTurn(paths, at)), hurry(framesEach)])
    await Promise.all(
      Array.from({ length: messagesEach }, (_, number) =>
        sendMessage(owner, channel.id, `Message ${at * messagesEach + number}`),
      ),
    )
    mostShown = Math.max(mostShown, await page.evaluate('document.querySelectorAll("*").length'))
  }
  await until('the page has received every message', async () => {
    return (await receivedOf(page, 'message-created')) >= navigations * messagesEach
  })
  await visit(page, start)
  const after = await memoryOf(cdp)
  const growthMB = (after.heapBytes - before.heapBytes) / 1_000_000
  process.stdout.write(
    `An hour in a tab: ${paths.length} screens, heap ${(before.heapBytes / 1e6).toFixed(1)} → ${(after.heapBytes / 1e6).toFixed(1)} MB, nodes ${before.nodes} → ${after.nodes}, at most ${mostShown} elements, listeners ${before.listeners} → ${after.listeners}\n`,
  )
  expect(await changesReceived()).toBeGreaterThanOrEqual(navigations * framesEach)
  expect(growthMB).toBeLessThanOrEqual(mostGrowthMB)
  expect(after.nodes).toBeLessThanOrEqual(mostNodes)
  expect(mostShown).toBeLessThanOrEqual(mostNodes)

  expect(await openStreams()).toBe(1)
  await page.close()
  await until('the stream is closed', async () => (await openStreams()) === 0)

  /** Announces changes, and waits until the page has received them: it is never far behind. */
  async function hurry(count: number): Promise<void> {
    const wanted = (await changesReceived()) + count
    const { database, wakeUp } = server.api.services
    await database.transact(
      organization.id,
      async tx => {
        // successive changes of one kind would arrive as one frame
        for (let at = 0; at < count; at++)
          emit(tx, { personId: owner.id }, defined(changes[at % changes.length]), {
            ids: [inTurn(leadIds, at)],
          })
      },
      recordEvents,
    )
    wakeUp?.changed()
    await until('the page has received the frames', async () => (await changesReceived()) >= wanted)
  }
  async function changesReceived(): Promise<number> {
    const counts = await Promise.all(changes.map(name => receivedOf(page, name.replace('.', '-'))))
    return counts.reduce((sum, count) => sum + count, 0)
  }
  async function openStreams(): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^patio_streams (\d+)/m.exec(text)?.[1] ?? -1)
  }
})

/** Counts in the page what the tab with the stream hands to other tabs: each event that it has received. */
async function countEvents(page: Page, { id, organizationId }: Person): Promise<void> {
  await page.evaluate(`{
    globalThis.receivedEvents = {}
    new BroadcastChannel('patio:${id}:${organizationId}').addEventListener('message', ({ data }) => {
      if (data.kind === 'event') receivedEvents[data.event.event] = (receivedEvents[data.event.event] ?? 0) + 1
    })
  }`)
}

async function receivedOf(page: Page, frame: string): Promise<number> {
  return (await page.evaluate(`receivedEvents[${JSON.stringify(frame)}] ?? 0`)) as number
}

async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

/** The links of the screen to others of the organization. */
async function linksOf(page: Page): Promise<string[]> {
  return (await page.evaluate(
    `[...document.querySelectorAll('main a[href^="/o/"]')].map(link => new URL(link.href).pathname)`,
  )) as string[]
}

/** A path for each route of the organization, from the router itself; those with parameters need a link to them. */
async function pathsOf(page: Page, links: readonly string[]): Promise<string[]> {
  // the routes of some areas come after the first screen
  const routesOf = () => page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath)')
  await expect.poll(routesOf).toContain('/operator/health')
  const routes = (await routesOf()).filter(route => !route.endsWith('/$'))
  const address = itemAt(new URL(page.url()).pathname.split('/'), 2)
  const isStatic = (path: string) => routes.includes(path.replace(`/o/${address}`, '/o/$organization'))
  const paths = routes
    .filter(route => route.startsWith('/o/$organization'))
    .flatMap(route => {
      const path = route.replace('$organization', address).replace(/(.)\/$/, '$1')
      if (!path.includes('$')) return [path]
      const pattern = new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`)
      return links.find(link => pattern.test(link) && !isStatic(link)) ?? []
    })
  return [...new Set(paths)]
}

/** The memory of the page after the garbage collection. */
async function memoryOf(cdp: CDPSession): Promise<{ heapBytes: number; nodes: number; listeners: number }> {
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metricOf = (wanted: string) => findIn(metrics, ({ name }) => name === wanted).value
  return {
    heapBytes: metricOf('JSHeapUsedSize'),
    nodes: metricOf('Nodes'),
    listeners: metricOf('JSEventListeners'),
  }
}
