import { afterAll, beforeAll, expect, test } from 'vitest'
import { listInvoices } from '#contract/billing/invoices.ts'
import { invoiceStatuses } from '#contract/billing/shapes.ts'
import { type Application, application } from '#tests/applications.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/billing.ts'
import { refusalOf } from '#tests/refusals.ts'
import { openWorld, type Person, type TestWorld } from '#tests/world.ts'

let world: TestWorld
let owner: Person
let [shop, other]: Application[] = []
let planted: PlantedInvoice[]
beforeAll(async () => {
  world = await openWorld()
  const organization = await world.organization()
  owner = await organization.person({ role: 'OWNER' })
  for (let time = 0; time < 2; time++)
    [shop, other] = [other, await application(world, organization, { scopes: ['crm:invoices:read'] })]
  planted = []
  for (const [by, given] of [
    [shop, { userId: 'a' }],
    [shop, { userId: 'b', lifecycle: 'DRAFT' }],
    [other, { userId: 'a', lifecycle: 'VOIDED' }],
    [shop, { userId: 'a' }],
    [other, { userId: 'a' }],
    [shop, { userId: 'a' }],
  ] as const)
    planted.push(await plantInvoice(world, by!, given))
  const set = (at: number, what: string) =>
    world.sql(`update invoice set ${what} where id = $1`, [planted[at]!.id])
  await set(3, 'paid_cents = 100')
  await set(4, 'paid_cents = total_cents')
  await set(5, `sent_at = now(), due_date = '2020-01-01'`)
})
afterAll(() => world?.close())

const found = async (query: object, by: Pick<Person, 'call'> = owner) =>
  (await by.call(listInvoices, { query })).data.map(({ id }) => planted.findIndex(one => one.id === id))

test('people see all, the newest first, and narrow them', async () => {
  expect(await found({})).toEqual([5, 4, 3, 2, 1, 0])
  expect(await found({ applicationId: shop!.id })).toEqual([5, 3, 1, 0])
  expect(await found({ applicationId: shop!.id, userId: 'a' })).toEqual([5, 3, 0])
  expect(await found({ applicationId: other!.id, userId: 'a', status: 'PAID' })).toEqual([4])
  expect(await found({ clientId: planted[1]!.clientId })).toEqual([1])
  const answer = await owner.send(listInvoices, { query: { userId: 'a' } })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'applicationId' }] } })
})

test('each status is what the row says by itself', async () => {
  const { data } = await owner.call(listInvoices, { query: {} })
  expect(data.map(({ status }) => status)).toEqual([
    ...['SENT', 'PAID', 'PARTIALLY_PAID', 'VOIDED', 'DRAFT', 'ISSUED'],
  ])
  for (const status of invoiceStatuses)
    expect(await found({ status })).toEqual([5 - data.findIndex(one => one.status === status)])
  expect(data.map(({ isOverdue }) => isOverdue)).toEqual([true, false, false, false, false, false])
})

test('an application has its own, in pages', async () => {
  expect(await found({}, shop!.client)).toEqual([5, 3, 1, 0])
  expect(await found({ userId: 'a' }, shop!.client)).toEqual([5, 3, 0])
  expect(await found({ applicationId: other!.id }, shop!.client)).toEqual([5, 3, 1, 0])
  const { data, pagination } = await shop!.client.call(listInvoices, { query: { page: 2, limit: 3 } })
  expect(data.map(({ id }) => id)).toEqual([planted[0]!.id])
  expect(pagination).toEqual({
    ...{ page: 2, limit: 3, total: 4, totalPages: 2, hasNextPage: false, hasPreviousPage: true },
  })
  expect(refusalOf(await shop!.client.send(listInvoices, { query: { limit: 101 } }))[0]).toBe(400)
})
