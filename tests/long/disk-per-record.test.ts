import { afterAll, beforeAll, expect, test } from 'vitest'
import { postMessage } from '#contract/chat/messages.ts'
import { makeInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { createTestChannel } from '#tests/support/chat/chat.ts'
import { makeClient, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { until } from '#tests/support/processes.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

const count = 1_000
const atOnce = 8
const text = 'A message of a usual length, with some words that a search can find again. '.repeat(3)

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

async function repeat(work: () => Promise<unknown>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work()
    }),
  )
}

/** The bytes of all tables with their indexes, after the relay has processed what was written. */
async function size(): Promise<number> {
  await server.relayed()
  const row = only(
    await server.sql<{ bytes: number }>(
      `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'm')`,
    ),
  )
  return row.bytes
}

/** The KiB that one record adds, with its events, audit entry, history and indexes. Warms up, so that no table is empty. */
async function kibPerRecord(name: string, work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 50; n++) await work()
  const before = await size()
  await repeat(work)
  const kib = ((await size()) - before) / 1024 / count
  process.stdout.write(`${name}: ${kib.toFixed(1)} KiB\n`)
  return kib
}

// docs/guides/sizing.md states these figures; each limit is about twice the figure
test('the disk space of a record is what the guide on sizing says', async () => {
  const channel = await createTestChannel(owner)
  await plantIssuer(server, owner.organizationId)
  const client = await makeClient(owner, whereabouts)
  const post = () => owner.call(postMessage, { params: { id: channel.id }, body: { content: text } })
  expect(await kibPerRecord('asset', () => makeAsset(owner, { bodyMarkdown: text }))).toBeLessThan(11)
  expect(await kibPerRecord('message', post)).toBeLessThan(7)
  expect(await kibPerRecord('invoice', () => makeInvoice(owner, { clientId: client.id }))).toBeLessThan(11)
  const leadKib = await kibPerRecord('lead', () => makeLead(owner))
  expect(leadKib).toBeLessThan(8)

  // paused: its deliveries are stored
  await makeApplication(
    server,
    { id: owner.organizationId },
    {
      principal: owner,
      scopes: ['crm:leads:read'],
      url: 'http://127.0.0.1:9/',
      events: ['LEAD_CREATED'],
    },
  )
  await server.sql(`update webhook_endpoint set status = 'HELD' where organization_id = $1`, [
    owner.organizationId,
  ])
  const withDelivery = await kibPerRecord('lead with a delivery', () => makeLead(owner))
  await until('each lead has a delivery', async () => {
    const [row] = await server.sql(
      'select count(*)::int as n from webhook_delivery where organization_id = $1',
      [owner.organizationId],
    )
    return (row as { n: number }).n >= count
  })
  expect(withDelivery - leadKib).toBeLessThan(2.5)
}, 600_000)
