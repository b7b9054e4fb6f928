import { expect, test } from 'vitest'
import { openWebhookStage } from '#tests/support/integrations/webhook-harness.ts'
import { deliveriesOf } from '#tests/support/integrations/webhooks.ts'

test('attempts come 5, 10, 20 and 40 s after the end of the one before, never early, and the fifth is the last', async () => {
  const stage = await openWebhookStage()
  try {
    await stage.dispatcher()
    const to = await stage.endpoint('/fails')
    stage.receiver.reacts(500, '/fails')
    const ids = await stage.due(to, 20)
    await stage.drained(110_000)
    for (const row of await deliveriesOf(stage.sql, to)) {
      expect(row).toMatchObject({ status: 'FAILED', attempts: 5, outcome: 'HTTP_STATUS', last_status: 500 })
    }
    const late: number[] = []
    for (const id of ids) {
      const times = stage.receiver.notices.filter(({ deliveryId }) => deliveryId === id).map(({ at }) => at)
      expect(times).toHaveLength(5)
      for (const [index, wait] of [5_000, 10_000, 20_000, 40_000].entries())
        late.push(times[index + 1]! - times[index]! - wait)
    }
    expect(Math.min(...late)).toBeGreaterThanOrEqual(-1)
    expect(late.sort((a, b) => a - b)[Math.floor(late.length * 0.99) - 1]).toBeLessThan(750)
  } finally {
    await stage.close()
  }
})
