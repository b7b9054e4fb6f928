import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ForApplications } from '#contract/events.ts'
import { Type } from '#contract/type.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import type { NumberedEvent } from '#platform/events/number-batch.ts'
import { openRelay, type Relay } from '#platform/events/relay.ts'
import { openSignal, type Signal } from '#platform/events/signal.ts'
import { isId, newId } from '#platform/ids.ts'
import { openLog } from '#platform/log.ts'
import { crowd } from '#tests/support/crowd.ts'
import { atLeast, firstOf, lastOf } from '#tests/support/elements.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import {
  insertEndpoint,
  insertHome,
  signInSecret,
  type TestEndpoint,
} from '#tests/support/integrations/webhooks.ts'
import { openTestDatabase } from '#tests/support/stream-app.ts'
import type { WrittenDelivery } from '../due-delivery.ts'
import { openWebhookEngine, type WebhookEngine } from '../engine.ts'
import { isRecipient, openFanOut } from './fan-out.ts'
import { renderBody, renderData, schemaVersionOf } from './render.ts'

const thing: ForApplications = {
  stream: null,
  frame: null,
  audience: 'applications',
  schemaVersion: '2026-07',
  scope: 'studio:assets:read',
  reaches: 'subscribers',
  includesActor: false,
  data: Type.Object({ b: Type.String(), a: Type.Integer() }),
}
const fence = crossTenantSql<{ fence: number }>('test', 'select fence from relay_lease')

let harness: WebhookHarness
let database: Database
beforeAll(async () => {
  harness = await openWebhookHarness()
  database = await openTestDatabase(harness.url)
})
afterAll(async () => {
  await database?.close()
  await harness?.close()
})

const event = (organizationId: string, options: Partial<NumberedEvent> = {}): NumberedEvent => ({
  organizationId,
  id: newId(),
  seq: 1,
  at: '2026-11-21T10:00:00.000Z',
  name: 'THING',
  actorId: null,
  data: { a: 1, b: 'ñ"' },
  ...options,
})

describe('recipients', () => {
  const one = { id: 'a1', events: ['THING'], scopes: ['studio:assets:read'] }
  const reported = { name: 'THING', actorId: 'p1' }
  const split = { splitsBy: 'crm:leads:read:scoring' } as const
  const knowing = { scopes: ['studio:assets:read', 'crm:leads:read:scoring'] }
  it.each<
    [
      boolean,
      string,
      Partial<typeof one>,
      Partial<Pick<NumberedEvent, 'actorId' | 'about'>>,
      Partial<ForApplications>,
    ]
  >([
    [true, 'a subscriber with the scope', {}, {}, {}],
    [false, 'who did not ask for it', { events: ['OTHER'] }, {}, {}],
    [false, 'who asked for it in another case', { events: ['thing'] }, {}, {}],
    [false, 'who lacks the scope', { scopes: [] }, {}, {}],
    [true, 'who needs none', { scopes: [] }, {}, { scope: null }],
    [false, 'who did it', {}, { actorId: 'a1' }, {}],
    [true, 'who did it, when the event says so', {}, { actorId: 'a1' }, { includesActor: true }],
    [true, 'whom it is about', {}, { about: { applicationId: 'a1' } }, { reaches: 'subject' }],
    [false, 'another than whom it is about', {}, { about: { applicationId: 'a2' } }, { reaches: 'subject' }],
    [
      false,
      'whom it is about and who did not ask',
      { events: [] },
      { about: { applicationId: 'a1' } },
      { reaches: 'subject' },
    ],
    [true, 'that one anyway', { events: [] }, { about: { applicationId: 'a1' } }, { reaches: 'anyway' }],
    [false, 'nobody, when it is about nobody', {}, {}, { reaches: 'subject' }],
    [true, 'who asked for what happens in a place', {}, {}, { reaches: 'channel' }],
    [
      true,
      'the one who is meant there',
      {},
      { about: { applicationId: 'a1' } },
      { reaches: 'channel-subject' },
    ],
    [false, 'others than that one', {}, { about: { applicationId: 'a2' } }, { reaches: 'channel-subject' }],
    [true, 'the others there', {}, { about: { applicationId: 'a2' } }, { reaches: 'channel-others' }],
    [false, 'the one it is about', {}, { about: { applicationId: 'a1' } }, { reaches: 'channel-others' }],
    [true, 'all, when nothing of it is for some alone', {}, {}, split],
    [false, 'the whole, who lacks the scope for it', {}, { about: { part: 'whole' } }, split],
    [true, 'the rest, who lacks it', {}, { about: { part: 'rest' } }, split],
    [true, 'the whole, who has it', knowing, { about: { part: 'whole' } }, split],
    [false, 'the rest, who has it', knowing, { about: { part: 'rest' } }, split],
    [
      false,
      'the rest, who lacks the scope of both',
      { scopes: ['crm:leads:read:scoring'] },
      { about: { part: 'rest' } },
      split,
    ],
  ])('%s: %s', (is, _who, who, what, definition) => {
    expect(isRecipient({ ...one, ...who }, { ...reported, ...what }, { ...thing, ...definition })).toBe(is)
  })
})

it('a body has its fields in the order of the contract', () => {
  const data = renderData({ a: 1, extra: true, b: 'ñ"' }, thing)
  const body = renderBody({ name: 'THING', at: 'T' }, { id: 'i', slug: 's' }, data, '2026-07')
  expect(body).toBe(
    '{"event":"THING","timestamp":"T","app":{"id":"i","slug":"s"},"data":{"b":"ñ\\"","a":1},"meta":{"schemaVersion":"2026-07"}}',
  )
  expect(schemaVersionOf(body)).toBe('2026-07')
  expect(JSON.parse(body).data).toEqual({ a: 1, b: 'ñ"' })
})

describe('deliveries', () => {
  const written: WrittenDelivery[][] = []
  const fanOut = () =>
    openFanOut({
      database,
      onWritten: webhooks => void written.push([...webhooks]),
      definitionOf: name => (name === 'THING' ? thing : undefined),
    })
  async function spread(events: NumberedEvent[], held?: number): Promise<boolean> {
    const found = await fanOut()(events)
    if (!found) return false
    const now = held ?? (await database.crossTenant.one(fence)).fence
    await database.transactCrossTenant(tx => found.write(tx, [now]))
    found.committed()
    return true
  }
  const rowsOf = ({ id }: TestEndpoint) =>
    harness.sql<{
      id: string
      body: string
      event_seq: number
      status: string
      fresh: boolean
      shard: number
    }>(
      `select d.*, f.first_id is not null as fresh, f.shard from webhook_delivery d
       left join webhook_new_range f on f.organization_key = d.organization_id and f.application_id = d.application_id
         and d.id between f.first_id and f.last_id
       where d.application_id = $1 order by d.id`,
      [id],
    )
  const options = { url: 'http://127.0.0.1:1/', events: ['THING'], scopes: ['studio:assets:read'] }

  it('are written for each subscriber of the organization, active or paused, in the order of the events', async () => {
    const home = await insertHome(harness.sql)
    const other = await insertHome(harness.sql)
    const [a, b, disabled, elsewhere] = (await Promise.all([
      ...[home, home, home].map(at => insertEndpoint(harness.sql, at, options)),
      insertEndpoint(harness.sql, other, options),
    ])) as [TestEndpoint, TestEndpoint, TestEndpoint, TestEndpoint]
    await harness.sql(`update webhook_endpoint set status = 'HELD' where application_id = $1`, [b.id])
    await harness.sql(`update application set status = 'DISABLED' where id = $1`, [disabled.id])
    const events = [1, 2, 3].map(seq => event(home.organizationId, { seq, data: { a: seq, b: '' } }))
    expect(await spread(events)).toBe(true)
    for (const to of [a, b]) {
      const rows = await rowsOf(to)
      expect(rows.map(row => [Number(row.event_seq), row.status, row.fresh, row.shard])).toEqual(
        [1, 2, 3].map(seq => [seq, 'PENDING', true, to.shard]),
      )
      expect(JSON.parse(firstOf(rows).body)).toEqual({
        event: 'THING',
        timestamp: '2026-11-21T10:00:00.000Z',
        app: { id: to.id, slug: to.slug },
        data: { a: 1, b: '' },
        meta: { schemaVersion: '2026-07' },
      })
    }
    expect(await rowsOf(disabled)).toEqual([])
    expect(await rowsOf(elsewhere)).toEqual([])
    expect(
      lastOf(written)
        .map(({ applicationId }) => applicationId)
        .sort(),
    ).toEqual([a, a, a, b, b, b].map(({ id }) => id).sort())
  })

  it('are not written for events of people, without subscribers, or by an overtaken relay', async () => {
    const home = await insertHome(harness.sql)
    const to = await insertEndpoint(harness.sql, home, options)
    expect(await spread([event(home.organizationId, { name: 'ai-asset.created' })])).toBe(false)
    expect(await spread([event(newId())])).toBe(false)
    await spread([event(home.organizationId)], -1)
    expect(await rowsOf(to)).toEqual([])
  })

  it.each([
    [0, 'that is suspended', 'suspended_at = now()'],
    [0, 'from which the module was taken', `modules_removed = '{integrations}'`],
    [0, 'whose plan has no such module', `plan = 'FREE'`],
    [1, 'to which it was given beyond its plan', `plan = 'FREE', modules_added = '{integrations}'`],
  ])('%i written in an organization %s', async (count, _what, change) => {
    const home = await insertHome(harness.sql)
    const to = await insertEndpoint(harness.sql, home, options)
    await harness.sql(`update organization set ${change} where id = $1`, [home.organizationId])
    await spread([event(home.organizationId)])
    expect(await rowsOf(to)).toHaveLength(count)
  })

  it('many are written in chunks', async () => {
    const home = await insertHome(harness.sql)
    const to = await insertEndpoint(harness.sql, home, options)
    await spread(Array.from({ length: 2_500 }, (_, seq) => event(home.organizationId, { seq })))
    const rows = await rowsOf(to)
    expect(rows.map(row => Number(row.event_seq))).toEqual(Array.from({ length: 2_500 }, (_, seq) => seq))
    expect(rows.every(({ id, fresh }) => isId(id) && fresh)).toBe(true)
    const ranges = await harness.sql('select from webhook_new_range where application_id = $1', [to.id])
    expect(ranges).toHaveLength(1)
  })
})

describe('through the relay', () => {
  let signal: Signal
  let relay: Relay
  let engine: WebhookEngine
  const log = openLog('silent', 'test')
  beforeAll(async () => {
    await harness.sql('delete from webhook_new_range')
    signal = await openSignal({ url: harness.url, log })
    const settings = { databaseUrl: harness.url, signInSecret, webhookNetworks: ['127.0.0.0/8'] }
    engine = await openWebhookEngine(settings, database, signal, log)
    relay = openRelay({ database, signal, log, fanOut: engine.fanOut })
  })
  afterAll(async () => {
    await relay?.close()
    await engine?.close()
    await signal?.close()
  })

  it('an emitted event arrives soon, and only at its recipients', async () => {
    const to = await harness.endpoint('/mine')
    await harness.endpoint('/other')
    const say = (n: number) =>
      database
        .transact(
          to.organizationId,
          async tx =>
            emit(tx, { personId: '' }, 'WEBHOOK_TEST', { message: `n ${n}` }, { applicationId: to.id }),
          recordEvents,
        )
        .then(signal.changed)
    await say(0)
    await harness.receiver.waitFor(1, '/mine')
    const startedAt = performance.now()
    await say(1)
    const [, second] = atLeast(2, await harness.receiver.waitFor(2, '/mine'))
    expect(second.at - startedAt).toBeLessThan(500 * crowd())
    expect(JSON.parse(second.body)).toMatchObject({ event: 'WEBHOOK_TEST', data: { message: 'n 1' } })
    await Promise.all(Array.from({ length: 100 }, (_, n) => say(n + 2)))
    await harness.receiver.waitFor(102, '/mine')
    await harness.drained()
    expect(new Set(harness.receiver.received.map(({ deliveryId }) => deliveryId)).size).toBe(102)
    expect(harness.receiver.received.every(({ path }) => path === '/mine')).toBe(true)
  })
})
