import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import type { TestEndpoint } from '#tests/support/integrations/webhooks.ts'
import { log } from '#tests/support/stream-app.ts'
import { openDispatchDatabase } from '../../engine.ts'
import { EndpointQueue } from '../queues/endpoint-queue.ts'
import { countAttempt } from './attempt-counts.ts'
import { writeHealth } from './endpoint-health.ts'

let harness: WebhookHarness
let database: Database
beforeAll(async () => {
  harness = await openWebhookHarness()
  database = await openDispatchDatabase(harness.url, log)
})
afterAll(async () => {
  await database?.close()
  await harness?.close()
})

const queueOf = ({ id, organizationId, shard }: TestEndpoint): EndpointQueue =>
  new EndpointQueue({ organizationId, applicationId: id, shard }, 0)
const fail = (queue: EndpointQueue, times: number) => {
  for (let n = 0; n < times; n++) countAttempt(queue.counts, 'HTTP_STATUS', 410, true)
}
/** Writes while the table is not writable. */
async function failToNote(queue: EndpointQueue, meanwhile: () => void): Promise<void> {
  await harness.sql('alter table webhook_endpoint rename to away')
  const noting = writeHealth(database, [queue], log)
  meanwhile()
  await expect(noting).rejects.toThrow('webhook_endpoint')
  await harness.sql('alter table away rename to webhook_endpoint')
  await writeHealth(database, [queue], log)
}
const healthOf = async ({ id }: TestEndpoint) =>
  (
    await harness.sql<{ failed_in_row: number; gone: boolean; delivered: boolean }>(
      `select failed_in_row, gone_at is not null as gone, last_delivered_at is not null as delivered
       from webhook_endpoint where application_id = $1`,
      [id],
    )
  )[0]

it('counts that could not be written are written next time, with newer ones', async () => {
  const to = await harness.endpoint('/')
  const queue = queueOf(to)
  fail(queue, 3)
  await failToNote(queue, () => countAttempt(queue.counts, 'HTTP_STATUS', 500, true))
  expect(await healthOf(to)).toEqual({ failed_in_row: 4, gone: true, delivered: false })
  await writeHealth(database, [queue], log)
  expect(await healthOf(to), 'and only once').toMatchObject({ failed_in_row: 4 })
})

it('a success in the meantime resets the count', async () => {
  const to = await harness.endpoint('/')
  const queue = queueOf(to)
  fail(queue, 3)
  await failToNote(queue, () => {
    countAttempt(queue.counts, 'DELIVERED', 204, true)
    countAttempt(queue.counts, 'HTTP_STATUS', 500, true)
  })
  expect(await healthOf(to)).toEqual({ failed_in_row: 1, gone: false, delivered: true })
})
