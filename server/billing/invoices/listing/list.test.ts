import { afterAll, beforeAll, expect, test } from 'vitest'
import { listInvoices } from '#contract/billing/invoices.ts'
import { invoiceStatuses } from '#contract/billing/shapes.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let shop: TestApplication
let other: TestApplication
let planted: PlantedInvoice[]
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  other = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  planted = []
  for (const [by, given] of [
    [shop, { userId: 'a' }],
    [shop, { userId: 'b', lifecycle: 'DRAFT' }],
    [other, { userId: 'a', lifecycle: 'VOIDED' }],
    [shop, { userId: 'a' }],
    [other, { userId: 'a' }],
    [shop, { userId: 'a' }],
  ] as const)
    planted.push(await plantInvoice(server, by, given))
  const set = (at: number, what: string) =>
    server.sql(`update invoice set ${what} where id = $1`, [itemAt(planted, at).id])
  await set(3, 'paid_cents = 100')
  await set(4, 'paid_cents = total_cents')
  await set(5, `sent_at = now(), due_date = '2020-01-01'`)
})
afterAll(() => server?.close())

const found = async (query: object, by: Pick<Person, 'call'> = owner) =>
  (await by.call(listInvoices, { query })).data.map(({ id }) => planted.findIndex(one => one.id === id))

test('members see all invoices, newest first, and filter them', async () => {
  expect(await found({})).toEqual([5, 4, 3, 2, 1, 0])
  expect(await found({ applicationId: shop.id })).toEqual([5, 3, 1, 0])
  expect(await found({ applicationId: shop.id, userId: 'a' })).toEqual([5, 3, 0])
  expect(await found({ applicationId: other.id, userId: 'a', status: 'PAID' })).toEqual([4])
  expect(await found({ clientId: itemAt(planted, 1).clientId })).toEqual([1])
  const answer = await owner.send(listInvoices, { query: { userId: 'a' } })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'applicationId' }] } })
})

test('each status equals the computed column of the row', async () => {
  const { data } = await owner.call(listInvoices, { query: {} })
  expect(data.map(({ status }) => status)).toEqual([
    'SENT',
    'PAID',
    'PARTIALLY_PAID',
    'VOIDED',
    'DRAFT',
    'ISSUED',
  ])
  // RECTIFIED, of which there is none here: payments/reverse.test.ts
  for (const status of invoiceStatuses) {
    const at = data.findIndex(one => one.status === status)
    expect(await found({ status })).toEqual(at === -1 ? [] : [5 - at])
  }
  expect(data.map(({ isOverdue }) => isOverdue)).toEqual([true, false, false, false, false, false])
})

test('overdue invoices are listed, longest overdue first', async () => {
  const set = (at: number, day: string) =>
    server.sql('update invoice set due_date = $2 where id = $1', [itemAt(planted, at).id, day])
  await set(0, '2020-01-02')
  await set(3, '2019-06-01')
  // drafts, void and paid invoices are not overdue
  for (const at of [1, 2, 4]) await set(at, '2019-01-01')
  expect(await found({ overdue: true })).toEqual([3, 5, 0])
  const { data, pagination } = await owner.call(listInvoices, { query: { overdue: true, limit: 2 } })
  expect(data.map(({ isOverdue }) => isOverdue)).toEqual([true, true])
  expect(pagination).toMatchObject({ total: 3, totalPages: 2 })
  expect(await found({ overdue: true, status: 'PARTIALLY_PAID' })).toEqual([3])
  expect(await found({ overdue: true, clientId: firstOf(planted).clientId })).toEqual([0])
  expect(await found({ overdue: true }, other.client)).toEqual([])
  expect(await found({ overdue: false })).toHaveLength(6)
  await server.sql(`update invoice set due_date = (now() at time zone 'utc')::date where id = $1`, [
    itemAt(planted, 3).id,
  ])
  expect(await found({ overdue: true })).toEqual([5, 0])
  const all = (await owner.call(listInvoices, { query: {} })).data
  expect(all.map(({ isOverdue }) => isOverdue)).toEqual([true, false, false, false, false, true])
})

test('search finds the beginning of a number or the name of a client', async () => {
  const number = defined(itemAt(planted, 4).number)
  expect(await found({ search: ` ${number.toLowerCase()} ` })).toEqual([4])
  expect(await found({ search: number.slice(0, 5) })).toEqual([5, 4, 3, 2, 0])
  expect(await found({ search: number.slice(1) })).toEqual([])
  await server.sql(`update crm_client set name_folded = 'n', search = ' espana y hijos' where id = $1`, [
    itemAt(planted, 1).clientId,
  ])
  expect(await found({ search: 'ESPAÑA' })).toEqual([1])
  expect(await found({ search: 'hijos', status: 'PAID' })).toEqual([])
  expect(await found({ search: 'hijos', applicationId: other.id })).toEqual([])
  expect(await found({ search: number }, shop.client)).toEqual([])
  expect(await found({ search: 't2026', overdue: true })).toEqual([5, 0])
  const { data, pagination } = await owner.call(listInvoices, {
    query: { search: 't2026', limit: 2, page: 2 },
  })
  expect(data.map(({ id }) => id)).toEqual([itemAt(planted, 3).id, itemAt(planted, 2).id])
  expect(pagination.total).toBe(5)
  expect(await found({ search: '%_' })).toEqual([])
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(await found({ search: number }, stranger)).toEqual([])
  for (const search of ['x', ' x '])
    expect(await owner.send(listInvoices, { query: { search } })).toMatchObject({ status: 400 })
})

test('an application lists its own invoices, in pages', async () => {
  expect(await found({}, shop.client)).toEqual([5, 3, 1, 0])
  expect(await found({ userId: 'a' }, shop.client)).toEqual([5, 3, 0])
  expect(await found({ applicationId: other.id }, shop.client)).toEqual([5, 3, 1, 0])
  const { data, pagination } = await shop.client.call(listInvoices, { query: { page: 2, limit: 3 } })
  expect(data.map(({ id }) => id)).toEqual([firstOf(planted).id])
  expect(pagination).toEqual({
    page: 2,
    limit: 3,
    total: 4,
    totalPages: 2,
    hasNextPage: false,
    hasPreviousPage: true,
  })
  expect(refusalOf(await shop.client.send(listInvoices, { query: { limit: 101 } }))[0]).toBe(400)
})
