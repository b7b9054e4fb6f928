import { afterAll, beforeAll, expect, test } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { readGatewayAccount } from '#contract/billing/gateway.ts'
import { createInvoiceOfUser, listInvoices } from '#contract/billing/invoices.ts'
import { refundInvoice } from '#contract/billing/refunds.ts'
import type { InvoiceSummary } from '#contract/billing/shapes.ts'
import { type Client, connect } from '#sdk/client.ts'
import type { DemoOrganization } from '#server/area.ts'
import { crmArea } from '#server/crm/area.ts'
import { seedDemo } from '#server/identity/area.ts'
import { integrationArea } from '#server/integrations/area.ts'
import { clientOf } from '#tests/faults/demo.ts'
import { firstOf, itemAt } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { billingArea } from './area.ts'

let server: TestServer
let acme: DemoOrganization
let website: Client
let planted: InvoiceSummary[]
beforeAll(async () => {
  server = await startTestServer()
  const { services, identity } = server.api
  const areas = [integrationArea, crmArea, billingArea]
  const seeds = areas.flatMap(({ seed }) => (seed ? [seed(services)] : []))
  const { organizations } = await seedDemo(services.database, identity.signIn, seeds)
  acme = firstOf(organizations)
  website = connect(server.url, { apiKey: itemAt(acme.applications, 1).key })
  const list = await website.call(listInvoices, { query: {} })
  planted = list.data
})
afterAll(() => server?.close())

test('the demo has invoices in several states, and the website lists them with its key', async () => {
  expect(planted.map(({ status, totalCents }) => `${status} ${totalCents}`).sort()).toEqual([
    'DRAFT -5929',
    'DRAFT 5929',
    'ISSUED 5929',
    'ISSUED 70000',
    'PAID 5929',
    'PARTIALLY_PAID 5929',
  ])
  expect(planted.filter(({ isOverdue }) => isOverdue).map(({ status }) => status)).toEqual(['PARTIALLY_PAID'])
  const owners = await server.sql('select distinct organization_id from invoice')
  expect(owners).toEqual([{ organization_id: acme.id }])
})

test('the demo website charges a saved card and refunds the payment', async () => {
  const owner = await clientOf(server.url, firstOf(acme.people))
  expect(await owner.call(readGatewayAccount)).toMatchObject({
    adapter: 'sandbox',
    isTest: true,
    status: 'READY',
  })
  const line = { description: 'Plan Estudio', unitPriceCents: 4_900 }
  const invoice = await website.call(createInvoiceOfUser, { body: { userId: 'harbour', lines: [line] } })
  const params = { id: invoice.id }
  const body = { userId: 'harbour', idempotencyKey: 'november' }
  expect(await website.call(chargeInvoice, { params, body })).toMatchObject({ status: 'SUCCEEDED' })
  const refund = await website.call(refundInvoice, { params, body: { ...body, amountCents: 500 } })
  expect(refund).toMatchObject({ status: 'SUCCEEDED' })
})
