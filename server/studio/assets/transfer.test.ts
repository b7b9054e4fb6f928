import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import { listAssets, readAsset } from '#contract/studio/assets.ts'
import { archiveAsset, transferAsset, transferAssetsOf } from '#contract/studio/lifecycle.ts'
import { listShares } from '#contract/studio/shares.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, makeAll } from '#tests/support/elements.ts'
import { emittedEvents, makeAsset, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  admin = await organization.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

const transfer = (person: Person, id: string, authorId: string) =>
  person.send(transferAsset, { params: { id }, body: { authorId } })
const transferAll = (person: Person, personId: string, authorId: string) =>
  person.send(transferAssetsOf, { params: { personId }, body: { authorId } })
const total = async (person: Person, query: object = {}) =>
  (await person.call(listAssets, { query: { limit: 1, ...query } })).total
const listedIds = async (person: Person, query: object) =>
  (await person.call(listAssets, { query: { limit: 100, ...query } })).items.map(({ name }) => name).sort()

it('transfers an asset to a new author with full access', async () => {
  const [one, two, third] = await makeAll(3, () => organization.person())
  await makeUnit('WORKSPACE', admin, [one, third])
  const { id } = await makeAsset(one, { name: 'Heirloom', visibility: 'WORKSPACE' })
  await shareAsset(server, one, id, 'USER', two.id)
  expect([await total(one), await total(two), await total(third)]).toEqual([1, 1, 1])

  const { status, body } = await transfer(one, id, two.id)
  expect([status, body]).toEqual([201, { id, author: { id: two.id, name: two.name } }])
  expect(await two.call(readAsset, { params: { id } })).toMatchObject({
    access: 'ADMIN',
    author: { id: two.id },
  })
  expect((await two.call(listShares, { params: { id } })).total).toBe(0)
  expect((await one.send(readAsset, { params: { id } })).status).toBe(404)
  expect([await total(one), await total(two), await total(third)]).toEqual([0, 1, 0])
  for (const query of [{ authorId: two.id }, { search: 'heirloom' }]) {
    expect(await listedIds(two, query)).toEqual(['Heirloom'])
    expect(await listedIds(admin, query)).toEqual(['Heirloom'])
    expect(await listedIds(one, query)).toEqual([])
  }
  expect(await total(admin, { authorId: one.id })).toBe(0)
  const events = await emittedEvents(server, organization.id, id)
  expect(events.slice(-2)).toMatchObject([
    { name: 'ai-asset.updated', data: { assetId: id, changes: ['author'] } },
    { name: 'ai-asset.updated', data: { assetId: id } },
  ])

  const before = events.length
  expect((await transfer(two, id, two.id)).status).toBe(201)
  expect(await emittedEvents(server, organization.id, id)).toHaveLength(before)
})

it('keeps the shares with others and their counts', async () => {
  const [one, two, reader] = await makeAll(3, () => organization.person())
  const group = await makeUnit('GROUP', admin, [reader, one])
  const personal = await makeAsset(one, { name: 'Shared in person' })
  const byGroup = await makeAsset(one, { name: 'Shared with a group' })
  await shareAsset(server, one, personal.id, 'USER', reader.id)
  await shareAsset(server, one, byGroup.id, 'GROUP', group)
  for (const { id } of [personal, byGroup]) await transfer(admin, id, two.id)
  expect([await total(one), await total(two), await total(reader)]).toEqual([1, 2, 2])
  expect(await listedIds(one, {})).toEqual(['Shared with a group'])
  await transfer(admin, byGroup.id, reader.id)
  expect([await total(one), await total(two), await total(reader)]).toEqual([1, 1, 2])
})

it('rejects callers who are neither author nor administrator, and new authors who are not members', async () => {
  const [one, two] = await makeAll(2, () => organization.person())
  const { id } = await makeAsset(one, { visibility: 'ORGANIZATION' })
  await shareAsset(server, one, id, 'USER', two.id, { level: 'ADMIN' })
  expect(await transfer(two, id, two.id)).toMatchObject({
    status: 403,
    body: { errorCode: 'ASSET_ACCESS_DENIED' },
  })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect((await transfer(stranger, id, stranger.id)).status).toBe(404)
  for (const authorId of [stranger.id, newId()]) {
    expect(await transfer(one, id, authorId)).toMatchObject({
      status: 400,
      body: { errorCode: 'AUTHOR_UNKNOWN' },
    })
  }
})

it('lets administrators transfer all assets of a former member in batches', async () => {
  const company = await server.organization()
  const [boss, leaver, heir] = await Promise.all([
    company.person({ role: 'ADMIN' }),
    company.person(),
    company.person(),
  ])
  const many = 60
  const created = await Promise.all(
    Array.from({ length: many }, (_, n) => makeAsset(leaver, { name: `Work ${n}` })),
  )
  await leaver.call(archiveAsset, { params: { id: firstOf(created).id } })
  await boss.call(removeMember, { params: { personId: leaver.id } })
  const manager = await company.person({ permissions: ['ORG_MANAGE', 'STUDIO_VIEW'] })
  for (const person of [heir, manager])
    expect((await transferAll(person, leaver.id, person.id)).status).toBe(403)
  expect(await transferAll(boss, newId(), heir.id)).toMatchObject({
    status: 404,
    body: { errorCode: 'MEMBER_NOT_FOUND' },
  })
  expect(await transferAll(boss, heir.id, leaver.id)).toMatchObject({
    status: 400,
    body: { errorCode: 'AUTHOR_UNKNOWN' },
  })
  const response = await transferAll(boss, leaver.id, heir.id)
  expect([response.status, response.body]).toEqual([200, { transferred: many, remaining: 0 }])
  expect([await total(heir), await total(heir, { status: 'ARCHIVED' })]).toEqual([many - 1, 1])
  expect(await total(boss, { authorId: leaver.id })).toBe(0)
  expect((await transferAll(boss, leaver.id, heir.id)).body).toEqual({ transferred: 0, remaining: 0 })
  expect(limits.assetsPerHandOver).toBeGreaterThan(many)
})
