import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBudget, listBudgets, updateBudget } from '#contract/crm/budgets.ts'
import { createOpportunity, listOpportunities, updateOpportunity } from '#contract/crm/opportunities.ts'
import { limits } from '#contract/limits.ts'
import { foldedName } from '#platform/fold.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertMany, secondsAgo } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let stranger: Person
let clientId: string
beforeAll(async () => {
  server = await startTestServer()
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
beforeEach(async () => {
  owner = await (await server.organization()).person({ role: 'OWNER' })
  clientId = (await makeClient(owner)).id
})
afterAll(() => server?.close())

type Query = { search: string; status?: never; clientId?: string; limit?: number; offset?: number }
const lists = {
  budgets: {
    make: async (title: string) => (await owner.call(createBudget, { body: { title, clientId } })).id,
    rename: (id: string, title: string) => owner.call(updateBudget, { params: { id }, body: { title } }),
    send: (query: Query, by = owner) => by.send(listBudgets, { query }),
  },
  opportunities: {
    make: async (title: string) => (await owner.call(createOpportunity, { body: { title, clientId } })).id,
    rename: (id: string, title: string) => owner.call(updateOpportunity, { params: { id }, body: { title } }),
    send: (query: Query, by = owner) => by.send(listOpportunities, { query }),
  },
}

describe.each(Object.entries(lists))('a search of %s', (noun, { make, rename, send }) => {
  const find = async (search: string, more: Omit<Query, 'search'> = {}) => {
    const { status, body } = await send({ ...more, search })
    expect(status).toBe(200)
    return { ids: body.items.map(({ id }) => id), total: body.total }
  }

  test('finds every word in any case and accent, the newest first', async () => {
    const old = await make('Reforma de la Cocina')
    const latest = await make('Reforma del BAÑO, 100 %')
    await make('Œuvre')
    expect(await find('reforma')).toEqual({ ids: [latest, old], total: 2 })
    expect(await find('bano reforma')).toEqual({ ids: [latest], total: 1 })
    expect(await find('cóc')).toEqual({ ids: [old], total: 1 })
    expect((await find('oeuvre')).total).toBe(1)
    // two characters match the beginning of a word
    expect((await find('co')).ids).toEqual([old])
    expect((await find('oc')).ids).toEqual([])
    expect((await find('100 %')).ids).toEqual([latest])
    expect((await find('reforma_')).ids).toEqual([])
    expect(await find('reforma', { limit: 1, offset: 1 })).toEqual({ ids: [old], total: 2 })
    expect(await find('reforma', { limit: 1, offset: 2 })).toEqual({ ids: [], total: 2 })
    await rename(old, 'Tejado')
    expect((await find('cocina')).ids).toEqual([])
    expect((await find('tejado')).ids).toEqual([old])
    expect((await send({ search: 'reforma' }, stranger)).body.items).toEqual([])
  })

  test('applies the other filters', async () => {
    const id = await make('Reforma')
    const [open, closed] = (noun === 'budgets' ? ['DRAFT', 'SIGNED'] : ['OPEN', 'WON']) as [never, never]
    expect((await find('reforma', { status: open, clientId })).ids).toEqual([id])
    expect((await find('reforma', { status: closed })).ids).toEqual([])
  })

  test('refuses a text that is too short or too long', async () => {
    for (const search of ['a', ' a ', 'a'.repeat(limits.search + 1)])
      expect(refusalOf(await send({ search }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('a search of budgets finds parts of their codes', async () => {
  const { id, code } = await owner.call(createBudget, { body: { title: 'Kitchen', clientId } })
  await owner.call(createBudget, { body: { title: 'Bath', clientId, code: 'Año-77/B' } })
  const find = async (search: string) =>
    (await owner.call(listBudgets, { query: { search } })).items.map(({ title }) => title)
  expect(await find(code.toLowerCase())).toEqual(['Kitchen'])
  expect(await find('0001')).toEqual(['Kitchen'])
  expect(await find('ano-77')).toEqual(['Bath'])
  expect(await find(id)).toEqual([])
})

test('older matches are found when the newest rows have few', async () => {
  const wanted = await lists.budgets.make('Needle')
  await insertMany(server, 'budget', limits.customerSearchNewest, n => ({
    organization_id: owner.organizationId,
    id: `b${n}`,
    code: `X-${n}`,
    title: 'Hay',
    title_folded: 'hay',
    client_id: clientId,
    created_at: secondsAgo(-n),
  }))
  const { items } = await owner.call(listBudgets, { query: { search: 'needle' } })
  expect(items.map(({ id }) => id)).toEqual([wanted])
  // enough of the newest match, so that no older one is looked for
  expect((await owner.call(listBudgets, { query: { search: 'hay' } })).total).toBe(
    limits.customerSearchNewest,
  )
})

test('the titles of budgets from before the search are folded as new ones are', async () => {
  const titles = ['Reforma del BAÑO', 'Œuvre straße, Łódź', 'ﬁn Ⅳ ½', 'Проект ЁЖ', 'İstanbul ıŋĸſ þð']
  for (const title of titles) await lists.budgets.make(title)
  const rows = await server.sql<{ title: string; existing: string; written: string }>(
    `select title, budget_search_text(code, title, null) as existing,
       budget_search_text(code, title, title_folded) as written
     from budget where organization_id = $1`,
    [owner.organizationId],
  )
  expect(rows).toHaveLength(titles.length)
  for (const { title, existing, written } of rows) {
    expect(existing).toBe(written)
    expect(written.split('\n ')[1]).toBe(foldedName(title))
  }
})
