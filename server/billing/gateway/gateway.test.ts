import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectGateway,
  disconnectGateway,
  type GatewayAccount,
  readGatewayAccount,
} from '#contract/billing/gateway.ts'
import { limits } from '#contract/limits.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { only } from '#tests/support/elements.ts'
import { setUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { pollGatewayAccounts } from './account/poll-accounts.ts'

let server: TestServer
let double: GatewayDouble
beforeAll(async () => {
  double = await openDouble()
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 1_000 } })
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})

const stripe = {
  adapter: 'stripe',
  secretKey: 'sk_test_double',
  webhookSecret: 'whsec_double',
  publishableKey: 'pk_test_double',
} as const
const newOwner = async () => (await server.organization()).person({ role: 'OWNER' })
/** Sends a notice like a gateway. */
function notify(account: Pick<GatewayAccount, 'noticesUrl'>, notice: { body: string; headers: object }) {
  const { pathname } = new URL(account.noticesUrl)
  return fetch(`${server.url}${pathname}`, {
    method: 'POST',
    ...notice,
    headers: notice.headers as Record<string, string>,
  })
}

test('is connected when the gateway accepts the key, and never shows a secret again', async () => {
  const owner = await newOwner()
  expect(refusalOf(await owner.send(readGatewayAccount))).toEqual([404, 'GATEWAY_ACCOUNT_NOT_FOUND'])
  const account = await owner.call(connectGateway, { body: stripe })
  expect(account).toMatchObject({
    adapter: 'stripe',
    status: 'READY',
    currencies: ['eur', 'usd', 'gbp'],
    isTest: true,
    publishableKey: 'pk_test_double',
    hasWebhookSecret: true,
    noticesUrl: `http://localhost:4000/api/billing/gateway/notices/${owner.organizationId}/${account.id}`,
  })
  expect(await owner.call(readGatewayAccount)).toEqual(account)
  const stored = JSON.stringify(await server.sql('select * from gateway_account where id = $1', [account.id]))
  for (const secret of ['sk_test_double', 'whsec_double']) {
    expect(stored).not.toContain(secret)
    expect(server.logged()).not.toContain(secret)
  }
  expect(await auditedChanges(server, owner.organizationId)).toEqual([
    ['adapter', 'secretKey', 'webhookSecret', 'publishableKey'],
  ])
})

test('keeps omitted fields, and stays the same account with any of its keys', async () => {
  const owner = await newOwner()
  const first = await owner.call(connectGateway, { body: stripe })
  double.account.charges_enabled = false
  const again = await owner.call(connectGateway, { body: { adapter: 'stripe', webhookSecret: 'whsec_next' } })
  expect(again).toMatchObject({ id: first.id, status: 'PENDING', currencies: [], hasWebhookSecret: true })
  double.account.charges_enabled = true
  expect(await owner.call(connectGateway, { body: { adapter: 'stripe' } })).toMatchObject({
    id: first.id,
    status: 'READY',
    publishableKey: 'pk_test_double',
  })
  const answer = await notify(
    first,
    double.notice(
      'payment_intent.succeeded',
      { object: 'payment_intent', id: 'pi_none' },
      { secret: 'whsec_next' },
    ),
  )
  expect(answer.status).toBe(200)
})

test('is replaced by another account', async () => {
  const owner = await newOwner()
  const first = await owner.call(connectGateway, { body: stripe })
  double.account.id = 'acct_other'
  const { adapter, secretKey } = stripe
  const second = await owner.call(connectGateway, { body: { adapter, secretKey } })
  double.account.id = 'acct_double'
  expect(second.id).not.toBe(first.id)
  // omitted fields are not taken from the other account
  expect(second).toMatchObject({ publishableKey: null, hasWebhookSecret: false })
  const sandbox = await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  expect(sandbox).toMatchObject({ adapter: 'sandbox', status: 'READY', isTest: true, publishableKey: null })
  expect(
    await server.sql(
      'select id, status from gateway_account where organization_id = $1 order by created_at',
      [owner.organizationId],
    ),
  ).toEqual([
    { id: first.id, status: 'DISABLED' },
    { id: second.id, status: 'DISABLED' },
    { id: sandbox.id, status: 'READY' },
  ])
  // the test and live modes of an account share nothing
  const test = await owner.call(connectGateway, { body: stripe })
  await server.sql('update gateway_account set is_test = false where id = $1', [test.id])
  expect((await owner.call(connectGateway, { body: stripe })).id).not.toBe(test.id)
  await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  // keys of one gateway are not used for another
  expect(refusalOf(await owner.send(connectGateway, { body: { adapter: 'stripe' } }))).toEqual([
    400,
    'VALIDATION_ERROR',
  ])
})

test('is disconnected, and keeps its keys for open payments', async () => {
  const owner = await newOwner()
  const { id } = await owner.call(connectGateway, { body: stripe })
  expect(await owner.call(disconnectGateway)).toMatchObject({ id, status: 'DISABLED' })
  for (const operation of [disconnectGateway, readGatewayAccount])
    expect(refusalOf(await owner.send(operation))).toEqual([404, 'GATEWAY_ACCOUNT_NOT_FOUND'])
  const row = only(await server.sql('select secret_key from gateway_account where id = $1', [id]))
  expect(row.secret_key).toMatch(/^v1\./)
})

test('that is reconnected is the same account, whatever was connected in between', async () => {
  const owner = await newOwner()
  const { id } = await owner.call(connectGateway, { body: stripe })
  await owner.call(disconnectGateway)
  const again = await owner.call(connectGateway, { body: { ...stripe, publishableKey: 'pk_test_again' } })
  expect(again).toMatchObject({ id, status: 'READY', publishableKey: 'pk_test_again' })
  await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  expect((await owner.call(connectGateway, { body: stripe })).id).toBe(id)
  // another organization has its own row for the same account
  expect((await (await newOwner()).call(connectGateway, { body: stripe })).id).not.toBe(id)
})

test('is created once by simultaneous requests', async () => {
  const owner = await newOwner()
  const made = await Promise.all(
    Array.from({ length: 8 }, () => owner.call(connectGateway, { body: { adapter: 'sandbox' } })),
  )
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
})

test('a key is not stored when the gateway refuses it or does not answer', async () => {
  const owner = await newOwner()
  const wrong = await owner.send(connectGateway, { body: { ...stripe, secretKey: 'sk_test_wrong' } })
  expect(refusalOf(wrong)).toEqual([422, 'GATEWAY_REFUSED'])
  expect(wrong.body).toMatchObject({ details: [{ path: 'secretKey' }] })
  await double.down()
  expect(refusalOf(await owner.send(connectGateway, { body: stripe }))).toEqual([502, 'GATEWAY_NOT_REACHED'])
  await double.up()
  expect((await owner.send(readGatewayAccount)).status).toBe(404)
})

test.each([
  [{ adapter: 'stripe' }, 'secretKey'],
  [{ ...stripe, secretKey: 'pk_test_double' }, 'secretKey'],
  [{ ...stripe, publishableKey: 'pk_live_double' }, 'publishableKey'],
  [{ ...stripe, webhookSecret: 'double' }, 'webhookSecret'],
  [{ ...stripe, webhookSecret: `whsec_${'x'.repeat(limits.gatewayKey)}` }, 'webhookSecret'],
  [{ adapter: 'sandbox', secretKey: 'sk_test_double' }, 'secretKey'],
  [{ adapter: 'sandbox', publishableKey: 'pk_test_double' }, 'publishableKey'],
  [{ adapter: 'paypal' }, 'adapter'],
])('%o is refused for its %s', async (body, path) => {
  const owner = await newOwner()
  expect(await owner.send(connectGateway, { body: body as never })).toMatchObject({
    status: 400,
    body: { details: [{ path }] },
  })
})

test('needs ORG_MANAGE and a plan with card payments', async () => {
  const organization = await server.organization()
  const viewer = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
  const business = await (await server.organization({ plan: 'BUSINESS' })).person({ role: 'OWNER' })
  for (const [person, code] of [
    [viewer, 'PERMISSION_DENIED'],
    [business, 'MODULE_NOT_ENABLED'],
  ] as const) {
    expect(refusalOf(await person.send(readGatewayAccount))).toEqual([403, code])
    expect(refusalOf(await person.send(connectGateway, { body: stripe }))).toEqual([403, code])
    expect(refusalOf(await person.send(disconnectGateway))).toEqual([403, code])
  }
})

test('is polled, sooner when it is not ready, and unchanged without an answer', async () => {
  const owner = await newOwner()
  const { id } = await owner.call(connectGateway, { body: stripe })
  const status = async () => (await owner.call(readGatewayAccount)).status
  const look = async (ageSeconds: number) => {
    await server.sql(`update gateway_account set polled_at = now() where id <> $1`, [id])
    await server.sql(
      `update gateway_account set polled_at = now() - make_interval(secs => $2) where id = $1`,
      [id, ageSeconds],
    )
    return pollGatewayAccounts(server.api.services)
  }
  double.account.charges_enabled = false
  expect(await look(3_000)).toBe(0)
  expect(await look(3_700)).toBe(1)
  expect(await status()).toBe('PENDING')
  expect(await look(500)).toBe(0)
  double.account.charges_enabled = true
  expect(await look(700)).toBe(1)
  expect(await status()).toBe('READY')
  await double.down()
  expect(await look(3_700)).toBe(1)
  expect(await status()).toBe('READY')
  await double.up()
  await owner.call(disconnectGateway)
  expect(await look(3_700)).toBe(0)
})

test('becomes PENDING when its key is revoked at the gateway, also after a notice', async () => {
  const owner = await newOwner()
  const account = await owner.call(connectGateway, { body: stripe })
  const hidden = await server.sql<{ secret_key: string }>(
    `select secret_key from gateway_account where id = $1`,
    [account.id],
  )
  double.account.charges_enabled = false
  expect((await notify(account, double.notice('account.updated', double.account))).status).toBe(200)
  expect(await owner.call(readGatewayAccount)).toMatchObject({ status: 'PENDING', currencies: [] })
  double.account.charges_enabled = true
  await notify(account, double.notice('account.updated', double.account))
  expect((await owner.call(readGatewayAccount)).status).toBe('READY')
  const wrong = server.api.services.cipher.hide('gateway key', 'sk_test_wrong', owner.organizationId)
  await server.sql('update gateway_account set secret_key = $2 where id = $1', [account.id, wrong])
  await notify(account, double.notice('account.updated', double.account))
  expect((await owner.call(readGatewayAccount)).status).toBe('PENDING')
  expect(only(hidden).secret_key).not.toBe(wrong)
})

test('a notice is accepted only with a recent signature of this account over its exact bytes', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  const account = await owner.call(connectGateway, { body: stripe })
  const theirs = await other.call(connectGateway, { body: { ...stripe, webhookSecret: 'whsec_theirs' } })
  const notice = double.notice('account.updated', double.account)
  expect((await notify(account, notice)).status).toBe(200)
  // a repeated notice is processed again without harm
  expect(await (await notify(account, notice)).json()).toEqual({ received: true })
  const refused = async (to: Pick<GatewayAccount, 'noticesUrl'>, sent: { body: string; headers: object }) => {
    const answer = await notify(to, sent)
    expect([answer.status, ((await answer.json()) as { errorCode: string }).errorCode]).toEqual([
      400,
      'GATEWAY_NOTICE_NOT_VALID',
    ])
  }
  await refused(account, { ...notice, body: `${notice.body} ` })
  await refused(account, { ...notice, headers: { 'content-type': 'application/json' } })
  await refused(account, double.notice('account.updated', double.account, { ageMs: 301_000 }))
  await refused(theirs, notice)
  const address = `${server.url}/api/billing/gateway/notices/`
  await refused({ noticesUrl: `${address}${other.organizationId}/${account.id}` }, notice)
  await refused({ noticesUrl: `${address}${owner.organizationId}/cunknown` }, notice)
  await refused({ noticesUrl: `${address}nobody/${account.id}` }, notice)
  await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  // notices of the previous account are still accepted
  expect((await notify(account, notice)).status).toBe(200)
})

test('a notice that cannot be processed is requested again', async () => {
  const owner = await newOwner()
  const account = await owner.call(connectGateway, { body: stripe })
  double.fails('readIntent', '500 before')
  const notice = double.notice('payment_intent.succeeded', { object: 'payment_intent', id: 'pi_none' })
  const answer = await notify(account, notice)
  expect([answer.status, await answer.json()]).toMatchObject([502, { errorCode: 'GATEWAY_NOT_REACHED' }])
  double.heals()
  expect((await notify(account, notice)).status).toBe(200)
  const wrong = server.api.services.cipher.hide('gateway key', 'sk_test_wrong', owner.organizationId)
  await server.sql('update gateway_account set secret_key = $2 where id = $1', [account.id, wrong])
  expect((await notify(account, notice)).status).toBe(502)
})

test('the sandbox sends no notices by itself, and its signature is accepted', async () => {
  const owner = await newOwner()
  const account = await owner.call(connectGateway, {
    body: { adapter: 'sandbox', webhookSecret: 'whsec_own' },
  })
  const body = JSON.stringify({ id: 'n1', about: 'account', objectId: 'sandbox', intentId: null })
  const seconds = Math.floor(Date.now() / 1000)
  const sign = createHmac('sha256', 'whsec_own').update(`${seconds}.${body}`).digest('hex')
  const headers = { 'sandbox-signature': `t=${seconds},v1=${sign}` }
  expect((await notify(account, { body, headers })).status).toBe(200)
})

test('notices are limited by client address', async () => {
  const owner = await newOwner()
  const account = await owner.call(connectGateway, { body: { adapter: 'sandbox' } })
  await setUsed(server, limits.gatewayNoticesPerMinute, { bucket: 'gateway-notices' })
  const statuses = []
  for (let time = 0; time < 3; time++)
    statuses.push((await notify(account, { body: '{}', headers: {} })).status)
  await server.sql(`delete from rate_window where bucket = 'gateway-notices'`)
  expect(statuses).toContain(429)
})

test('an account row of another organization is not accessible', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  await plantAccount(server, other.organizationId)
  expect((await owner.send(readGatewayAccount)).status).toBe(404)
})
