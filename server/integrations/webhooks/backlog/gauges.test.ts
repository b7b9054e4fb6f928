import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMetrics } from '#platform/metrics.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { until } from '#tests/support/processes.ts'
import { openTestDatabase } from '#tests/support/stream-app.ts'
import { gaugeBacklog } from './gauges.ts'

let harness: WebhookHarness
beforeAll(async () => {
  harness = await openWebhookHarness()
})
afterAll(() => harness?.close())

/** The backlog in newly opened metrics. */
async function figures(url = harness.url): Promise<Record<string, number>> {
  const database = await openTestDatabase(url)
  try {
    const metrics = openMetrics()
    gaugeBacklog(metrics, database)
    const lines = (await metrics.text()).matchAll(/^patio_webhook_(\S+) (\S+)$/gm)
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
  } finally {
    await database.close()
  }
}

test('show how far the dispatchers are behind, without naming anyone', async () => {
  expect(await figures()).toEqual({ endpoints_behind: 0, oldest_due_seconds: 0, shards_without_owner: 64 })
  const [late, later, held, disabled] = await Promise.all(
    Array.from({ length: 4 }, (_, n) => harness.endpoint(`/${n}`)),
  )
  for (const to of [late, later, held, disabled]) await harness.due(to!, 5)
  const due = (application: string, ago: string) =>
    harness.sql('update webhook_new_range set written_at = now() - $2::interval where application_id = $1', [
      application,
      ago,
    ])
  await due(late!.id, '90 seconds')
  await due(later!.id, '30 seconds')
  await due(held!.id, '1 hour')
  await due(disabled!.id, '1 hour')
  await harness.sql(`update webhook_endpoint set status = 'HELD' where application_id = $1`, [held!.id])
  await harness.sql(`update application set status = 'DISABLED' where id = $1`, [disabled!.id])
  const { oldest_due_seconds: oldest, ...rest } = await figures()
  expect(rest).toEqual({ endpoints_behind: 2, shards_without_owner: 64 })
  expect(oldest).toBeGreaterThanOrEqual(90)
  expect(oldest).toBeLessThan(120)

  await harness.dispatcher()
  await until('all is sent', async () => (await figures()).endpoints_behind === 0)
  expect(await figures()).toEqual({ endpoints_behind: 0, oldest_due_seconds: 0, shards_without_owner: 0 })
})

test('are NaN while the database does not answer', async () => {
  const database = await openTestDatabase(harness.url)
  await database.close()
  const metrics = openMetrics()
  gaugeBacklog(metrics, database)
  expect(await metrics.text()).toContain('patio_webhook_endpoints_behind Nan')
})
