import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf } from '#server/billing/charges/till.ts'
import { recoverCharges } from '#server/billing/index.ts'
import { type Application, application } from '#tests/applications.ts'
import { plantInvoice } from '#tests/billing.ts'
import { cards, plantAccount, plantPayer } from '#tests/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/gateway/double.ts'
import { dataFolder, endAll, type Patio, removeFolders, start, until } from '#tests/processes.ts'
import { openWorld, type TestWorld } from '#tests/world.ts'

// whole processes start here, on machines that may be busy
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let double: GatewayDouble
let world: TestWorld
let app: Application
let accountId: string
const apis: Patio[] = []
/** What the gateway is asked when the process is killed, with the card, and what comes of it. */
const points = [
  ['createIntent', cards.good, 'FAILED', 0],
  ['confirmIntent', cards.good, 'SUCCEEDED', 1],
  ['readIntent', cards.good, 'SUCCEEDED', 1],
  ['cancelIntent', cards.poor, 'FAILED', 0],
] as const

beforeAll(async () => {
  double = await openDouble()
  double.delayMs = 8_000
  world = await openWorld({ stripe: { url: double.url } })
  const organization = await world.organization()
  app = await application(world, organization, { scopes: ['billing:charge'] })
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

test.each(points)('kill -9 while the gateway is at %s', async (operation, card, status, captures) => {
  const api = apis.pop()!
  const invoice = await plantInvoice(world, app)
  const gateway = await gatewayOf(world.api.world, app.organizationId, accountId)
  const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, newId())
  const gatewayMethodId = double.addMethod(card)
  await plantPayer(world, app, accountId, invoice.userId, { gatewayMethodId, customerId })
  const charge = {
    params: { id: invoice.id },
    body: { userId: invoice.userId, idempotencyKey: `killed at ${operation}` },
  }
  double.fails(operation, 'delay', 1)
  const before = double.requests.length
  const lost = app
    .at(api.url)
    .send(chargeInvoice, charge)
    .catch(() => undefined)
  await until('the gateway is asked', () =>
    double.requests.slice(before).some(request => request.operation === operation),
  )
  await api.stop('SIGKILL')
  expect(await lost).toBeUndefined()
  double.heals()

  await world.sql('update charge_attempt set look_at = now() where invoice_id = $1 and ended_at is null', [
    invoice.id,
  ])
  await until('the charge has ended', async () => {
    await recoverCharges(world.api.world)
    const open = await world.sql('select 1 from charge_attempt where invoice_id = $1 and ended_at is null', [
      invoice.id,
    ])
    return open.length === 0
  })
  expect((await app.client.send(chargeInvoice, charge)).body).toMatchObject({ status })
  const made = double.intents().filter(({ metadata }) => metadata.invoiceId === invoice.id)
  expect(made.filter(({ amount_received }) => amount_received > 0)).toHaveLength(captures)
  const [books] = await world.sql(
    `select i.paid_cents::int as paid, count(p.id)::int as payments from invoice i
     left join payment p on p.invoice_id = i.id where i.id = $1 group by 1`,
    [invoice.id],
  )
  expect(books).toEqual({ paid: 12_100 * captures, payments: captures })
})
