import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { assetOrders, duplicateAsset, listAssets, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { addToCollection } from '#contract/studio/collections.ts'
import { restoreAsset } from '#contract/studio/lifecycle.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { defined } from '#tests/support/elements.ts'
import { insertCopies } from '#tests/support/rows.ts'
import { linkAsset, makeAsset, makeCollection, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const page = async (query: object, who = author) => {
  const { items, total } = await who.call(listAssets, { query: query as never })
  return { names: items.map(({ name }) => name), total }
}
const names = async (query: object, who = author) => (await page(query, who)).names
const visibility = 'ORGANIZATION'

it('lists the assets with a tag, in every order and with every other filter', async () => {
  const ids = new Map<string, string>()
  for (const [name, type, tags] of [
    ['Bee one', 'PROMPT', ['Honey', 'wax']],
    ['Bee two', 'SKILL', ['honey']],
    ['Bee three', 'PROMPT', ['wax']],
    ['Bee four', 'PROMPT', ['honeycomb']],
  ] as const)
    ids.set(name, (await makeAsset(author, { name, type, tags: [...tags], visibility })).id)
  const two = defined(ids.get('Bee two'))
  await author.call(useAsset, { params: { id: two } })
  expect(await page({ tag: 'honey' })).toEqual({ names: ['Bee two', 'Bee one'], total: 2 })
  expect(await names({ tag: ' HONEY ' })).toEqual(['Bee two', 'Bee one'])
  expect(await names({ tag: 'honey', orderBy: 'name' })).toEqual(['Bee one', 'Bee two'])
  expect(await names({ tag: 'honey', orderBy: 'recent' })).toEqual(['Bee two', 'Bee one'])
  expect(await page({ tag: 'honey', orderBy: 'name', limit: 1, offset: 1 })).toEqual({
    names: ['Bee two'],
    total: 2,
  })
  expect(await names({ tag: 'hon' })).toEqual([])
  expect(await names({ tag: 'honey', type: 'SKILL' })).toEqual(['Bee two'])
  expect(await names({ tag: 'honey', status: 'PUBLISHED' })).toEqual([])
  expect(await names({ tag: 'honey', authorId: other.id })).toEqual([])
  expect(await page({ tag: 'honey', authorId: author.id })).toMatchObject({ total: 2 })
  const collectionId = await makeCollection(author)
  for (const name of ['Bee one', 'Bee three'])
    await author.call(addToCollection, {
      params: { id: collectionId },
      body: { assetId: defined(ids.get(name)) },
    })
  expect(await names({ tag: 'honey', collectionId })).toEqual(['Bee one'])
  await linkAsset(author, two, 'ticket', 'T-7')
  expect(await names({ tag: 'honey', entityType: 'ticket', entityId: 'T-7' })).toEqual(['Bee two'])
  for (const orderBy of [undefined, ...assetOrders])
    expect(await page({ tag: 'wax', search: 'bee', ...(orderBy && { orderBy }) })).toMatchObject({ total: 2 })
  expect(await names({ tag: 'wax', search: 'three' })).toEqual(['Bee three'])
  expect(await names({ tag: 'honey', search: 'three' })).toEqual([])
})

it('follows every change of the tags, and a deletion', async () => {
  const { id } = await makeAsset(author, { name: 'Fox', tags: ['red', 'wild'], visibility })
  const tagged = async () =>
    (await Promise.all(['red', 'wild', 'tame'].map(tag => names({ tag })))).map(({ length }) => length)
  expect(await tagged()).toEqual([1, 1, 0])
  await author.call(updateAsset, { params: { id }, body: { tags: ['Tame', 'red'] } })
  expect(await tagged()).toEqual([1, 0, 1])
  await author.call(updateAsset, { params: { id }, body: { name: 'Fox again' } })
  expect(await tagged()).toEqual([1, 0, 1])
  const copy = await author.call(duplicateAsset, { params: { id } })
  expect(await tagged()).toEqual([2, 0, 2])
  await author.send(removeAsset, { params: { id } })
  expect(await tagged()).toEqual([1, 0, 1])
  await author.call(restoreAsset, { params: { id } })
  expect(await tagged()).toEqual([2, 0, 2])
  await author.call(updateAsset, { params: { id: copy.id }, body: { tags: [] } })
  expect(await tagged()).toEqual([1, 0, 1])
})

it('lists only what the caller may read', async () => {
  const { id } = await makeAsset(author, { name: 'Secret fish', tags: ['fish'] })
  expect(await page({ tag: 'fish' }, other)).toEqual({ names: [], total: 0 })
  const admin = await organization.person({ role: 'ADMIN' })
  expect(await page({ tag: 'fish' }, admin)).toMatchObject({ total: 1 })
  await shareAsset(server, author, id, 'USER', other.id)
  expect(await page({ tag: 'fish' }, other)).toMatchObject({ total: 1 })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(await page({ tag: 'fish' }, stranger)).toEqual({ names: [], total: 0 })
})

it.each([{ tag: '' }, { tag: '  ' }, { tag: 'x'.repeat(limits.assetTag + 1) }])('refuses %j', async query => {
  expect((await author.send(listAssets, { query })).status).toBe(400)
})

it('counts at most 10,000, and reads the newest of a common tag', async () => {
  const { id } = await makeAsset(author, { name: 'Common', tags: ['common'], visibility })
  const count = limits.searchTotal + 5
  await insertCopies(server, 'asset', { id }, count, n => ({
    id: `a${n}`,
    slug: `common-${n}`,
    name: `Copy ${n}`,
  }))
  for (const table of ['asset_counter', 'asset_tag'] as const)
    await insertCopies(server, table, { asset_id: id }, count, n => ({ asset_id: `a${n}` }))
  const reply = await author.call(listAssets, { query: { tag: 'common', limit: 3 } })
  expect([reply.items.length, reply.total, reply.totalIsBound]).toEqual([3, limits.searchTotal, true])
  const last = await author.call(listAssets, { query: { tag: 'common', offset: limits.pageOffset } })
  expect(last.total).toBe(limits.searchTotal)
  expect((await author.call(listAssets, { query: { tag: 'honey' } })).totalIsBound).toBeUndefined()
})
