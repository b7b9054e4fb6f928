import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { openDatabase } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { firstId } from '#platform/ids.ts'
import { itemAt, only } from '#tests/support/elements.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import type { TestEndpoint } from '#tests/support/integrations/webhooks.ts'
import { type Explained, openPlans, type Plans } from '#tests/support/plans.ts'
import { log } from '#tests/support/stream-app.ts'
import { readCounts } from '../endpoint/endpoint.sql.ts'
import { maintainDeliveryPartitions } from '../retention/retention.sql.ts'
import { fewestShards, shardOf } from '../shards/shard.ts'
import { type DeliveryFilter, deliveriesAfter, listPage } from './delivery.sql.ts'
import { pageOfApplications } from './organization-delivery.sql.ts'

// two applications with 30,000 deliveries each over four days: a page reads only the rows that it returns

let harness: WebhookHarness
let plans: Plans
let app: TestEndpoint
beforeAll(async () => {
  harness = await openWebhookHarness()
  const settings = { connectTimeoutMs: 2_000, statementTimeoutMs: 9_000, lockTimeoutMs: 3_000 }
  const database = await openDatabase({
    ...settings,
    url: harness.url,
    poolSize: 2,
    applicationName: 'plans',
    idleInTransactionTimeoutMs: 5_000,
  })
  await maintainDeliveryPartitions(database, log)
  await database.close()
  app = await harness.endpoint('/one')
  for (const { id, organizationId } of [app, await harness.endpoint('/two')]) {
    const ids = Array.from({ length: 30_000 }, (_, n) => `${firstId(Date.now() - n * 10_000)}${id.slice(9)}`)
    await insertDeliveries(harness, { id, organizationId }, ids, n => ({
      event: n % 100 === 0 ? 'RARE' : 'WEBHOOK_TEST',
      status: n % 3 === 0 ? 'FAILED' : 'DELIVERED',
    }))
  }
  await harness.sql('vacuum analyze webhook_delivery')
  plans = await openPlans(harness.url)
})
afterAll(async () => {
  await plans?.close()
  await harness?.close()
})

const all: DeliveryFilter = {
  status: null,
  event: null,
  idRange: { from: '', to: '~' },
  ids: null,
  limit: 20,
}
const rare = { ...all, event: 'RARE' }

async function look(read: (db: Tx) => Promise<unknown>): Promise<Explained> {
  return only(await plans.explain(app.organizationId, read))
}

it.each<[string, (db: Tx) => Promise<unknown>, most: number]>([
  ['the newest', db => listPage(db, app.id, all), 150],
  ['by status', db => listPage(db, app.id, { ...all, status: 'FAILED' }), 150],
  ['what an application reads', db => deliveriesAfter(db, app.id, '', '~', 20), 150],
  ['by both', db => listPage(db, app.id, { ...rare, status: 'FAILED' }), 6_000],
  ['what waits', db => listPage(db, app.id, { ...all, status: 'PENDING' }), 6_000],
  ['by event, and what was delivered', db => listPage(db, app.id, { ...rare, status: 'DELIVERED' }), 6_000],
])('%s', async (_name, read, most) => {
  const { blocks, rows } = await look(read)
  expect(rows).toBeGreaterThan(0)
  expect(blocks).toBeLessThan(most)
})

test('the health of a webhook: what waits, the last day and the last that failed', async () => {
  const explained = await plans.explain(app.organizationId, db =>
    readCounts(db, app.id, shardOf(app.id, fewestShards), Date.now()),
  )
  const [waiting, lastDay, lastFailure] = explained.map(({ blocks }) => blocks)
  expect(waiting).toBeLessThan(60)
  expect(lastDay).toBeLessThan(1_500)
  expect(lastFailure).toBeLessThan(60)
  expect(itemAt(explained, 2).rows).toBe(1)
})

it.each<[string, Partial<DeliveryFilter>, most: number]>([
  ['the newest', {}, 300],
  ['by status', { status: 'FAILED' }, 300],
  ['by event', { event: 'RARE' }, 6_000],
])('of all applications, %s', async (_name, filter, most) => {
  const found = await harness.sql<{ id: string }>(
    'select distinct application_id as id from webhook_delivery',
  )
  expect(found).toHaveLength(2)
  const ids = found.map(({ id }) => id)
  const { blocks, rows } = await look(db => pageOfApplications(db, ids, { ...all, ...filter }))
  expect(rows).toBeGreaterThan(0)
  expect(blocks).toBeLessThan(most)
})

test.each<[string, (db: Tx, filter: DeliveryFilter) => Promise<unknown>]>([
  ['all applications', (db, filter) => pageOfApplications(db, [app.id], filter)],
  ['one application', (db, filter) => listPage(db, app.id, filter)],
])('by ids, of %s', async (_name, list) => {
  const found = await harness.sql<{ id: string }>(
    'select id from webhook_delivery where application_id = $1 limit 20',
    [app.id],
  )
  const { blocks, rows } = await look(db => list(db, { ...all, ids: found.map(({ id }) => id) }))
  expect(rows).toBe(20)
  expect(blocks).toBeLessThan(200)
})
