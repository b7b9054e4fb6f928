import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoiceOrders, listInvoices } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { type PlantedInvoice, plantInvoice } from '#tests/support/billing/invoices.ts'
import { itemAt } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
let planted: PlantedInvoice[]
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  const other = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  planted = []
  const clientId = (await plantInvoice(server, await makeApplication(server, await server.organization())))
    .clientId
  expect(clientId).toBeTruthy()
  for (const [by, given] of [
    [shop, { userId: 'a', totalCents: 300 }],
    [shop, { userId: 'b', totalCents: 100 }],
    [other, { userId: 'a', totalCents: 200 }],
    [shop, { userId: 'a', totalCents: 300 }],
    [shop, { userId: 'a', lifecycle: 'DRAFT', totalCents: 50 }],
  ] as const)
    planted.push(await plantInvoice(server, by, given))
  const days = [
    ['2026-01-05', '2026-02-10', 'F2026-3'],
    ['2026-01-01', '2026-02-10', 'F2026-1'],
    ['2026-01-09', '2026-02-01', 'F2026-4'],
    ['2026-01-03', '2999-01-01', 'F2026-2'],
  ] as const
  for (const [at, [issued, due, number]] of days.entries())
    await server.sql('update invoice set issue_date = $2, due_date = $3, number = $4 where id = $1', [
      itemAt(planted, at).id,
      issued,
      due,
      number,
    ])
  await server.sql('update invoice set paid_cents = total_cents where id = $1', [itemAt(planted, 2).id])
})
afterAll(() => server?.close())

const found = async (query: object, by: Pick<Person, 'call'> = owner) => {
  const { data, pagination } = await by.call(listInvoices, { query })
  expect(pagination.total).toBe(data.length)
  return data.map(({ id }) => planted.findIndex(one => one.id === id))
}

describe('an order', () => {
  const ascending = {
    createdAt: [0, 1, 2, 3, 4],
    issueDate: [1, 3, 0, 2, 4],
    // equal days in the order of their ids, and drafts last
    dueDate: [2, 0, 1, 3, 4],
    // drafts first
    number: [4, 1, 3, 0, 2],
    totalCents: [4, 1, 2, 0, 3],
  }
  test.each(invoiceOrders)('by %s is kept in both directions, with and without filters', async orderBy => {
    const ascendingIds = ascending[orderBy]
    const descending = ascendingIds.toReversed()
    expect(await found({ orderBy, order: 'asc' })).toEqual(ascendingIds)
    expect(await found({ orderBy })).toEqual(descending)
    const ofShop = (places: number[]) => places.filter(n => n !== 2)
    const query = { orderBy, applicationId: shop.id }
    expect(await found({ ...query, order: 'asc' })).toEqual(ofShop(ascendingIds))
    expect(await found({ ...query, order: 'desc' })).toEqual(ofShop(descending))
    expect(await found({ orderBy, order: 'asc' }, shop.client)).toEqual(ofShop(ascendingIds))
    const { data, pagination } = await owner.call(listInvoices, {
      query: { orderBy, order: 'asc', page: 2, limit: 2 },
    })
    expect(data.map(({ id }) => id)).toEqual(ascendingIds.slice(2, 4).map(n => itemAt(planted, n).id))
    expect(pagination).toMatchObject({ total: 5, totalPages: 3 })
  })

  test('of another kind sorts overdue invoices, and a page beyond the last has the total', async () => {
    expect(await found({ overdue: true })).toEqual([0, 1])
    expect(await found({ overdue: true, orderBy: 'dueDate', order: 'asc' })).toEqual([0, 1])
    expect(await found({ overdue: true, orderBy: 'totalCents', order: 'asc' })).toEqual([1, 0])
    for (const query of [{ orderBy: 'number' }, { orderBy: 'number', status: 'ISSUED' }] as const) {
      const { data, pagination } = await owner.call(listInvoices, { query: { ...query, page: 9 } })
      expect([data, pagination.total]).toEqual([[], 'status' in query ? 3 : 5])
    }
  })
})

test('ranges of days include both ends and leave out drafts', async () => {
  expect(await found({ issuedFrom: '2026-01-03', issuedTo: '2026-01-05' })).toEqual([3, 0])
  expect(await found({ issuedFrom: '2026-01-03' })).toEqual([3, 2, 0])
  expect(await found({ issuedTo: '2026-01-03' })).toEqual([3, 1])
  expect(await found({ issuedFrom: '2026-01-02', orderBy: 'issueDate' })).toEqual([2, 0, 3])
  expect(await found({ issuedTo: '2026-01-05', orderBy: 'issueDate', order: 'asc' })).toEqual([1, 3, 0])
  expect(await found({ dueFrom: '2026-02-10', orderBy: 'dueDate', order: 'asc' })).toEqual([0, 1, 3])
  expect(await found({ dueTo: '2026-02-10', orderBy: 'dueDate' })).toEqual([1, 0, 2])
  expect(await found({ dueTo: '2026-02-10', issuedFrom: '2026-01-02' })).toEqual([2, 0])
  expect(
    await found({ dueTo: '2026-02-10', issuedFrom: '2026-01-02', orderBy: 'issueDate', order: 'asc' }),
  ).toEqual([0, 2])
  const at = { issuedFrom: '2026-01-01', issuedTo: '2026-01-09' }
  expect(await found({ ...at, status: 'PAID' })).toEqual([2])
  expect(await found({ ...at, clientId: itemAt(planted, 1).clientId })).toEqual([1])
  expect(await found({ ...at, search: 'F2026-' })).toEqual([3, 2, 1, 0])
  expect(await found(at, shop.client)).toEqual([3, 1, 0])
  expect(await found({ ...at, applicationId: shop.id, userId: 'a' })).toEqual([3, 0])
  const refused = await owner.send(listInvoices, { query: { issuedFrom: 'yesterday' } })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'issuedFrom' }] } })
})

test('unpaid invoices have an amount due', async () => {
  expect(await found({ unpaid: true })).toEqual([3, 1, 0])
  expect(await found({ unpaid: true, overdue: true })).toEqual([0, 1])
  expect(await found({ unpaid: true, clientId: itemAt(planted, 2).clientId })).toEqual([])
})

test('invoices are read again by their ids, as far as they still match', async () => {
  const ids = [3, 2, 0].map(n => itemAt(planted, n).id)
  expect(await found({ ids: [...ids, newId()] })).toEqual([3, 2, 0])
  expect(await found({ ids, status: 'PAID' })).toEqual([2])
  expect(await found({ ids, orderBy: 'totalCents', order: 'asc' })).toEqual([2, 0, 3])
  expect(await found({ ids: ids[0] })).toEqual([3])
  expect(await found({ ids }, shop.client)).toEqual([3, 0])
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(await found({ ids }, stranger)).toEqual([])
  const most = Array.from({ length: limits.invoicesById }, newId)
  expect(await found({ ids: most })).toEqual([])
  expect(await owner.send(listInvoices, { query: { ids: [...most, newId()] } })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'ids' }] },
  })
  const { pagination } = await owner.call(listInvoices, { query: { ids } })
  expect(pagination.limit).toBe(limits.invoicesById)
})

test('a search finds a total in the smallest unit', async () => {
  expect(await found({ search: '300' })).toEqual([3, 0])
  expect(await found({ search: '300', orderBy: 'createdAt', order: 'asc' })).toEqual([0, 3])
  expect(await found({ search: '300', applicationId: shop.id, userId: 'a', status: 'ISSUED' })).toEqual([
    3, 0,
  ])
  expect(await found({ search: '0300000000000000000000' })).toEqual([])
})
