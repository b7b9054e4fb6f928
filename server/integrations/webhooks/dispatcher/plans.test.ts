import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/db/database.ts'
import type { Statement } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import { log } from '#tests/stream-app.ts'
import { openWebhookStage, type WebhookStage } from '#tests/webhook-stage.ts'
import { noteHealth } from '../endpoint/store.ts'
import { openDispatchDatabase } from '../engine.ts'
import { keepDeliveries } from '../retention/store.ts'
import * as store from './store.ts'

// planned while the tables are empty, as on the first day, and used with a backlog

let stage: WebhookStage
let database: Database
beforeAll(async () => {
  stage = await openWebhookStage()
  database = await openDispatchDatabase(stage.url, log)
  await keepDeliveries(database, log)
})
afterAll(async () => {
  await database?.close()
  await stage?.close()
})

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
type AnyStatement = Statement<never, never>

async function planOf({ name, text }: AnyStatement, values: string[]): Promise<Plan[]> {
  const client = await database.pool.connect()
  try {
    await client.query(`prepare ${name}_look as ${text}`)
    const { rows } = await client.query(`explain (format json) execute ${name}_look(${values.join(', ')})`)
    return flat((rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan)
  } finally {
    client.release()
  }
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

const some = `'{a}'::text[]`
it.each<[string, AnyStatement, string[], sorts: number]>([
  ['what has work', store.withWork as never, [`'{1}'`], 0],
  ['what is due', store.nextDue as never, [`'{1}'`, some, `'{-infinity}'`, some, `'{5}'`, some], 0],
  ['endpoints', store.endpointsOf as never, [some, some], 0],
  ['results', store.settle as never, [`'o'`, `'c'`, `'d'`, '0', ...Array(13).fill(`'{}'`), `'[]'`], 0],
  ['health', noteHealth as never, [`'[]'`, '20', '60', `'o'`], 0],
  ['what is gone', store.forgetDue as never, [some, some], 0],
])('%s is found by its index, whatever is there, and in order', async (_name, statement, values, sorts) => {
  const plan = await planOf(statement, values)
  const scans = plan.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
  // its 64 rows are read once for all results
  expect(scans.filter(name => name !== 'dispatch_shard')).toEqual([])
  expect(plan.filter(node => /Sort/.test(node['Node Type']))).toHaveLength(sorts)
  expect(plan.filter(node => /Hash Join|Merge Join/.test(node['Node Type']))).toEqual([])
})

it('with 100,000 notices waiting a load reads what it takes, not what waits', async () => {
  const to = await stage.endpoint('/backlog')
  await stage.sql(
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
