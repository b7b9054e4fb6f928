import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { openWebhookStage, type WebhookStage } from '#tests/support/integrations/webhook-harness.ts'
import type { MadeEndpoint } from '#tests/support/integrations/webhooks.ts'
import { log } from '#tests/support/stream-app.ts'
import { openDispatchDatabase } from '../engine.ts'
import { noteAttempt, noteHealths } from './health.ts'
import { type Lane, openLane } from './lane.ts'

let stage: WebhookStage
let database: Database
beforeAll(async () => {
  stage = await openWebhookStage()
  database = await openDispatchDatabase(stage.url, log)
})
afterAll(async () => {
  await database?.close()
  await stage?.close()
})

const laneTo = ({ id, organizationId, shard }: MadeEndpoint): Lane =>
  openLane({ organizationId, applicationId: id, shard }, 0)
const fail = (lane: Lane, times: number) => {
  for (let n = 0; n < times; n++) noteAttempt(lane, 'HTTP_STATUS', 410, true)
}
/** Writes while the table cannot be written. */
async function failToNote(lane: Lane, meanwhile: () => void): Promise<void> {
  await stage.sql('alter table webhook_endpoint rename to away')
  const noting = noteHealths(database, [lane], log)
  meanwhile()
  await expect(noting).rejects.toThrow('webhook_endpoint')
  await stage.sql('alter table away rename to webhook_endpoint')
  await noteHealths(database, [lane], log)
}
const healthOf = async ({ id }: MadeEndpoint) =>
  (
    await stage.sql<{ failed_in_row: number; gone: boolean; delivered: boolean }>(
      `select failed_in_row, gone_at is not null as gone, last_delivered_at is not null as delivered
       from webhook_endpoint where application_id = $1`,
      [id],
    )
  )[0]

it('what could not be written is written the next time, with what came meanwhile', async () => {
  const to = await stage.endpoint('/')
  const lane = laneTo(to)
  fail(lane, 3)
  await failToNote(lane, () => noteAttempt(lane, 'HTTP_STATUS', 500, true))
  expect(await healthOf(to)).toEqual({ failed_in_row: 4, gone: true, delivered: false })
  await noteHealths(database, [lane], log)
  expect(await healthOf(to), 'and only once').toMatchObject({ failed_in_row: 4 })
})

it('a success that came meanwhile ends the count', async () => {
  const to = await stage.endpoint('/')
  const lane = laneTo(to)
  fail(lane, 3)
  await failToNote(lane, () => {
    noteAttempt(lane, 'DELIVERED', 204, true)
    noteAttempt(lane, 'HTTP_STATUS', 500, true)
  })
  expect(await healthOf(to)).toEqual({ failed_in_row: 1, gone: false, delivered: true })
})
