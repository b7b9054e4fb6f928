import { afterAll, beforeAll, expect, test } from 'vitest'
import { listInvoices } from '#contract/billing/invoices.ts'
import { connect } from '#sdk/client.ts'
import { furnishCrm } from '#server/crm/index.ts'
import { makeDemo } from '#server/identity/index.ts'
import { furnishIntegrations } from '#server/integrations/index.ts'
import { openWorld, type TestWorld } from '#tests/world.ts'
import { furnishBilling } from './demo.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('the demo has invoices in several states, which the website lists with its key', async () => {
  const { database } = world.api.world
  const furnish = [furnishIntegrations, furnishCrm(world.api.world), furnishBilling]
  const demo = await makeDemo(database, world.api.identity.signIn, furnish)
  const [acme] = demo.organizations
  const { data } = await connect(world.url, { apiKey: acme!.applications[1]!.key }).call(listInvoices, {
    query: {},
  })
  expect(data.map(({ status, totalCents }) => `${status} ${totalCents}`).sort()).toEqual([
    ...['DRAFT -5929', 'DRAFT 5929', 'ISSUED 5929', 'ISSUED 70000', 'PAID 5929', 'PARTIALLY_PAID 5929'],
  ])
  expect(data.filter(({ isOverdue }) => isOverdue).map(({ status }) => status)).toEqual(['PARTIALLY_PAID'])
  const owners = await world.sql('select distinct organization_id from invoice')
  expect(owners).toEqual([{ organization_id: acme!.id }])
})
