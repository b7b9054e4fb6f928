import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import type { Statement } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { log } from '#tests/support/stream-app.ts'
import { updateHealth } from '../endpoint/endpoint.sql.ts'
import { openDispatchDatabase } from '../engine.ts'
import { maintainDeliveryPartitions } from '../retention/retention.sql.ts'
import * as store from './loading/due-delivery.sql.ts'
import { recordFirstAttempts, recordRetries } from './results/attempt-result.sql.ts'

// planned with empty tables, as on the first day, and executed with a backlog

let harness: WebhookHarness
let database: Database
beforeAll(async () => {
  harness = await openWebhookHarness()
  database = await openDispatchDatabase(harness.url, log)
  await maintainDeliveryPartitions(database, log)
})
afterAll(async () => {
  await database?.close()
  await harness?.close()
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Alias?: string
  Plans?: Plan[]
}
type AnyStatement = Statement<never, never>

async function planOf({ name, text }: AnyStatement, values: string[]): Promise<Plan[]> {
  const client = await database.pool.connect()
  try {
    await client.query(`prepare ${name}_look as ${text}`)
    const { rows } = await client.query(`explain (format json) execute ${name}_look(${values.join(', ')})`)
    return flat((rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan)
  } finally {
    await client.query(`deallocate ${name}_look`)
    client.release()
  }
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

const some = `'{a}'::text[]`
const again = [`'o'`, `'c'`, `'d'`, '1', ...Array(13).fill(`'{}'`)]
const firsts = [...again, ...Array(3).fill(`'{}'`)]
it.each<[string, AnyStatement, string[], sorts: number]>([
  ['what has work', store.selectWithWork as never, [`'{1}'`], 0],
  ['what is due', store.nextDue as never, [`'{1}'`, some, `'{-infinity}'`, some, `'{5}'`, some], 0],
  // of one range at a time
  ['what is fresh', store.nextUnattempted as never, [`'{1}'`, some, some, some, `'{5}'`, some], 1],
  ['endpoints', store.selectEndpoints as never, [some, some], 0],
  ['first results', recordFirstAttempts as never, firsts, 0],
  ['other results', recordRetries as never, again, 0],
  ['health', updateHealth as never, [`'[]'`, '20', '60', `'o'`], 0],
  ['what is gone', store.deleteDue as never, [some, some], 0],
  ['a range without anything', store.deleteEmptyRanges as never, [some, `'{1}'`, some], 0],
])('%s is found by its index, whatever is there, and in order', async (_name, statement, values, sorts) => {
  const plan = await planOf(statement, values)
  const scans = plan.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
  // the 64 shard rows are read once for all results
  expect(scans.filter(name => name !== 'dispatch_shard')).toEqual([])
  expect(plan.filter(node => /Sort/.test(node['Node Type']))).toHaveLength(sorts)
  expect(plan.filter(node => /Hash Join|Merge Join/.test(node['Node Type']))).toEqual([])
})

it.each<[string, AnyStatement, string[], table: string, key: string]>([
  ['of a first attempt', recordFirstAttempts as never, firsts, 'w', 'id'],
  ['of another one', recordRetries as never, again, 'w', 'id'],
  ['what is due of it', recordRetries as never, again, 'd', 'delivery_id'],
])(
  'what is recorded %s is found by its key, and not among all between the first and the last id',
  async (_name, statement, values, table, key) => {
    const plan = await planOf(statement, values)
    const scans = plan.filter(
      node => new RegExp(`^${table}(_\\d+)?$`).test(node.Alias ?? '') && node['Index Cond'],
    )
    const byKey = scans.filter(node => new RegExp(`\\(${key} = \\(?[ro]\\w*\\.`).test(node['Index Cond']!))
    expect(byKey.length).toBeGreaterThan(0)
    const others = scans.filter(node => !byKey.includes(node))
    expect(others.every(node => /id >= f\.first_id/.test(node['Index Cond']!))).toBe(true)
  },
)

it('with 20,000 ranges, one of 20,000 deliveries, a load reads only what it returns from any cursor', async () => {
  const to = await harness.endpoint('/fresh')
  const ids = Array.from({ length: 40_000 }, (_, n) => `c${String(n).padStart(24, '0')}`)
  await harness.sql(
    `with g as (select id, n from unnest($3::text[]) with ordinality g (id, n)),
     w as (insert into webhook_delivery (organization_id, id, application_id, event_id, event, subject, body, emitted_at, status)
       select $1, id, $2, id, 'E', '{}', '{}', now(), 'PENDING' from g)
     insert into webhook_new_range (shard, application_id, first_id, last_id, organization_key, written_at)
     select $4, $2, id, case when n = 1 then $5 else id end, $1, now() from g where n = 1 or n > 20000`,
    [to.organizationId, to.id, ids, to.shard, ids[19_999]],
  )
  await harness.sql('analyze webhook_delivery')
  const client = await database.pool.connect()
  try {
    await client.query(`prepare fresh_look as ${store.nextUnattempted.text}`)
    for (const [range, after] of [
      ['', ''],
      [ids[0], ids[10_000]],
      [ids[30_000], ids[30_000]],
    ]) {
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute fresh_look('{${to.shard}}', '{${to.id}}', '{"${range}"}', '{"${after}"}', '{64}', '{${newId()}}')`,
      )
      const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Plan & Record<string, number> }[])[0]!
      expect(plan['Actual Rows']).toBe(64)
      expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(1_500)
    }
  } finally {
    client.release()
  }
})

it('with 100,000 waiting deliveries a load reads only what it returns', async () => {
  const to = await harness.endpoint('/backlog')
  await harness.sql(
    `insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, trigger)
     select $1, $2, now() - n * interval '1 ms', 'd' || n, $3, 'AUTOMATIC' from generate_series(1, 100000) n`,
    [to.shard, to.id, to.organizationId],
  )
  const client = await database.pool.connect()
  try {
    await client.query(`prepare load_look as ${store.nextDue.text}`)
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute load_look('{${to.shard}}', '{${to.id}}', '{-infinity}', '{""}', '{64}', '{${newId()}}')`,
    )
    const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Plan & Record<string, number> }[])[0]!
    expect(plan['Actual Rows']).toBe(64)
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(1_000)
  } finally {
    client.release()
  }
})
