import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refundInvoice } from '#contract/billing/refunds.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import {
  type DoubleOperation,
  type GatewayDouble,
  openDouble,
} from '#tests/support/billing/gateway/double.ts'
import {
  type CollectedInvoice,
  collectedInvoice,
  refundedAtGateway,
  refundTotals,
} from '#tests/support/billing/refunds.ts'
import { firstOf } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { dataFolder, endAll, type Patio, removeFolders, start, until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const mostMs = 120_000

let double: GatewayDouble
let server: TestServer
let app: TestApplication
let accountId: string
let processes: { api: Patio; worker: Patio }

beforeAll(async () => {
  double = await openDouble()
  // as slow as a gateway may be within the timeout
  double.delayMs = 15_000
  server = await startTestServer({ stripe: { url: double.url } }, { hasWorker: false })
  const organization = await server.organization()
  app = await makeApplication(server, organization, { scopes: ['billing:refund'] })
  const { cipher } = server.api.services
  accountId = await plantAccount(server, organization.id, { stripe: { cipher, ...double } })
  processes = await started()
})
afterAll(async () => {
  endAll()
  await server?.close()
  await double?.close()
  removeFolders()
})

async function started(): Promise<{ api: Patio; worker: Patio }> {
  const env = { ...server.env, STRIPE_URL: double.url, DATA_DIR: dataFolder() }
  const [api, worker] = await Promise.all([start('api', env), start('worker', env)])
  return { api, worker }
}

async function killed(): Promise<void> {
  await Promise.all([processes.api.stop('SIGKILL'), processes.worker.stop('SIGKILL')])
}

const hasRequested = (operation: DoubleOperation, intent: string) =>
  double.requests.some(request => request.operation === operation && request.params.payment_intent === intent)
const open = () => server.sql(`select id from refund where status = 'PENDING'`)

test('interrupted refunds at a slow gateway end within two minutes', async () => {
  const collecting = { sql: server.sql, context: server.api.services, double }
  // two cards refund at once, two take ten seconds
  const cards = ['4242424242424242', '4242424242424242', '4000000000007726', '4000000000007726']
  const invoices: CollectedInvoice[] = []
  for (const card of cards) invoices.push(await collectedInvoice(collecting, app, accountId, { card }))
  for (const operation of ['createRefund', 'listRefunds', 'readRefund'] as const)
    double.fails(operation, 'delay', 1_000)
  const calls = invoices.map(({ id, userId }) =>
    app
      .at(processes.api.url)
      .send(refundInvoice, { params: { id }, body: { userId } })
      .catch(() => undefined),
  )
  await until('the gateway is at all of them', () =>
    invoices.every(({ intents }) => hasRequested('createRefund', firstOf(intents))),
  )
  await killed()
  await Promise.all(calls)
  const killedAt = performance.now()
  processes = await started()
  // the worker that polls them is killed as well, while it waits for the gateway
  await until(
    'somebody looks for them',
    () => hasRequested('listRefunds', firstOf(firstOf(invoices).intents)),
    mostMs,
  )
  await sleep(1_000)
  await killed()
  processes = await started()
  await until('every refund has ended', async () => (await open()).length === 0, 10 * 60_000)
  const tookMs = performance.now() - killedAt
  for (const invoice of invoices) {
    expect(refundedAtGateway(double, invoice.intents)).toBe(12_100)
    expect(double.refunds().filter(made => made.payment_intent === invoice.intents[0])).toHaveLength(1)
    expect(await refundTotals(server.sql, invoice.id)).toEqual({
      refunded: 12_100,
      reserved: 12_100,
      ledger: 0,
      paid: 12_100,
    })
  }
  expect(tookMs).toBeLessThan(mostMs)
})
