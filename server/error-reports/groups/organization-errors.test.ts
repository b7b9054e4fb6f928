import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listErrorGroups, listOrganizationErrors } from '#contract/error-reports/tab.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import { newId } from '#platform/ids.ts'
import { atLeast, only } from '#tests/support/elements.ts'
import { createReporter, reportTestError } from '#tests/support/error-reports/reports.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
let shop: TestApplication
let blog: TestApplication
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person({ permissions: ['ERROR_REPORTS_MANAGE', 'INTEGRATIONS_MANAGE'] })
  shop = await createReporter(server, organization, { name: 'Shop' })
  blog = await createReporter(server, organization, { name: 'Blog' })
  await reportTestError(shop, { message: 'Cart is empty', module: 'checkout', severity: 'high' })
  await reportTestError(blog, { message: 'Mail failed: 100%', module: 'mail', file: 'src/Outgoing.ts' })
  await reportTestError(shop, { message: 'Cart is full', module: 'checkout', occurrences: 4 })
})
afterAll(() => server?.close())

const all = (query: object) => person.call(listOrganizationErrors, { query: query as never })
const messagesOf = ({ items }: { items: { message: string }[] }) => items.map(({ message }) => message)

describe('the errors of all applications', () => {
  const newestFirst = ['Cart is full', 'Mail failed: 100%', 'Cart is empty']
  test.each<[string, object, string[]]>([
    ['all, latest first', {}, newestFirst],
    ['a page', { limit: 1, offset: 1 }, ['Mail failed: 100%']],
    ['a severity', { severity: 'high' }, ['Cart is empty']],
    ['a state', { state: 'RESOLVED' }, []],
    ['a period', { from: '2020-01-01', to: '2099-01-01' }, newestFirst],
    ['a part of the message, without regard to case', { search: 'cART' }, ['Cart is full', 'Cart is empty']],
    ['a part of the module', { search: 'heckou' }, ['Cart is full', 'Cart is empty']],
    ['a part of the file', { search: 'outgoing' }, ['Mail failed: 100%']],
    ['special characters as themselves', { search: '100%' }, ['Mail failed: 100%']],
    ['no match', { search: '1_0' }, []],
    ['a search and a filter', { search: 'cart', severity: 'high' }, ['Cart is empty']],
    ['a page of a search', { search: 'cart', limit: 1, offset: 1 }, ['Cart is empty']],
    ['a search of blanks', { search: '  ' }, newestFirst],
  ])('%s', async (_name, query, expected) => {
    const reply = await all(query)
    expect(messagesOf(reply)).toEqual(expected)
    if (!('limit' in query)) expect(reply.total).toBe(expected.length)
  })

  test('a page after the last one has the total', async () => {
    for (const query of [{}, { search: 'cart' }])
      expect(await all({ ...query, offset: 50 })).toMatchObject({
        items: [],
        total: 'search' in query ? 2 : 3,
      })
  })

  test('shows the application and the occurrences by hour', async () => {
    const error = only((await all({ search: 'full' })).items)
    expect(error).toMatchObject({ applicationId: shop.id, applicationName: 'Shop', count: 4 })
    const hour = `${new Date(error.lastOccurrence).toISOString().slice(0, 13)}:00:00.000Z`
    expect(error.hours).toEqual([{ hour, count: 4 }])
    const past = (hours: number) => new Date(Date.parse(hour) - hours * 3_600_000).toISOString()
    await insertRows(
      server,
      'error_hour',
      [2, 22, 26, 30].map(hours => ({
        organization_id: organization.id,
        error_id: error.id,
        hour: past(hours),
        count: 7,
      })),
    )
    const again = only((await all({ ids: [error.id] })).items)
    expect(again.hours).toEqual([
      { hour: past(22), count: 7 },
      { hour: past(2), count: 7 },
      { hour, count: 4 },
    ])
  })

  test('finds errors by their ids, only those of the application if it is given', async () => {
    const { items } = await all({})
    const [full, mail] = atLeast(2, items)
    const ids = [mail.id, full.id, newId()]
    expect(await all({ ids })).toMatchObject({ items: [{ id: full.id }, { id: mail.id }], total: 2 })
    expect(messagesOf(await all({ ids, search: 'mail' }))).toEqual(['Mail failed: 100%'])
    expect(messagesOf(await all({ ids, applicationId: shop.id }))).toEqual(['Cart is full'])
    const ofShop = await person.call(listErrorGroups, { params: { id: shop.id }, query: { ids } })
    expect(ofShop).toEqual(await all({ ids, applicationId: shop.id }))
    expect(messagesOf(await all({ applicationId: blog.id }))).toEqual(['Mail failed: 100%'])
    const tab = await person.call(listErrorGroups, { params: { id: shop.id }, query: { search: 'full' } })
    expect(messagesOf(tab)).toEqual(['Cart is full'])
  })

  test('leaves out the errors of deleted applications', async () => {
    const gone = await createReporter(server, organization)
    await reportTestError(gone, { message: 'Gone with it' })
    expect(await all({ search: 'gone' })).toMatchObject({ total: 1 })
    const before = (await all({})).total
    await person.send(removeApplication, { params: { id: gone.id } })
    expect(await all({ search: 'gone' })).toMatchObject({ items: [], total: 0 })
    expect((await all({})).total).toBe(before - 1)
    expect(await person.send(listOrganizationErrors, { query: { applicationId: gone.id } })).toMatchObject({
      status: 404,
      body: { errorCode: 'APPLICATION_NOT_FOUND' },
    })
  })

  test("needs the permission, and never shows another organization's errors", async () => {
    const plain = await organization.person()
    expect((await plain.send(listOrganizationErrors, {})).status).toBe(403)
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const { items } = await all({})
    for (const query of [{}, { search: 'cart' }, { ids: items.map(({ id }) => id) }])
      expect(await stranger.call(listOrganizationErrors, { query })).toMatchObject({ items: [], total: 0 })
    expect((await stranger.send(listOrganizationErrors, { query: { applicationId: shop.id } })).status).toBe(
      404,
    )
  })

  test.each([
    { search: 'x'.repeat(201) },
    { ids: Array.from({ length: 101 }, () => newId()) },
    { limit: 101 },
  ])('refuses a query that is too large', async query => {
    expect((await person.send(listOrganizationErrors, { query })).status).toBe(400)
  })
})
