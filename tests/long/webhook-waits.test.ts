import { expect, test } from 'vitest'
import { itemAt } from '#tests/support/elements.ts'
import { openWebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import { deliveriesOf } from '#tests/support/integrations/webhooks.ts'

test('attempts start 5, 10, 20 and 40 s after the end of the previous one, never early, and the fifth is the last', async () => {
  const harness = await openWebhookHarness()
  try {
    await harness.dispatcher()
    const to = await harness.endpoint('/fails')
    harness.receiver.replyWith(500, '/fails')
    const ids = await harness.due(to, 20)
    await harness.drained(110_000)
    for (const row of await deliveriesOf(harness.sql, to)) {
      expect(row).toMatchObject({ status: 'FAILED', attempts: 5, outcome: 'HTTP_STATUS', last_status: 500 })
    }
    const late: number[] = []
    for (const id of ids) {
      const times = harness.receiver.received
        .filter(({ deliveryId }) => deliveryId === id)
        .map(({ at }) => at)
      expect(times).toHaveLength(5)
      for (const [index, wait] of [5_000, 10_000, 20_000, 40_000].entries())
        late.push(itemAt(times, index + 1) - itemAt(times, index) - wait)
    }
    expect(Math.min(...late)).toBeGreaterThanOrEqual(-1)
    expect(late.sort((a, b) => a - b)[Math.floor(late.length * 0.99) - 1]).toBeLessThan(750)
  } finally {
    await harness.close()
  }
})
