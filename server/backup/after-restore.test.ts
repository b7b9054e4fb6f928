import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAudit } from '#contract/identity/audit-log.ts'
import { setWebhook } from '#contract/integrations/webhook.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { runRestored } from '#server/jobs.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { streamsAt } from '#tests/support/event-stream.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'

let { server, org, manager, receiver } = {} as WebhookFixtures
beforeAll(async () => {
  ;({ server, org, manager, receiver } = await openWebhookFixtures())
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))

const streamOf = streamsAt('/api/studio/events', () => server)

test('after a restore every stream sends resync, wherever its reader was, and goes on', async () => {
  const create = (name: string) => manager.call(createAsset, { body: { type: 'PROMPT', name } })
  const first = await streamOf(manager)
  await create('Seen')
  const { id: seen } = await first.until(({ event }) => event === 'asset-created')
  first.close()
  expect(await runRestored(server.config)).toBe(0)
  const positions = [defined(seen), String(Number(seen) + 1), '999999', '0']
  for (const lastEventId of positions) {
    const stream = await streamOf(manager, { more: `&lastEventId=${lastEventId}` })
    expect(await stream.until(({ event }) => event === 'resync'), lastEventId).toMatchObject({
      data: { reason: expect.stringMatching(/^(expired|unknown)$/) },
    })
    stream.close()
  }
  const stream = await streamOf(manager)
  await create('After')
  await stream.until(({ event }) => event === 'asset-created')
  expect(await manager.call(verifyAudit)).toMatchObject({ valid: true })
})

test('each application with a webhook receives RESYNC once', async () => {
  const [one, two] = [await makeApplication(server, org), await makeApplication(server, org)]
  await makeApplication(server, org)
  for (const { id } of [one, two])
    await manager.call(setWebhook, {
      params: { id },
      body: { url: `${receiver.url}/${id}`, events: ['WEBHOOK_TEST'] },
    })
  expect(await runRestored(server.config)).toBe(0)
  for (const { id } of [one, two]) {
    const webhook = firstOf(await receiver.waitFor(1, `/${id}`))
    expect(JSON.parse(webhook.body)).toMatchObject({
      event: 'RESYNC',
      data: { reason: 'restored', restoredTo: null },
    })
  }
})
