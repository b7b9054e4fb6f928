import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { firstId, newId } from '#platform/ids.ts'
import { exactly } from '#tests/support/elements.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
import { openTestDatabase } from '#tests/support/stream-app.ts'
import { dayOf, daysAround, isExpired } from './days.ts'
import { maintainDeliveryPartitions } from './retention.sql.ts'

const dayMs = 86_400_000
const noon = Date.UTC(2026, 6, 15, 12)
const warnings: unknown[] = []
const log = { warn: (events: unknown) => void warnings.push(events) }

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const partsOf = async (table: string) =>
  (
    await database.pool.query(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::text::regclass order by 1`,
      [table],
    )
  ).rows.map(row => row.name as string)
const write = async (id: string) => {
  const rows = onPool(database.pool)
  const of = { application_id: 'a', organization_key: 'o', shard: 1 }
  await insertDeliveries(rows, { id: 'a', organizationId: 'o' }, [id], () => ({ status: 'PENDING' }))
  await insertRows(rows, 'webhook_attempt', [
    { organization_id: 'o', delivery_id: id, n: 2, started_at: new Date(), record: {} },
  ])
  await insertRows(rows, 'webhook_new_range', [{ ...of, first_id: id, last_id: id }])
  await insertRows(rows, 'webhook_due', [{ ...of, delivery_id: id }])
}
const idAt = (ms: number) => firstId(ms) + newId().slice(9)
const whereIs = async (id: string) =>
  (
    await database.pool.query('select tableoid::regclass::text as part from webhook_delivery where id = $1', [
      id,
    ])
  ).rows[0]?.part as string | undefined

test('a day is a range of ids, next to the following one', () => {
  const [first, second] = exactly(2, daysAround(noon, 0, 1))
  expect(first).toMatchObject({ name: '20260715', from: firstId(Date.UTC(2026, 6, 15)) })
  expect(second.from).toBe(first.to)
  expect(firstId(noon) > first.from && `${firstId(noon)}zzz` < first.to).toBe(true)
  expect(newId().slice(0, 9) >= dayOf(Date.now()).from).toBe(true)
  expect(isExpired('20260614', noon, 30)).toBe(true)
  expect(isExpired('20260615', noon, 30)).toBe(false)
})

test('partitions are created ahead, take the rows of their day, and are dropped after 30 days', async () => {
  const early = idAt(noon + 9 * dayMs)
  await write(early)
  await Promise.all([
    maintainDeliveryPartitions(database, log, noon),
    maintainDeliveryPartitions(database, log, noon),
  ])
  expect(await partsOf('webhook_delivery')).toEqual([
    ...['14', '15', '16', '17', '18'].map(day => `webhook_delivery_202607${day}`),
    'webhook_delivery_default',
  ])
  expect(await partsOf('webhook_attempt')).toHaveLength(6)
  const [old, late] = [idAt(noon), idAt(noon + 2 * dayMs)]
  for (const id of [old, late]) await write(id)
  expect(await whereIs(old)).toBe('webhook_delivery_20260715')
  expect(await whereIs(late)).toBe('webhook_delivery_20260717')
  expect(await whereIs(early)).toBe('webhook_delivery_default')

  await maintainDeliveryPartitions(database, log, noon + 31 * dayMs)
  expect(await whereIs(old)).toBeUndefined()
  expect(await whereIs(late)).toBe('webhook_delivery_20260717')
  expect(await partsOf('webhook_attempt')).not.toContain('webhook_attempt_20260715')
  for (const ids of ['delivery_id as id from webhook_due', 'last_id as id from webhook_new_range']) {
    const { rows } = await database.pool.query(`select ${ids} order by 1`)
    expect(rows.map(({ id }) => id)).toEqual([late, early].sort())
  }

  await maintainDeliveryPartitions(database, log, noon + 40 * dayMs)
  expect(await whereIs(early)).toBeUndefined()
  expect((await database.pool.query('select 1 from webhook_attempt')).rows).toEqual([])
  for (const table of ['webhook_due', 'webhook_new_range'])
    expect((await database.pool.query(`select 1 from ${table}`)).rows).toEqual([])
  expect(warnings).toEqual([])
})

test('a day that is already in the default partition stays there, and nothing is lost', async () => {
  const there = idAt(noon + 60 * dayMs)
  await write(there)
  await maintainDeliveryPartitions(database, log, noon + 60 * dayMs)
  expect(await whereIs(there)).toBe('webhook_delivery_default')
  expect(warnings.length).toBeGreaterThan(0)
})
