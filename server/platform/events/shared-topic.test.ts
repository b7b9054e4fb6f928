import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { EventData, EventName } from '#contract/events.ts'
import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { emit, type Recipient } from '#platform/events/emit.ts'
import { defined } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
import { log, openTestDatabase } from '#tests/support/stream-app.ts'
import { deleteExpiredChunk } from './housekeeping.ts'
import { openRelay, type Relay } from './relay.ts'
import { openSignal, type Signal } from './signal.ts'

type Row = {
  org: string
  seq: number
  name: string
  actor: string | null
  recipients: string[] | null
  entryId: string
}
const everyEvent = crossTenantSql<Row>(
  'test',
  `select organization_id as org, seq, name, actor_id as actor, recipients, data->>'entryId' as "entryId"
   from event order by 1, 2`,
)
const heads = crossTenantSql<Record<string, unknown>>(
  'test',
  `select organization_id as org, event_seq as seq, event_oldest as oldest, audit_seq as audit, audit_hash = '' as "isBare"
   from relay_head order by 1`,
)
const waiting = crossTenantSql<{ n: number }>('test', 'select count(*)::int as n from outbox')

let fresh: FreshDatabase
let database: Database
let signal: Signal
let relays: Relay[] = []
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url)
  signal = await openSignal({ url: fresh.url, log })
})
beforeEach(async () => {
  for (const table of ['event', 'audit', 'relay_head'])
    await database.crossTenant.rows(crossTenantSql<never>('test', `delete from ${table}`))
})
afterEach(async () => {
  await Promise.all(relays.map(relay => relay.close()))
  relays = []
})
afterAll(async () => {
  await signal.close()
  await database.close()
  await fresh.drop()
})

function start(options: { batchSize?: number; pollMs?: number } = {}): void {
  relays.push(openRelay({ database, signal, log, ...options }))
}
async function drained(): Promise<void> {
  while ((await database.crossTenant.one(waiting)).n > 0) await new Promise(resolve => setTimeout(resolve, 2))
}
/** One change of an organization, as an operation makes it. */
async function change(organizationId: string, work: (tx: Tx) => void): Promise<void> {
  const caller = { auth: 'session', personId: 'p1', applicationId: null } as const
  await database.transact(
    organizationId,
    async tx => work(tx),
    tx => recordOutbox(tx, caller, { requestId: 'r', ip: '', client: '' }, 'POST /x', {}),
  )
}
const say =
  <Name extends EventName>(name: Name, data: EventData<Name>, to?: Recipient[]) =>
  (tx: Tx) =>
    emit(tx, { personId: 'p1' }, name, data, to)
const reviewed = (entryId: string) =>
  say('ai-marketplace.reviewed', { entryId, reviewId: 'r', ratingAverage: 1, ratingCount: 1 })
const created = say('ai-asset.created', { assetId: 'a', slug: 's' })
const range = (to: number) => Array.from({ length: to }, (_, index) => index + 1)

it('numbers the events of all organizations in one topic without gaps, separately from their own', async () => {
  for (let n = 1; n <= 30; n++) {
    await change(`o${n % 3}`, tx => {
      created(tx)
      reviewed(`e${n}`)(tx)
    })
  }
  start({ batchSize: 7 })
  await drained()
  const events = await database.crossTenant.rows(everyEvent)
  const room = events.filter(({ org }) => org === 'marketplace')
  expect(room.map(({ seq }) => seq)).toEqual(range(30))
  expect(room.map(({ entryId }) => entryId)).toEqual(range(30).map(n => `e${n}`))
  for (const org of ['o0', 'o1', 'o2']) {
    const own = events.filter(event => event.org === org)
    expect(own.map(({ seq }) => seq)).toEqual(range(10))
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(['ai-asset.created']))
  }
  const at = { oldest: 1, seq: 10, audit: 10, isBare: false }
  expect(await database.crossTenant.rows(heads)).toEqual([
    { org: 'marketplace', seq: 30, oldest: 1, audit: 0, isBare: true },
    { org: 'o0', ...at },
    { org: 'o1', ...at },
    { org: 'o2', ...at },
  ])
})

it('stores the recipients of an event, and not the actor', async () => {
  const to = [
    { organizationId: 'o1', personId: 'p1' },
    { organizationId: 'o2', personId: 'p2' },
  ]
  await change(
    'o1',
    say('ai-marketplace.installed', { entryId: 'e1', version: '1.0.0', installCount: 1 }, to),
  )
  await change('o1', say('ai-marketplace.unfeatured', { entryId: 'e2' }))
  await change('o1', say('ai-marketplace.approved', { entryId: 'e3', version: '1.0.0' }, []))
  start()
  await drained()
  expect(
    (await database.crossTenant.rows(everyEvent)).map(({ actor, recipients }) => [actor, recipients]),
  ).toEqual([
    [null, ['o1/p1', 'o2/p2']],
    [null, null],
    [null, []],
  ])
})

it('writes a row of the topic beside the row of the organization, and neither names the other', async () => {
  await change('o1', tx => {
    created(tx)
    reviewed('e1')(tx)
  })
  await change('o1', reviewed('e2'))
  const { rows } = await database.pool.query(
    `select organization_id as org, jsonb_path_query_array(events, '$[*].name') as names,
       jsonb_path_query_array(events, '$[*].actorId') as actors, audit is not null as "isAudited"
     from outbox order by created_at`,
  )
  const topic = { org: 'marketplace', names: ['ai-marketplace.reviewed'], actors: [null], isAudited: false }
  expect(rows).toEqual([
    { org: 'o1', names: ['ai-asset.created'], actors: ['p1'], isAudited: true },
    topic,
    { org: 'o1', names: null, actors: null, isAudited: true },
    topic,
  ])
  start()
  await drained()
})

it('numbers rows of version 0.1.0, which have the events of the topic in the row of the organization', async () => {
  await change('o1', reviewed('e1'))
  const oldRow = (id: string, entryIds: string[], audit: object | null) => {
    const event = (name: string, entryId: string) => ({
      id: `${id}${name}${entryId}`,
      name,
      actorId: 'p1',
      data: { entryId },
    })
    const shared = entryIds.map(entryId => ({ ...event('ai-marketplace.reviewed', entryId), to: [] }))
    const own = audit === null ? [] : [event('ai-asset.created', '')]
    return insertRows(onPool(database.pool), 'outbox', [
      { organization_id: 'o1', id, events: [...own, ...shared], audit },
    ])
  }
  const entry = {
    actorId: 'p1',
    auth: 'session',
    ip: '',
    client: '',
    requestId: 'r',
    operation: 'o',
    subject: null,
    changed: [],
  }
  await oldRow('n1', ['e2', 'e3'], entry)
  await change('o2', reviewed('e4'))
  await oldRow('n2', ['e5'], null)
  await change('o1', created)
  start({ batchSize: 2 })
  await drained()
  const events = await database.crossTenant.rows(everyEvent)
  expect(events.map(({ org, seq, actor, entryId }) => [org, seq, actor, entryId])).toEqual([
    ...range(5).map(n => ['marketplace', n, null, `e${n}`]),
    ['o1', 1, 'p1', ''],
    ['o1', 2, 'p1', null],
  ])
  expect(events.map(({ recipients }) => recipients)).toEqual([null, [], [], null, [], null, null])
  const positions = await database.crossTenant.rows(heads)
  expect(positions.map(({ org, audit }) => [org, audit])).toEqual([
    ['marketplace', 0],
    ['o1', 3],
    ['o2', 1],
  ])
})

it('continues from its position when another process takes over', async () => {
  start()
  await change('o1', reviewed('e1'))
  signal.changed()
  await drained()
  await defined(relays.pop()).close()
  await change('o2', reviewed('e2'))
  start()
  await drained()
  const events = await database.crossTenant.rows(everyEvent)
  expect(events.map(({ org, seq, entryId }) => [org, seq, entryId])).toEqual([
    ['marketplace', 1, 'e1'],
    ['marketplace', 2, 'e2'],
  ])
})

it('deletes old events of the topic, and raises the oldest number first', async () => {
  for (const id of ['e1', 'e2', 'e3']) await change('o1', reviewed(id))
  start()
  await drained()
  const age = `update event set at = now() - interval '25 hours' where seq <= 2`
  await database.crossTenant.rows(crossTenantSql<never>('test', age))
  await deleteExpiredChunk(database)
  expect((await database.crossTenant.rows(everyEvent)).map(({ seq }) => seq)).toEqual([3])
  expect((await database.crossTenant.rows(heads))[0]).toMatchObject({ org: 'marketplace', seq: 3, oldest: 3 })
})

it('refuses a named event without recipients, and recipients for other events', async () => {
  const data = { entryId: 'e', version: '1.0.0' }
  await expect(change('o1', say('ai-marketplace.approved', data))).rejects.toThrow('has a list of recipients')
  await expect(change('o1', say('ai-marketplace.unfeatured', data, []))).rejects.toThrow(
    'has a list of recipients',
  )
  expect((await database.crossTenant.one(waiting)).n).toBe(0)
})
