import { afterAll, beforeAll, expect, test } from 'vitest'
import { exactly } from '#tests/support/elements.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { until } from '#tests/support/processes.ts'
import { openTestDatabase } from '#tests/support/stream-app.ts'
import { readWebhookBacklog } from './backlog.sql.ts'

let harness: WebhookHarness
beforeAll(async () => {
  harness = await openWebhookHarness()
})
afterAll(() => harness?.close())

async function backlog() {
  const database = await openTestDatabase(harness.url)
  try {
    return await readWebhookBacklog(database)
  } finally {
    await database.close()
  }
}

const none = {
  endpointsBehind: 0,
  oldestDueSeconds: 0,
  shardsWithoutOwner: 0,
  pausedEndpoints: 0,
  scheduledDeliveries: 0,
}

test('shows how far the dispatchers are behind, without naming anyone', async () => {
  expect(await backlog()).toEqual({ ...none, shardsWithoutOwner: 64 })
  const [late, later, held, disabled] = exactly(
    4,
    await Promise.all(Array.from({ length: 4 }, (_, n) => harness.endpoint(`/${n}`))),
  )
  for (const to of [late, later, held, disabled]) await harness.due(to, 5)
  const due = (application: string, ago: string) =>
    harness.sql('update webhook_new_range set written_at = now() - $2::interval where application_id = $1', [
      application,
      ago,
    ])
  await due(late.id, '90 seconds')
  await due(later.id, '30 seconds')
  await due(held.id, '1 hour')
  await due(disabled.id, '1 hour')
  await harness.sql(`update webhook_endpoint set status = 'HELD' where application_id = $1`, [held.id])
  await harness.sql(`update application set status = 'DISABLED' where id = $1`, [disabled.id])
  const { oldestDueSeconds: oldest, ...rest } = await backlog()
  expect(rest).toEqual({
    endpointsBehind: 2,
    shardsWithoutOwner: 64,
    pausedEndpoints: 1,
    scheduledDeliveries: 0,
  })
  expect(oldest).toBeGreaterThanOrEqual(90)
  expect(oldest).toBeLessThan(120)

  await harness.dispatcher()
  await until('all is sent', async () => (await backlog()).endpointsBehind === 0)
  expect(await backlog()).toEqual({ ...none, pausedEndpoints: 1 })
})
