import { setWebhook } from '#contract/integrations/webhook.ts'
import { firstId, newId } from '#platform/ids.ts'
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
  await home.server.sql(
    `insert into webhook_delivery (organization_id, id, application_id, event_id, event, subject, body, emitted_at, status,
       attempts, finished_at)
     values ($1, $2, $3, $2, 'WEBHOOK_TEST', '{}', $4, now(), 'FAILED', 1, now())`,
    [home.organization.id, id, applicationId, JSON.stringify({ event: 'WEBHOOK_TEST', data: home.secret })],
  )
  await home.server.sql(
    `insert into webhook_attempt (organization_id, delivery_id, n, started_at, record)
     values ($1, $2, 2, now(), $3)`,
    [
      home.organization.id,
      id,
      JSON.stringify({
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
      }),
    ],
  )
  return id
}

async function delivered(home: Home): Promise<{ id: string; deliveryId: string }> {
  const id = await hooked(home)
  return { id, deliveryId: await plantDelivery(home, id) }
}

async function secret(home: Home, state: string): Promise<{ id: string; secretId: string }> {
  const [id, secretId] = [await hooked(home), newId()]
  await home.server.sql(
    `insert into webhook_secret (organization_id, application_id, id, sealed, state) values ($1, $2, $3, '', $4)`,
    [home.organization.id, id, secretId, state],
  )
  return { id, secretId }
}

async function recovering(home: Home): Promise<{ id: string; recoveryId: string }> {
  const [{ id, deliveryId }, recoveryId] = [await delivered(home), newId()]
  await home.server.sql(
    `insert into webhook_redelivery (organization_id, id, application_id, kind, status_before, per_second, total, created_by)
     values ($1, $2, $3, 'RECOVERY', 'FAILED', 1, 1, $4)`,
    [home.organization.id, recoveryId, id, home.owner.id],
  )
  await home.server.sql(
    `insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, trigger)
     values (0, $1, now() + interval '1 hour', $2, $3, 'RECOVERY')`,
    [id, deliveryId, home.organization.id],
  )
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
