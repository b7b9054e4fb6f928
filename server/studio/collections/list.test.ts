import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input } from '#contract/operation.ts'
import {
  type AssetItem,
  assetOrders,
  assetTypes,
  listAssets,
  removeAsset,
  updateAsset,
  visibilities,
} from '#contract/studio/assets.ts'
import {
  addToCollection,
  listCollectionAssets,
  listCollections,
  readCollection,
} from '#contract/studio/collections.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { newId } from '#platform/ids.ts'
import { defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { makeAsset, makeCollection, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
})
afterAll(() => server.close())

describe('GET /collections', () => {
  type Query = Input<typeof listCollections>['query']
  let owner: Person
  /** The collections by name, in the tree below. */
  const ids: Record<string, string> = {}
  const listed = async (query: Query = {}) => (await owner.call(listCollections, { query })).items
  const names = async (query: Query = {}) => (await listed(query)).map(({ name }) => name)

  beforeAll(async () => {
    owner = await (await server.organization()).person()
    const make = async (name: string, parent?: string, position?: number) => {
      ids[name] = await makeCollection(owner, { name, parentId: parent && ids[parent], position })
    }
    await make('b')
    await make('Ámbar')
    await make('last', undefined, 1)
    await make('b1', 'b', 2)
    await make('b2', 'b', 1)
    await make('b1 x', 'b1')
    await make('a', 'Ámbar')
    await make('z', 'last')
    await make('b-side')
  })

  it('orders by position, name and id', async () => {
    expect(await names()).toEqual(['a', 'Ámbar', 'b', 'b-side', 'b1 x', 'z', 'b2', 'last', 'b1'])
  })

  it('lists the top level or the children of one collection', async () => {
    expect(await names({ parentId: 'root' })).toEqual(['Ámbar', 'b', 'b-side', 'last'])
    expect(await names({ parentId: ids.b })).toEqual(['b2', 'b1'])
    expect(await names({ parentId: ids.a })).toEqual([])
  })

  it('lists the whole tree or the subtree of one collection', async () => {
    const whole = ['Ámbar', 'a', 'b', 'b2', 'b1', 'b1 x', 'b-side', 'last', 'z']
    expect(await names({ tree: true })).toEqual(whole)
    expect(await names({ tree: true, parentId: 'root' })).toEqual(whole)
    expect(await names({ tree: true, parentId: ids.b })).toEqual(['b2', 'b1', 'b1 x'])
    expect(await names({ tree: false })).toHaveLength(9)
  })

  it('returns the path of each collection and its number of assets', async () => {
    const items = await listed({ tree: true })
    expect(items.map(({ path }) => path.map(({ name }) => name).join('/'))).toEqual([
      'Ámbar',
      'Ámbar/a',
      'b',
      'b/b2',
      'b/b1',
      'b/b1/b1 x',
      'b-side',
      'last',
      'last/z',
    ])
    expect(items.map(({ childCount }) => childCount)).toEqual([1, 0, 2, 0, 1, 0, 0, 1, 0])
    for (const item of items) {
      expect(await owner.call(readCollection, { params: { id: item.id } })).toEqual(item)
    }
  })

  it.each([{}, { tree: true }, { parentId: 'root' }])(
    'returns each collection once, page by page: %o',
    async query => {
      const whole = await names({ ...query, limit: 100 })
      const pagedIds: string[] = []
      for (let offset = 0; offset <= whole.length; offset += 2) {
        const { items, ...rest } = await owner.call(listCollections, {
          query: { ...query, limit: 2, offset },
        })
        expect(rest).toEqual({ total: whole.length, limit: 2, offset })
        pagedIds.push(...items.map(({ name }) => name))
      }
      expect(pagedIds).toEqual(whole)
    },
  )

  it('returns the same error for a parent that does not exist or is foreign', async () => {
    for (const tree of [false, true]) {
      const request = (parentId: string, reader: Person) =>
        reader.send(listCollections, { query: { parentId, tree } })
      const unknown = await request(newId(), person)
      expect(refusalOf(unknown)).toEqual([404, 'COLLECTION_NOT_FOUND'])
      expect((await request(defined(ids.b), person)).text).toBe(unknown.text)
    }
  })

  it.each([
    { limit: 0 },
    { limit: 101 },
    { offset: -1 },
    { offset: 10_001 },
    { parentId: '' },
    { tree: 'perhaps' },
  ])('rejects %o', async query => {
    expect(refusalOf(await owner.send(listCollections, { query: query as never }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  it('returns nothing of another organization', async () => {
    const other = await (await server.organization()).person()
    expect(await other.call(listCollections)).toEqual({ items: [], total: 0, limit: 20, offset: 0 })
  })
})

describe('GET /collections/:id/assets', () => {
  it('omits archived and deleted assets, and filters by type and status', async () => {
    const id = await makeCollection(person)
    const make = () => makeAsset(person, { collectionIds: [id], type: 'SKILL' })
    const [draft, published, archived, deleted] = [await make(), await make(), await make(), await make()]
    await person.call(publishAsset, { params: { id: published.id } })
    await person.call(archiveAsset, { params: { id: archived.id } })
    await person.call(removeAsset, { params: { id: deleted.id } })
    const pagedIds = async (query: object) => {
      const { items, total } = await person.call(listCollectionAssets, { params: { id }, query })
      expect(total).toBe(items.length)
      return items.map(item => item.id).sort()
    }
    expect(await pagedIds({})).toEqual([draft.id, published.id].sort())
    expect(await pagedIds({ status: 'DRAFT', type: 'SKILL' })).toEqual([draft.id])
    expect(await pagedIds({ status: 'PUBLISHED' })).toEqual([published.id])
    expect(await pagedIds({ status: 'ARCHIVED' })).toEqual([archived.id])
    expect(await pagedIds({ type: 'PROMPT' })).toEqual([])
    expect((await person.call(readCollection, { params: { id } })).assetCount).toBe(2)
  })

  it('returns the same error for a collection that does not exist or is foreign', async () => {
    const stranger = await (await server.organization()).person()
    const request = async (id: string) => stranger.send(listCollectionAssets, { params: { id } })
    const unknown = await request(newId())
    expect(refusalOf(unknown)).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect((await request(await makeCollection(person))).text).toBe(unknown.text)
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    const refused = await limited.send(listCollectionAssets, { params: { id: await makeCollection(person) } })
    expect(refusalOf(refused)).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('the assets of a collection that a person sees', () => {
  const maybe = (n: number) => fc.uniqueArray(fc.nat(n - 1), { maxLength: 2 })
  const anyAsset = fc.record({
    author: fc.nat(2),
    type: fc.constantFrom(...assetTypes.slice(0, 2)),
    visibility: fc.constantFrom(...visibilities),
    movesTo: fc.option(fc.constantFrom(...visibilities)),
    departments: maybe(2),
    isFiled: fc.integer({ min: 0, max: 9 }).map(n => n > 0),
    isFiledLater: fc.boolean(),
    // Three people and a department
    sharedWith: maybe(4),
    fate: fc.constantFrom('draft', 'draft', 'published', 'archived', 'deleted'),
    uses: fc.nat(2),
  })

  type Plan = typeof anyAsset extends fc.Arbitrary<infer Given> ? Given : never

  /** Enough assets, nearly all in the collection, that pages come from a scan of the catalogue. */
  async function build(plans: Plan[]) {
    const organization = await server.organization()
    const people = [await organization.person(), await organization.person(), await organization.person()]
    const admin = await organization.person({ role: 'ADMIN' })
    const departments = [
      await makeUnit('DEPARTMENT', admin, [...people.slice(0, 2), admin]),
      await makeUnit('DEPARTMENT', admin, people.slice(1)),
    ]
    await makeUnit('WORKSPACE', admin, [...people.slice(0, 2), admin])
    const [id, other] = [await makeCollection(admin), await makeCollection(admin)]
    for (const plan of plans) {
      const author = itemAt(people, plan.author)
      const { type, visibility } = plan
      const asset = await makeAsset(author, {
        type,
        visibility,
        departments: plan.departments.map(at => itemAt(departments, at)),
        collectionIds: plan.isFiled && !plan.isFiledLater ? [id, other] : [other],
      })
      const params = { id: asset.id }
      if (plan.isFiled && plan.isFiledLater)
        await author.call(addToCollection, { params: { id }, body: { assetId: asset.id } })
      for (const at of plan.sharedWith) {
        if (at === 3) await shareAsset(server, author, asset.id, 'DEPARTMENT', firstOf(departments))
        else if (at !== plan.author) await shareAsset(server, author, asset.id, 'USER', itemAt(people, at).id)
      }
      for (let n = 0; n < plan.uses; n++) await author.call(useAsset, { params })
      if (plan.uses === 1) await author.call(thumbsUpAsset, { params })
      if (plan.movesTo) await author.call(updateAsset, { params, body: { visibility: plan.movesTo } })
      if (plan.fate === 'published') await author.call(publishAsset, { params })
      if (plan.fate === 'archived') await author.call(archiveAsset, { params })
      if (plan.fate === 'deleted') await author.call(removeAsset, { params })
    }
    return { everybody: [...people, admin], id }
  }

  it('match the list of all assets: count, pages, orders and filters', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAsset, { minLength: 30, maxLength: 45 }), async plans => {
        const { everybody, id } = await build(plans)
        for (const reader of everybody) {
          for (const [at, query] of [
            {},
            { type: 'PROMPT' },
            { status: 'DRAFT' },
            { status: 'ARCHIVED' },
          ].entries()) {
            const orderBy = defined(assetOrders[at % assetOrders.length])
            const all = (await reader.call(listAssets, { query: { ...query, orderBy, limit: 100 } as never }))
              .items
            const expected = all.filter(({ collectionIds }) => collectionIds.includes(id))
            if (at === 0) {
              const { assetCount } = await reader.call(readCollection, { params: { id } })
              expect(assetCount).toBe(expected.length)
            }
            for (const limit of [3, 100]) {
              const pages: AssetItem[] = []
              for (let offset = 0; offset === 0 || offset < expected.length; offset += limit) {
                const page = { ...query, orderBy, limit, offset } as never
                const response = await reader.call(listCollectionAssets, { params: { id }, query: page })
                expect(response.total).toBe(expected.length)
                pages.push(...response.items)
              }
              expect(pages).toEqual(expected)
            }
            const beside = { ...query, orderBy, limit: 4, collectionId: id } as never
            expect((await reader.call(listAssets, { query: beside })).items).toEqual(expected.slice(0, 4))
          }
        }
      }),
      { numRuns: 2, endOnFailure: true },
    )
  })
})
