import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listBudgets } from '#contract/crm/budgets.ts'
import { archiveClient, listClients } from '#contract/crm/clients.ts'
import { createOpportunity, listOpportunities } from '#contract/crm/opportunities.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { firstOf } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let stranger: Person
let clientId: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
  stranger = await (await server.organization()).person({ role: 'OWNER' })
  clientId = (await makeClient(owner)).id
})
afterAll(() => server?.close())

type Query = { ids: string[]; limit?: number; offset?: number }
const lists = {
  budgets: {
    make: async () => (await makeBudget(owner, { clientId })).id,
    send: (query: Query, by = owner) => by.send(listBudgets, { query }),
  },
  opportunities: {
    make: async () => (await owner.call(createOpportunity, { body: { title: 'Deal', clientId } })).id,
    send: (query: Query, by = owner) => by.send(listOpportunities, { query }),
  },
  clients: {
    make: async () => (await makeClient(owner, { name: `Client ${newId()}` })).id,
    send: (query: Query, by = owner) => by.send(listClients, { query }),
  },
}

describe.each(Object.entries(lists))('%s by ids', (_noun, { make, send }) => {
  test('are returned on one page, without unknown ones and those of others', async () => {
    const wanted = await Promise.all(Array.from({ length: 25 }, make))
    await make()
    const { body } = await send({ ids: [newId(), ...wanted], limit: 1, offset: 3 })
    expect(body.items.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted())
    expect(body).toMatchObject({ total: 25, limit: limits.pageLimit, offset: 0 })
    expect((await send({ ids: [firstOf(wanted)] })).body.items).toHaveLength(1)
    expect((await send({ ids: wanted }, stranger)).body).toMatchObject({ items: [], total: 0 })
  })

  test('are at most a page, each named once', async () => {
    const id = newId()
    const many = Array.from({ length: limits.pageLimit + 1 }, newId)
    for (const ids of [[id, id], many])
      expect(refusalOf(await send({ ids }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('other filters apply to ids, and archived clients are included unless the call says otherwise', async () => {
  const budget = await makeBudget(owner, { clientId })
  const found = async (query: object) =>
    (await owner.call(listBudgets, { query: { ids: [budget.id], ...query } })).total
  expect(await found({ status: 'DRAFT', clientId })).toBe(1)
  expect(await found({ status: 'SIGNED' })).toBe(0)
  expect(await found({ search: `${budget.code} ${budget.title}` })).toBe(1)
  expect(await found({ search: `${budget.code} other` })).toBe(0)
  const { id } = await makeClient(owner, { name: 'Old harbour' })
  await owner.call(archiveClient, { params: { id } })
  const clients = async (query: object) =>
    (await owner.call(listClients, { query: { ids: [id], ...query } })).total
  expect(await clients({})).toBe(1)
  expect(await clients({ archived: true, search: 'harb' })).toBe(1)
  expect(await clients({ archived: false })).toBe(0)
  expect(await clients({ search: 'other' })).toBe(0)
})
