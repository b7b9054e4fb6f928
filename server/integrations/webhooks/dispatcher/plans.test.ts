import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { defined, only } from '#tests/support/elements.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { type Explained, type Plans, plansOf } from '#tests/support/plans.ts'
import { log } from '#tests/support/stream-app.ts'
import { updateHealth } from '../endpoint/endpoint.sql.ts'
import { openDispatchDatabase } from '../engine.ts'
import { maintainDeliveryPartitions } from '../retention/retention.sql.ts'
import {
  deleteDue,
  deleteEmptyRanges,
  nextScheduled,
  nextUnattempted,
  selectWithWork,
} from './loading/due-row.sql.ts'
import { selectEndpoints } from './loading/endpoint-settings.sql.ts'
import {
  type AttemptResultRow,
  firstAttemptArgs,
  recordFirstAttempts,
  recordRetries,
  retryArgs,
} from './results/attempt-result.sql.ts'

// planned with empty tables, as on the first day, and executed with a backlog

let harness: WebhookHarness
let plans: Plans
beforeAll(async () => {
  harness = await openWebhookHarness()
  const database = await openDispatchDatabase(harness.url, log)
  await maintainDeliveryPartitions(database, log)
  plans = plansOf(database)
})
afterAll(async () => {
  await plans?.close()
  await harness?.close()
})

type Work = (tx: CrossTenantTx) => Promise<unknown>

async function explain(work: Work): Promise<Explained> {
  return only(await plans.explainCrossTenant(work))
}

const result: AttemptResultRow = {
  shard: 1,
  epoch: 1,
  organizationId: 'o',
  applicationId: 'a',
  deliveryId: 'd',
  attempt: 1,
  agoMs: 1,
  durationMs: 1,
  waitMs: null,
  final: 'DELIVERED',
  outcome: 'DELIVERED',
  status: 200,
  record: null,
}
// EXPLAIN takes no binary array
const records = ['null'] as never
const recordFirst: Work = tx =>
  tx.rows(recordFirstAttempts, { ...firstAttemptArgs('o', [result], []), records })
const recordAgain: Work = tx => tx.rows(recordRetries, { ...retryArgs('o', [result]), records })
const load = (shard: number, applicationId: string) => ({
  shards: [shard],
  applicationIds: [applicationId],
  most: [64],
  loadedIds: [newId()],
})
const loadDue =
  (shard: number, applicationId: string): Work =>
  tx =>
    tx.rows(nextScheduled, { ...load(shard, applicationId), dueAfter: ['-infinity'], idsAfter: [''] })
const loadUnattempted =
  (shard: number, applicationId: string, range = '', after = ''): Work =>
  tx =>
    tx.rows(nextUnattempted, {
      ...load(shard, applicationId),
      rangesFrom: [range],
      idsAfter: [after],
    })

it.each<[string, Work, sorts: number]>([
  ['what has work', tx => tx.rows(selectWithWork, { shards: [1] }), 0],
  ['what is due', loadDue(1, 'a'), 0],
  // of one range at a time
  ['what has no attempt', loadUnattempted(1, 'a'), 1],
  ['endpoints', tx => tx.rows(selectEndpoints, { organizationIds: ['o'], applicationIds: ['a'] }), 0],
  ['first results', recordFirst, 0],
  ['other results', recordAgain, 0],
  [
    'health',
    tx => tx.rows(updateHealth, { rows: '[]', holdDeliveries: 20, holdMinutes: 60, operation: 'o' }),
    0,
  ],
  ['what is gone', tx => tx.rows(deleteDue, { applicationIds: ['a'], deliveryIds: ['d'] }), 0],
  [
    'a range without anything',
    tx => tx.rows(deleteEmptyRanges, { applicationIds: ['a'], shards: [1], firstIds: ['d'] }),
    0,
  ],
])('%s is found by its index, whatever is there, and in order', async (_name, work, sorts) => {
  const { nodes, scanned } = await explain(work)
  // the 64 shard rows are read once for all results
  expect([...scanned].filter(name => name !== 'dispatch_shard')).toEqual([])
  expect(nodes.filter(node => /Sort/.test(node['Node Type']))).toHaveLength(sorts)
  expect(nodes.filter(node => /Hash Join|Merge Join/.test(node['Node Type']))).toEqual([])
})

it.each<[string, Work, table: string, key: string]>([
  ['of a first attempt', recordFirst, 'w', 'id'],
  ['of another one', recordAgain, 'w', 'id'],
  ['what is due of it', recordAgain, 'd', 'delivery_id'],
])(
  'what is recorded %s is found by its key, and not among all between the first and the last id',
  async (_name, work, table, key) => {
    const { nodes } = await explain(work)
    const scans = nodes.filter(
      node => new RegExp(`^${table}(_\\d+)?$`).test(node.Alias ?? '') && node['Index Cond'],
    )
    const byKey = scans.filter(node =>
      new RegExp(`\\(${key} = \\(?[ro]\\w*\\.`).test(defined(node['Index Cond'])),
    )
    expect(byKey.length).toBeGreaterThan(0)
    const others = scans.filter(node => !byKey.includes(node))
    expect(others.every(node => /id >= f\.first_id/.test(defined(node['Index Cond'])))).toBe(true)
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
  for (const [range, after] of [
    ['', ''],
    [ids[0], ids[10_000]],
    [ids[30_000], ids[30_000]],
  ]) {
    const { rows, blocks } = await explain(loadUnattempted(to.shard, to.id, range, after))
    expect(rows).toBe(64)
    expect(blocks).toBeLessThan(1_500)
  }
})

it('with 100,000 waiting deliveries a load reads only what it returns', async () => {
  const to = await harness.endpoint('/backlog')
  await harness.sql(
    `insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, trigger)
     select $1, $2, now() - n * interval '1 ms', 'd' || n, $3, 'AUTOMATIC' from generate_series(1, 100000) n`,
    [to.shard, to.id, to.organizationId],
  )
  const { rows, blocks } = await explain(loadDue(to.shard, to.id))
  expect(rows).toBe(64)
  expect(blocks).toBeLessThan(1_000)
})
