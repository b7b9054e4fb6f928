import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeApplication } from '#contract/integrations/applications.ts'
import { listDeliveries, listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { setWebhook } from '#contract/integrations/webhook.ts'
import { firstId, newId } from '#platform/ids.ts'
import { defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { fewestShards, shardOf } from '../shards/shard.ts'

import { timeOfId } from './id-range.ts'

let server: TestServer
let organization: Organization
let manager: Person
let shop: TestApplication
let blog: TestApplication
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  manager = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { name: 'Shop' })
  blog = await makeApplication(server, organization, { name: 'Blog' })
})
afterAll(() => server?.close())

const startMs = Date.now() - 3_600_000
const idAt = (n: number) => `${firstId(startMs + n)}${newId().slice(9)}`
/** Inserts deliveries of an application at these milliseconds. */
async function plant(
  app: TestApplication,
  at: number[],
  status: string,
  event = 'WEBHOOK_TEST',
): Promise<string[]> {
  const ids = at.map(idAt)
  await insertDeliveries(server, app, ids, () => ({ event, status }))
  return ids
}
const list = (query: object, who = manager) => who.call(listOrganizationDeliveries, { query: query as never })
const idsOf = async (query: object) => (await list(query)).items.map(({ id }) => id)
/** All pages, each checked against the limit. */
async function pages(query: object, limit: number): Promise<string[]> {
  const seen: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await list({ ...query, limit, ...(before && { before }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    seen.push(...page.items.map(({ id }) => id))
    if (page.nextBefore === null) return seen
    expect(before === undefined || page.nextBefore < before).toBe(true)
    before = page.nextBefore
  }
}

describe('the deliveries of all applications', () => {
  let failed: string[]
  let delivered: string[]
  let ofBlog: string[]
  let rare: string[]
  let newestFirst: string[]
  beforeAll(async () => {
    failed = await plant(shop, [10, 30, 50], 'FAILED')
    delivered = await plant(shop, [20, 40], 'DELIVERED')
    ofBlog = await plant(blog, [15, 35, 55], 'FAILED')
    rare = await plant(blog, [5, 60], 'DELIVERED', 'RARE')
    newestFirst = [...failed, ...delivered, ...ofBlog, ...rare].sort().reverse()
  })

  test('are listed newest first with their application, in pages of any size', async () => {
    expect(await idsOf({})).toEqual(newestFirst)
    for (const limit of [1, 2, 3, 7]) expect(await pages({}, limit)).toEqual(newestFirst)
    const [first] = (await list({ event: 'RARE' })).items
    expect(first).toEqual({
      id: rare[1],
      eventId: rare[1],
      event: 'RARE',
      status: 'DELIVERED',
      attempts: 0,
      outcome: null,
      lastStatus: null,
      emittedAt: expect.any(String),
      finishedAt: null,
      applicationId: blog.id,
      applicationName: 'Blog',
    })
  })

  test('filter by status, event, application, time and ids', async () => {
    const reverse = (ids: string[]) => [...ids].sort().reverse()
    expect(await idsOf({ status: 'FAILED' })).toEqual(reverse([...failed, ...ofBlog]))
    expect(await pages({ status: 'FAILED' }, 2)).toEqual(reverse([...failed, ...ofBlog]))
    expect(await idsOf({ status: 'DELIVERED', event: 'WEBHOOK_TEST' })).toEqual(reverse(delivered))
    expect(await pages({ event: 'RARE' }, 1)).toEqual(reverse(rare))
    expect(await idsOf({ status: 'FAILED', event: 'RARE' })).toEqual([])
    expect(await idsOf({ applicationId: shop.id })).toEqual(reverse([...failed, ...delivered]))
    expect(await idsOf({ since: timeOfId(firstOf(delivered)), until: timeOfId(itemAt(ofBlog, 1)) })).toEqual(
      reverse([firstOf(delivered), itemAt(failed, 1)]),
    )
    const ids = [firstOf(rare), itemAt(failed, 2), newId()]
    expect(await idsOf({ ids })).toEqual(reverse(ids.slice(0, 2)))
    expect(await idsOf({ ids, status: 'FAILED' })).toEqual([failed[2]])
    expect(await idsOf({ ids, applicationId: blog.id })).toEqual([rare[0]])
    expect(await idsOf({ ids, since: timeOfId(itemAt(failed, 2)) })).toEqual([failed[2]])
    const ofShop = await manager.call(listDeliveries, { params: { id: shop.id }, query: { ids } })
    expect(ofShop).toMatchObject({ items: [{ id: failed[2] }], nextBefore: null })
  })

  test('that wait are found in either queue', async () => {
    await server.sql(
      `update dispatch_shard set owner = 'nobody', epoch = epoch + 1, lease_until = 'infinity'`,
    )
    const app = await makeApplication(server, organization)
    await manager.call(setWebhook, { params: { id: app.id }, body: { url: 'https://1.1.1.1/', events: [] } })
    const [due] = await plant(app, [70], 'PENDING')
    const of = {
      shard: shardOf(app.id, fewestShards),
      application_id: app.id,
      organization_key: organization.id,
    }
    await insertRows(server, 'webhook_due', [{ ...of, due_at: secondsAgo(-3_600), delivery_id: due }])
    const [fresh] = await plant(app, [80], 'PENDING')
    await insertRows(server, 'webhook_new_range', [{ ...of, first_id: fresh, last_id: fresh }])
    expect(await idsOf({ status: 'PENDING' })).toEqual([fresh, due])
    expect(await pages({ status: 'PENDING' }, 1)).toEqual([fresh, due])
  })

  test('of deleted applications and of other organizations are left out', async () => {
    const gone = await makeApplication(server, organization)
    const [one] = await plant(gone, [90], 'FAILED')
    expect(await idsOf({ ids: [one] })).toEqual([one])
    await manager.send(removeApplication, { params: { id: gone.id } })
    expect(await idsOf({ ids: [one] })).toEqual([])
    expect(await idsOf({ status: 'FAILED' })).not.toContain(one)
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    for (const query of [{}, { status: 'FAILED' }, { event: 'RARE' }, { ids: failed }])
      expect(await list(query, stranger)).toEqual({ items: [], nextBefore: null })
    for (const applicationId of [gone.id, newId()])
      expect(await manager.send(listOrganizationDeliveries, { query: { applicationId } })).toMatchObject({
        status: 404,
        body: { errorCode: 'APPLICATION_NOT_FOUND' },
      })
    const plain = await organization.person()
    expect((await plain.send(listOrganizationDeliveries, {})).status).toBe(403)
  })
})

test('a filter without an index scans a share of each application and continues where it ended', async () => {
  const own = await server.organization()
  const owner = await own.person({ role: 'OWNER' })
  const [busy, calm] = [await makeApplication(server, own), await makeApplication(server, own)]
  const many = Array.from({ length: 2_600 }, (_, n) => 1_000 + n)
  await plant(busy, many, 'DELIVERED')
  const [old] = await plant(busy, [1], 'DELIVERED', 'RARE')
  const [older] = await plant(calm, [0], 'DELIVERED', 'RARE')
  const first = await owner.call(listOrganizationDeliveries, { query: { event: 'RARE' } })
  expect(first).toEqual({ items: [], nextBefore: expect.any(String) })
  const second = await owner.call(listOrganizationDeliveries, {
    query: { event: 'RARE', before: defined(first.nextBefore) },
  })
  expect(second.items.map(({ id }) => id)).toEqual([old, older])
  expect(second.nextBefore).toBeNull()
})
