import { setWebhook } from '#contract/integrations/webhook.ts'
import { firstId, newId } from '#platform/ids.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import type { TestServer } from '#tests/support/test-server.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'
import { registered } from './integration-fixtures.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const stilled = new WeakMap<TestServer, Promise<unknown>>()

/** No dispatcher runs here: due deliveries change only through calls. */
function still(server: TestServer): Promise<unknown> {
  const done =
    stilled.get(server) ??
    server.sql(`update dispatch_shard set owner = 'nobody', epoch = epoch + 1, lease_until = 'infinity'`)
  stilled.set(server, done)
  return done
}

/** An application with a webhook. */
async function hooked(home: Home): Promise<string> {
  await still(home.server)
  const id = await registered(home)
  const body = { url: `https://1.1.1.1/${home.secret}`, events: ['WEBHOOK_TEST'] }
  await home.owner.call(setWebhook, { params: { id }, body })
  return id
}

/** Written an hour ago, so that the application can pull it. */
async function plantDelivery(home: Home, applicationId: string): Promise<string> {
  const id = `${firstId(Date.now() - 3_600_000)}${newId().slice(9)}`
  await insertDeliveries(
    home.server,
    { id: applicationId, organizationId: home.organization.id },
    [id],
    () => ({
      body: JSON.stringify({ event: 'WEBHOOK_TEST', data: home.secret }),
      status: 'FAILED',
      attempts: 1,
      finished_at: new Date(),
    }),
  )
  await insertRows(home.server, 'webhook_attempt', [
    {
      organization_id: home.organization.id,
      delivery_id: id,
      n: 2,
      started_at: new Date(),
      record: {
        trigger: 'AUTOMATIC',
        durationMs: 5,
        timings: null,
        outcome: 'HTTP_STATUS',
        status: 500,
        answer: home.secret,
        answerHeaders: null,
        address: null,
        secretId: null,
        error: null,
      },
    },
  ])
  return id
}

async function delivered(home: Home): Promise<{ id: string; deliveryId: string }> {
  const id = await hooked(home)
  return { id, deliveryId: await plantDelivery(home, id) }
}

async function secret(home: Home, state: string): Promise<{ id: string; secretId: string }> {
  const [id, secretId] = [await hooked(home), newId()]
  await insertRows(home.server, 'webhook_secret', [
    { organization_id: home.organization.id, application_id: id, id: secretId, state },
  ])
  return { id, secretId }
}

async function recovering(home: Home): Promise<{ id: string; recoveryId: string }> {
  const [{ id, deliveryId }, recoveryId] = [await delivered(home), newId()]
  await insertRows(home.server, 'webhook_redelivery', [
    {
      organization_id: home.organization.id,
      id: recoveryId,
      application_id: id,
      created_by: home.owner.id,
    },
  ])
  await insertRows(home.server, 'webhook_due', [
    {
      shard: 0,
      application_id: id,
      due_at: secondsAgo(-3_600),
      delivery_id: deliveryId,
      organization_key: home.organization.id,
      trigger: 'RECOVERY',
    },
  ])
  return { id, recoveryId }
}

/** Times for everybody: they are no texts of anybody's own. */
const since = new Date(Date.now() - 7_200_000).toISOString()
const until = new Date(Date.now() + 86_400_000).toISOString()

/** Good calls of webhooks: see fixtures.ts. */
export const webhookFixtures: Record<string, Fixture> = {
  setWebhook: async home => ({
    params: { id: await hooked(home) },
    body: { url: `https://1.1.1.1/${home.mark}`, events: ['WEBHOOK_TEST'], maxPerSecond: 10 },
  }),
  readWebhook: async home => ({ params: { id: await hooked(home) } }),
  removeWebhook: async home => ({ params: { id: await hooked(home) } }),
  holdWebhook: async home => ({ params: { id: await hooked(home) } }),
  resumeWebhook: async home => ({ params: { id: await hooked(home) } }),
  testWebhook: async home => ({ params: { id: await hooked(home) } }),
  readWebhookHealth: async home => ({ params: { id: (await delivered(home)).id } }),
  listWebhookSecrets: async home => ({ params: { id: await hooked(home) } }),
  prepareWebhookSecret: async home => ({ params: { id: await hooked(home) } }),
  activateWebhookSecret: async home => ({ params: await secret(home, 'PREPARED') }),
  retireWebhookSecret: async home => ({ params: await secret(home, 'RETIRING') }),
  listDeliveries: async home => {
    const { id, deliveryId } = await delivered(home)
    const page = { limit: 100, since, until, before: 'd' }
    return [
      { params: { id }, query: { ...page, status: 'FAILED', event: 'WEBHOOK_TEST' } },
      { params: { id }, query: { ...page, ids: [deliveryId] } },
    ]
  },
  listOrganizationDeliveries: async home => {
    const { id: applicationId, deliveryId } = await delivered(home)
    const page = { limit: 100, since, until, before: 'd' }
    return [
      { query: { ...page, applicationId, status: 'FAILED', event: 'WEBHOOK_TEST' } },
      { query: { ...page, ids: [deliveryId] } },
    ]
  },
  readDelivery: async home => ({ params: await delivered(home) }),
  retryDelivery: async home => ({ params: await delivered(home) }),
  listOwnDeliveries: async home => {
    const { id } = await ownApplication(home.server, home.owner)
    await plantDelivery(home, id)
    return { query: { after: 'a', limit: 100 } }
  },
  recoverDeliveries: async home => ({
    params: { id: (await delivered(home)).id },
    body: { since, until, status: 'FAILED', event: 'WEBHOOK_TEST', perSecond: 10, dryRun: false },
  }),
  replayEvents: async home => ({
    params: { id: await hooked(home) },
    body: { since, perSecond: 10, dryRun: false },
  }),
  listRecoveries: async home => ({ params: { id: (await recovering(home)).id } }),
  cancelRecovery: async home => ({ params: await recovering(home) }),
}
