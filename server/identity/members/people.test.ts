import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { listPeople } from '#contract/identity/people.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('names current and former members of the organization, and nobody else', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Olga' })
  const mia = await organization.person({ name: 'Mia', permissions: [] })
  const leo = await organization.person({ name: 'Leo' })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  await owner.call(removeMember, { params: { personId: leo.id } })
  const query = { ids: [leo.id, owner.id, stranger.id, newId()] }
  const { items } = await mia.call(listPeople, { query })
  expect(items.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { id: leo.id, name: 'Leo', isMember: false },
    { id: owner.id, name: 'Olga', isMember: true },
  ])
})

test('takes a limited number of ids, each once', async () => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const many = Array.from({ length: limits.pageLimit + 1 }, newId)
  for (const ids of [many, [owner.id, owner.id], [owner.id, 'a\0b']])
    expect(refusalOf(await owner.send(listPeople, { query: { ids } }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(refusalOf(await owner.send(listPeople, { query: {} as never }))).toEqual([400, 'VALIDATION_ERROR'])
})
