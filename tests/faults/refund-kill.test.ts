import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { refundInvoice } from '#contract/billing/refunds.ts'
import { recoverRefunds } from '#server/billing/index.ts'
import { type Application, application } from '#tests/applications.ts'
import { plantAccount } from '#tests/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/gateway/double.ts'
import { dataFolder, endAll, type Patio, removeFolders, start, until } from '#tests/processes.ts'
import { collectedInvoice, dueNow, givenBack, refundBooks } from '#tests/refunds.ts'
import { openWorld, type TestWorld } from '#tests/world.ts'

// whole processes start here, on machines that may be busy
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let double: GatewayDouble
let world: TestWorld
let app: Application
let accountId: string
const apis: Patio[] = []
/** What the gateway does with a refund while the process that asked for it is killed. */
const points = ['delay', 'drop before'] as const

beforeAll(async () => {
  double = await openDouble()
  double.delayMs = 8_000
  world = await openWorld({ stripe: { url: double.url } })
  const organization = await world.organization()
  app = await application(world, organization, { scopes: ['billing:refund'] })
  const { cipher } = world.api.world
  accountId = await plantAccount(world, organization.id, { stripe: { cipher, ...double } })
  const { signInSecret, sessionKeys, databaseUrl } = world.config
  const env = {
    DATABASE_URL: databaseUrl,
    STRIPE_URL: double.url,
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
  }
  for (const _point of points) apis.push(await start('api', { ...env, DATA_DIR: dataFolder() }))
})
afterAll(async () => {
  endAll()
  await world?.close()
  await double?.close()
  removeFolders()
})

test.each(points)('kill -9 between what was reserved and what came of it: %s', async fault => {
  const api = apis.pop()!
  const invoice = await collectedInvoice({ sql: world.sql, till: world.api.world, double }, app, accountId)
  const refund = {
    params: { id: invoice.id },
    body: { userId: invoice.userId, idempotencyKey: `killed with ${fault}` },
  }
  double.fails('createRefund', fault, 1)
  if (fault === 'drop before') double.fails('listRefunds', 'delay', 1)
  const before = double.requests.length
  const lost = app
    .at(api.url)
    .send(refundInvoice, refund)
    .catch(() => undefined)
  await until('the gateway is asked', () =>
    double.requests.slice(before).some(({ operation }) => operation === 'createRefund'),
  )
  await api.stop('SIGKILL')
  expect(await lost).toBeUndefined()
  double.heals()
  expect(await refundBooks(world.sql, invoice.id)).toMatchObject({ refunded: 0, reserved: 12_100 })

  await until('the refund has ended', async () => {
    await dueNow(world.sql, invoice.id)
    await recoverRefunds(world.api.world)
    return (await refundBooks(world.sql, invoice.id)).refunded > 0
  })
  expect((await app.client.send(refundInvoice, refund)).body).toMatchObject({ status: 'SUCCEEDED' })
  expect(double.refunds().filter(made => made.payment_intent === invoice.intents[0])).toHaveLength(1)
  expect(givenBack(double, invoice.intents)).toBe(12_100)
  expect(await refundBooks(world.sql, invoice.id)).toMatchObject({ refunded: 12_100, ledger: 0 })
})
