import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateApplication } from '#contract/integrations/applications.ts'
import {
  listDeliveries,
  listOwnDeliveries,
  readDelivery,
  retryDelivery,
} from '#contract/integrations/deliveries.ts'
import { createKey } from '#contract/integrations/keys.ts'
import {
  holdWebhook,
  prepareWebhookSecret,
  readWebhook,
  resumeWebhook,
  setWebhook,
  testWebhook,
} from '#contract/integrations/webhook.ts'
import type { Permission, Scope } from '#contract/permissions.ts'
import { firstId, newId } from '#platform/ids.ts'
import { connect } from '#sdk/client.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person
/** May manage applications and nothing else. */
let integrator: Person
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER' })
  integrator = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
})
afterAll(() => server?.close())

const exceeds = { status: 403, body: { errorCode: 'APPLICATION_EXCEEDS_PERMISSIONS' } }
const allowed = { status: 200 }
const address = 'https://1.1.1.1/patio'
const elsewhere = 'https://1.0.0.1/mine'

type Settings = { url?: string; events?: string[]; maxPerSecond?: number }
const set = (who: Person, { id }: Pick<TestApplication, 'id'>, settings: Settings = {}) =>
  who.send(setWebhook, { params: { id }, body: { url: address, events: [], ...settings } })
const read = (who: Person, { id }: Pick<TestApplication, 'id'>, deliveryId: string) =>
  who.send(readDelivery, { params: { id, deliveryId } })
const personWith = (...permissions: Permission[]) =>
  org.person({ permissions: ['INTEGRATIONS_MANAGE', ...permissions] })

/** An application of the owner with a webhook. */
async function ownersApplication(scopes: Scope[], events: string[]): Promise<TestApplication> {
  const app = await makeApplication(server, org, { principal: owner, scopes })
  expect((await set(owner, app, { events })).status).toBe(201)
  return app
}

/** A delivery that failed two hours ago. */
async function plantDelivery({ id }: TestApplication, event: string, about: object = {}): Promise<string> {
  const deliveryId = `${firstId(Date.now() - 7_200_000)}${newId().slice(9)}`
  await insertDeliveries(server, { id, organizationId: org.id }, [deliveryId], () => ({
    event,
    subject: about,
    body: JSON.stringify({ event, meta: { schemaVersion: '2026-11' } }),
    status: 'FAILED',
    attempts: 1,
    outcome: 'HTTP_STATUS',
    last_status: 500,
    finished_at: new Date(),
  }))
  return deliveryId
}

describe('setting the URL of a webhook', () => {
  test('is refused to a person whose role only manages integrations', async () => {
    const app = await ownersApplication(['crm:leads:read'], ['LEAD_CREATED'])
    expect(await set(integrator, app, { url: elsewhere, events: ['LEAD_CREATED'] })).toMatchObject(exceeds)
    expect(await set(integrator, app, { events: ['LEAD_CREATED', 'LEAD_ERASED'] })).toMatchObject(exceeds)
    const fresh = await makeApplication(server, org, { principal: owner, scopes: ['crm:leads:read'] })
    expect(await set(integrator, fresh)).toMatchObject(exceeds)
    expect(await owner.call(readWebhook, { params: { id: app.id } })).toMatchObject({
      url: address,
      events: ['LEAD_CREATED'],
    })
    expect(await set(owner, app, { url: elsewhere, events: ['LEAD_ERASED'] })).toMatchObject(allowed)
  })

  test('is allowed for the principal with the permissions of the scopes', async () => {
    const seller = await personWith('CRM_VIEW')
    const own = await makeApplication(server, org, { principal: seller, scopes: ['crm:leads:read'] })
    expect((await set(seller, own, { events: ['LEAD_CREATED'] })).status).toBe(201)
    expect(await set(seller, own, { url: elsewhere, events: ['LEAD_CREATED'] })).toMatchObject(allowed)
    const foreign = await ownersApplication(['crm:leads:read'], [])
    expect(await set(seller, foreign, { url: elsewhere })).toMatchObject(exceeds)
  })

  test('checks events that need no scope', async () => {
    const own = await makeApplication(server, org, { principal: integrator })
    expect((await set(integrator, own, { events: ['WEBHOOK_TEST'] })).status).toBe(201)
    const refused = await set(integrator, own, { events: ['INVOICE_PAID'] })
    expect(refused).toMatchObject(exceeds)
    expect(refused.body).toMatchObject({ permissions: ['BILLING_VIEW'] })
    const clerk = await personWith('BILLING_VIEW')
    const theirs = await makeApplication(server, org, { principal: clerk })
    expect((await set(clerk, theirs, { events: ['INVOICE_PAID'] })).status).toBe(201)
  })

  test('does not limit removing events or other changes of a webhook', async () => {
    const app = await ownersApplication(['crm:leads:read'], ['LEAD_CREATED', 'LEAD_ERASED'])
    const params = { id: app.id }
    expect(await set(integrator, app, { events: ['LEAD_ERASED'], maxPerSecond: 5 })).toMatchObject(allowed)
    expect(await integrator.send(holdWebhook, { params })).toMatchObject(allowed)
    expect(await integrator.send(resumeWebhook, { params })).toMatchObject(allowed)
    expect(await integrator.send(testWebhook, { params })).toMatchObject(allowed)
    const deliveryId = await plantDelivery(app, 'LEAD_CREATED')
    expect(await integrator.send(listDeliveries, { params })).toMatchObject({
      ...allowed,
      body: { items: expect.arrayContaining([expect.objectContaining({ id: deliveryId })]) },
    })
    const retry = await integrator.send(retryDelivery, { params: { id: app.id, deliveryId } })
    expect(retry).toMatchObject(allowed)
  })
})

test('a new secret is shown only to people who may read the signed data', async () => {
  const app = await ownersApplication(['crm:leads:read'], [])
  const prepare = (who: Person, { id }: Pick<TestApplication, 'id'>) =>
    who.send(prepareWebhookSecret, { params: { id } })
  expect(await prepare(integrator, app)).toMatchObject(exceeds)
  expect((await prepare(owner, app)).status).toBe(201)
  const scopeless = await ownersApplication([], ['INVOICE_PAID'])
  await server.sql('update application set principal_id = $2 where id = $1', [scopeless.id, integrator.id])
  expect(await prepare(integrator, scopeless)).toMatchObject(exceeds)
})

describe('reading a delivery', () => {
  test('is allowed for administrators and for the principal who may read its data', async () => {
    const app = await ownersApplication(['crm:leads:read'], ['LEAD_CREATED'])
    const deliveryId = await plantDelivery(app, 'LEAD_CREATED')
    expect(await read(integrator, app, deliveryId)).toMatchObject(exceeds)
    expect(await read(await personWith('CRM_VIEW'), app, deliveryId)).toMatchObject(exceeds)
    expect(await read(owner, app, deliveryId)).toMatchObject({ ...allowed, body: { event: 'LEAD_CREATED' } })
    // an unknown delivery gets the same answer for every caller
    expect(await read(integrator, app, newId())).toMatchObject({ status: 404 })
  })

  test.each([
    ['LEAD_CREATED', {}, 'CRM_VIEW'],
    ['LEAD_UPDATED', { part: 'whole' }, 'CRM_VIEW'],
    ['INVOICE_PAID', {}, 'BILLING_VIEW'],
    ['CHAT_MESSAGE_CREATED', {}, 'CHAT_USE'],
  ] as const)('%s stays closed when the scopes were taken away', async (event, about, permission) => {
    const app = await ownersApplication(['crm:leads:read', 'crm:invoices:read'], [])
    const deliveryId = await plantDelivery(app, event, about)
    const taken = await integrator.send(updateApplication, {
      params: { id: app.id },
      body: { scopes: [], principalId: integrator.id },
    })
    expect(taken).toMatchObject(allowed)
    const refused = await read(integrator, app, deliveryId)
    expect(refused).toMatchObject(exceeds)
    expect(refused.body).toMatchObject({ permissions: [permission] })
    // nor can a key of the application pull it
    const { key } = await integrator.call(createKey, { params: { id: app.id }, body: { name: 'Mine' } })
    const own = await connect(server.url, { apiKey: key }).call(listOwnDeliveries, { query: {} })
    expect(own.items).toEqual([])
  })
})
