import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AssetItem, assetOrders, listAssets, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { thumbsDownAsset, thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { makeAsset, makeCollection, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

const listed = async (person: Person, query: object = {}) => (await person.call(listAssets, { query })).items
const names = async (person: Person, query: object = {}) =>
  (await listed(person, query)).map(({ name }) => name)

describe('GET /assets', () => {
  it('returns all fields of an asset except its content', async () => {
    const admin = await organization.person({ role: 'ADMIN' })
    const departments = [await makeUnit('DEPARTMENT', admin)]
    const { id, ...created } = await makeAsset(author, {
      name: 'Shown',
      description: 'd',
      bodyMarkdown: 'b',
      iconName: 'i',
      color: 'c',
      tags: ['t'],
      departments,
      collectionIds: [await makeCollection(author)],
    })
    await author.call(thumbsDownAsset, { params: { id } })
    const [item] = await listed(author, { authorId: author.id })
    expect(item).toEqual({
      ...created,
      id,
      description: 'd',
      iconName: 'i',
      color: 'c',
      departments,
      tags: ['t'],
      version: '1.0.0',
      collectionIds: [expect.any(String)],
      usageCount: 0,
      thumbsUp: 0,
      thumbsDown: 1,
      myReaction: 'NEGATIVE',
      access: 'ADMIN',
      publishedVersion: null,
      verified: false,
      author: { id: author.id, name: author.name },
      updatedAt: created.createdAt,
    } satisfies AssetItem)
  })

  it('paginates, with 20 items by default', async () => {
    const person = await (await server.organization()).person()
    await Promise.all(Array.from({ length: 23 }, () => makeAsset(person)))
    const page = async (query: object) => {
      const { items, ...rest } = await person.call(listAssets, { query })
      return [items.length, rest]
    }
    expect(await page({})).toEqual([20, { total: 23, limit: 20, offset: 0 }])
    expect(await page({ limit: 100 })).toEqual([23, { total: 23, limit: 100, offset: 0 }])
    expect(await page({ limit: 1, offset: 22 })).toEqual([1, { total: 23, limit: 1, offset: 22 }])
    expect(await page({ offset: 23 })).toEqual([0, { total: 23, limit: 20, offset: 23 }])
    expect(await page({ offset: 10_000 })).toEqual([0, { total: 23, limit: 20, offset: 10_000 }])
  })

  it.each([
    [{ limit: 0 }],
    [{ limit: 101 }],
    [{ limit: 'ten' }],
    [{ limit: 1.5 }],
    [{ offset: -1 }],
    [{ offset: 10_001 }],
    [{ type: 'prompt' }],
    [{ status: 'LIVE' }],
    [{ visibility: 'PUBLIC' }],
    [{ orderBy: 'newest' }],
    [{ search: 'x'.repeat(201) }],
    [{ entityType: '' }],
  ])('rejects %o', async query => {
    const { status, body } = await author.send(listAssets, { query: query as never })
    expect([status, body]).toMatchObject([400, { errorCode: 'VALIDATION_ERROR' }])
  })

  it('ignores unknown parameters and an empty search', async () => {
    const all = await author.call(listAssets, {})
    expect(await author.call(listAssets, { query: { page: 2, search: ' ' } as never })).toEqual(all)
  })

  it('orders by uses and reactions, by time of change, and by name', async () => {
    const { person: somebody } = await server.organization()
    const [one, two] = [await somebody(), await somebody()]
    const make = (name: string) => makeAsset(one, { name, visibility: 'ORGANIZATION' })
    const [zeta, alpha, enie] = [await make('zeta'), await make('Álpha'), await make('Ñandú')]
    const [nose] = [await make('nose')]
    expect(await names(two)).toEqual(['nose', 'Ñandú', 'Álpha', 'zeta'])
    expect(await names(two, { orderBy: 'recent' })).toEqual(['nose', 'Ñandú', 'Álpha', 'zeta'])
    expect(await names(two, { orderBy: 'name' })).toEqual(['Álpha', 'Ñandú', 'nose', 'zeta'])

    await one.call(updateAsset, { params: { id: zeta.id }, body: { iconName: 'z' } })
    expect(await names(two, { orderBy: 'recent' })).toEqual(['zeta', 'nose', 'Ñandú', 'Álpha'])

    await two.call(useAsset, { params: { id: alpha.id } })
    await one.call(thumbsUpAsset, { params: { id: enie.id } })
    await one.call(thumbsDownAsset, { params: { id: nose.id } })
    expect(await names(two, { orderBy: 'popular' })).toEqual(['Álpha', 'Ñandú', 'zeta', 'nose'])
    // Uses and reactions are not changes
    expect(await names(two, { orderBy: 'recent' })).toEqual(['zeta', 'nose', 'Ñandú', 'Álpha'])
  })

  it('omits archived assets unless they are requested', async () => {
    const { person: somebody } = await server.organization()
    const person = await somebody()
    const [away, live] = [
      await makeAsset(person, { name: 'Away' }),
      await makeAsset(person, { name: 'Live' }),
    ]
    await person.call(archiveAsset, { params: { id: away.id } })
    await person.call(publishAsset, { params: { id: live.id } })
    expect(await names(person)).toEqual(['Live'])
    expect(await names(person, { status: 'ARCHIVED' })).toEqual(['Away'])
    expect(await names(person, { status: 'PUBLISHED' })).toEqual(['Live'])
    expect(await names(person, { status: 'DRAFT' })).toEqual([])
  })

  it('shows the access that a share gives, whatever the filter', async () => {
    const reader = await organization.person()
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await shareAsset(server, author, id, 'USER', reader.id, { level: 'EDIT' })
    for (const filter of [{}, { visibility: 'ORGANIZATION' }, { authorId: author.id }]) {
      const items = await listed(reader, { ...filter, orderBy: 'recent', limit: 100 })
      expect(items.find(item => item.id === id)?.access).toBe('EDIT')
    }
  })

  it('requires STUDIO_VIEW', async () => {
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    expect((await limited.send(listAssets, {})).status).toBe(403)
  })
})

describe('pages of a large catalogue', () => {
  it('contain each asset once, in the same order at any offset, for every caller', {
    timeout: 60_000,
  }, async () => {
    const company = await server.organization()
    const [admin, one, two] = [
      await company.person({ role: 'ADMIN' }),
      await company.person(),
      await company.person(),
    ]
    const departments = [await makeUnit('DEPARTMENT', admin, [two])]
    await makeUnit('WORKSPACE', admin, [one, two])
    const visible = ['ORGANIZATION', 'MARKETPLACE', 'DEPARTMENT', 'WORKSPACE', 'PRIVATE'] as const
    const types = ['PROMPT', 'SKILL'] as const
    const make = async (n: number) => {
      const person = itemAt([admin, one, two], n % 3)
      const given = {
        name: `Large ${n % 50}`,
        visibility: defined(visible[n % 5]),
        type: defined(types[n % 2]),
        departments,
      }
      const { id } = await makeAsset(person, given)
      if (n % 4 === 0) await person.call(publishAsset, { params: { id } })
      if (n % 6 === 0) await admin.call(useAsset, { params: { id } }).catch(() => {})
    }
    for (let n = 0; n < 330; n += 10) await Promise.all(Array.from({ length: 10 }, (_, at) => make(n + at)))

    for (const person of [admin, two]) {
      for (const orderBy of assetOrders) {
        const whole: string[] = []
        let total = 0
        for (let offset = 0; offset <= total; offset += 70) {
          const page = await person.call(listAssets, { query: { orderBy, limit: 70, offset } })
          whole.push(...page.items.map(({ id }) => id))
          total = page.total
        }
        expect([whole.length, new Set(whole).size], orderBy).toEqual([total, total])
        const ofAuthors: string[] = []
        for (const { id: authorId } of [admin, one, two]) {
          for (const offset of [0, 100]) {
            ofAuthors.push(
              ...(await listed(person, { authorId, orderBy, limit: 100, offset })).map(({ id }) => id),
            )
          }
        }
        expect(ofAuthors.sort(), orderBy).toEqual([...whole].sort())
        // The same order from plain SQL
        const keys = {
          popular: 'usage_count desc, thumbs_up - thumbs_down desc, created_at desc, id desc',
          recent: 'updated_at desc, id desc',
          name: 'name_folded, id',
        }
        const straight = await server.sql(
          `select a.id from asset a join asset_counter c on c.organization_id = a.organization_id and c.asset_id = a.id where a.id = any($1) order by ${keys[orderBy].replace('created_at', 'a.created_at')}`,
          [whole],
        )
        expect(whole, orderBy).toEqual(straight.map(({ id }) => id))
      }
    }
    expect((await admin.call(listAssets, { query: {} })).total).toBe(330)
  })
})
