import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { defined, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { type Explained, type Plans, plansOf } from '#tests/support/plans.ts'
import { insertMany, insertRows, secondsAgo } from '#tests/support/rows.ts'
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
  await insertDeliveries(harness, to, ids, () => ({ status: 'PENDING' }))
  const last = itemAt(ids, 19_999)
  // the older half in one range, each of the newer ones in its own
  const ranges = [[firstOf(ids), last] as const, ...ids.slice(20_000).map(id => [id, id] as const)]
  await insertRows(
    harness,
    'webhook_new_range',
    ranges.map(([first, last]) => ({
      shard: to.shard,
      application_id: to.id,
      first_id: first,
      last_id: last,
      organization_key: to.organizationId,
    })),
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
  await insertMany(harness, 'webhook_due', 100_000, n => ({
    shard: to.shard,
    application_id: to.id,
    due_at: secondsAgo(n / 1_000),
    delivery_id: `d${n}`,
    organization_key: to.organizationId,
  }))
  const { rows, blocks } = await explain(loadDue(to.shard, to.id))
  expect(rows).toBe(64)
  expect(blocks).toBeLessThan(1_000)
})
