import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import {
  assetOrders,
  listAssets,
  removeAsset,
  updateAsset,
  type Visibility,
} from '#contract/studio/assets.ts'
import { addToCollection } from '#contract/studio/collections.ts'
import { archiveAsset, publishAsset, restoreAsset } from '#contract/studio/lifecycle.ts'
import { createShare, listShares } from '#contract/studio/shares.ts'
import { thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { expectEachFinds, unusualSearches } from '#tests/support/search.ts'
import { makeAsset, makeCollection, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { additions } from '../counters/asset-counters.sql.ts'
import { segmentLength } from '../indexing/asset-index.terms.ts'

let server: TestServer
let organization: Organization
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
})
afterAll(() => server.close())

const found = async (search: string, query: object = {}, who = person) =>
  (await who.call(listAssets, { query: { search, ...query } })).items.map(({ name }) => name)

describe('search', () => {
  it('finds words of the name, slug, tags, description and body', async () => {
    await makeAsset(person, {
      name: 'Quetzal planner',
      tags: ['toucan'],
      description: 'Watches the hoatzin',
      bodyMarkdown: '# Steps\n\n1. Call the **kakapo**, then `kiwi_bird`.',
      frontmatter: { model: 'cassowary' },
    })
    await expectEachFinds(
      found,
      ['quetzal', 'PLANNER', 'toucan', 'hoatzin', 'kakapo', 'kiwi', 'quetzal-planner', 'kakapo planner'],
      ['Quetzal planner'],
    )
    await expectEachFinds(found, ['quetzal pelican', 'cassowary'], [])
  })

  it('makes no difference between letters with and without accents, singular and plural', async () => {
    await makeAsset(person, { name: 'Nóminas del señor Peña', bodyMarkdown: 'Enviar los albaranes' })
    await expectEachFinds(
      found,
      ['nominas', 'NÓMINAS', 'nomina', 'pena', 'Peña señor', 'albaran', 'albarán', 'nominas del señor'],
      ['Nóminas del señor Peña'],
    )
  })

  it('finds words with digits as they are, whatever they end with', async () => {
    await makeAsset(person, {
      name: 'Codes',
      tags: ['gpt4o'],
      description: 'For x1a',
      bodyMarkdown: 'and mp3s',
    })
    await expectEachFinds(found, ['gpt4o', 'x1a', 'mp3s', 'gpt4o x1a', 'x1a mp3s'], ['Codes'])
  })

  it('takes the last word as the beginning of one', async () => {
    await makeAsset(person, { name: 'Orangutan helper', tags: ['mandrill'] })
    for (const search of ['oran', 'or', 'orangutan he', 'helper orangu', 'mandr']) {
      expect(await found(search), search).toContain('Orangutan helper')
    }
  })

  it('forgives a slip', async () => {
    await makeAsset(person, { name: 'Presupuestos trimestrales' })
    await expectEachFinds(
      found,
      ['presupeustos', 'presupestos', 'prezupuestos', 'presupuestoss', 'trimestrlaes presupuestos', 'upuest'],
      ['Presupuestos trimestrales'],
    )
    expect(await found('presidentes')).toEqual([])
  })

  it('puts first the name itself, then its beginning, then all words, then words like them', async () => {
    await makeAsset(person, { name: 'Weekly zorilla' })
    await makeAsset(person, { name: 'Something', bodyMarkdown: 'for the zorilla weekly' })
    await makeAsset(person, { name: 'Zorilla weekly' })
    await makeAsset(person, { name: 'Zorilla weekly digest' })
    await makeAsset(person, { name: 'Zorila weekly' })
    const expected = [
      'Zorilla weekly',
      'Zorilla weekly digest',
      'Weekly zorilla',
      'Something',
      'Zorila weekly',
    ]
    expect(await found('zorilla weekly')).toEqual(expected)
    expect(await found('Zorilla  WEEKLY', { limit: 2, offset: 1 })).toEqual(expected.slice(1, 3))
    expect((await found('zorilla weekly', { orderBy: 'name' })).slice(0, 2)).toEqual([
      'Something',
      'Weekly zorilla',
    ])
    expect((await found('zorilla weekly', { orderBy: 'recent' }))[0]).toBe('Zorila weekly')
  })

  it('finds old assets with every word, however many newer ones have similar words', async () => {
    const company = await server.organization()
    const author = await company.person()
    await makeAsset(author, { name: 'Old', bodyMarkdown: 'for the zorilla', visibility: 'ORGANIZATION' })
    await makeAsset(author, { name: 'Private', bodyMarkdown: 'for the zorilla' })
    // what is added from here on is in later segments than a search for a common word reads
    await server.sql(
      `update asset_bucket_count set counts[1] = counts[1] + $2 where organization_id = $1 and visibility = $3`,
      [company.id, 10 * segmentLength, additions],
    )
    const makeTen = (visibility: Visibility) =>
      Promise.all(Array.from({ length: 10 }, () => makeAsset(author, { name: 'Zorila', visibility })))
    for (let n = 0; n < limits.searchRanked; n += 10) {
      await makeTen('ORGANIZATION')
      await makeTen('PRIVATE')
    }
    expect((await found('zorilla', { limit: 3 }, author)).slice(0, 2).toSorted()).toEqual(['Old', 'Private'])
  })

  it('prefers what is used, among equals', async () => {
    const [, used] = [
      await makeAsset(person, { name: 'Axolotl' }),
      await makeAsset(person, { name: 'Axolotl' }),
      await makeAsset(person, { name: 'Axolotl' }),
    ]
    await person.call(useAsset, { params: { id: used.id } })
    const { items } = await person.call(listAssets, { query: { search: 'axolotl' } })
    expect(items.map(({ usageCount }) => usageCount)).toEqual([1, 0, 0])
    expect(firstOf(items).id).toBe(used.id)
  })

  it('is ordered by popularity when that is asked for, and by relevance when nothing is', async () => {
    const best = await makeAsset(person, { name: 'Capybara' })
    const used = await makeAsset(person, { name: 'Something else', bodyMarkdown: 'About the capybara.' })
    const liked = await makeAsset(person, { name: 'Another thing', description: 'About the capybara.' })
    await person.call(useAsset, { params: { id: used.id } })
    await person.call(thumbsUpAsset, { params: { id: liked.id } })
    expect((await found('capybara'))[0]).toBe(best.name)
    expect(await found('capybara', { orderBy: 'popular' })).toEqual([used.name, liked.name, best.name])
  })

  it('counts exactly, and reaches every page, each asset once, in every order', async () => {
    const company = await server.organization()
    const [author, reader] = [await company.person(), await company.person()]
    const many = 160
    const visible = ['ORGANIZATION', 'PRIVATE', 'MARKETPLACE', 'ORGANIZATION'] as const
    for (let n = 0; n < many; n += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          makeAsset(author, {
            name: n % 20 === 0 ? `Tuatara ${n + at}` : `Lizard ${n + at}`,
            description: 'A tuatara',
            visibility: defined(visible[(n + at) % visible.length]),
          }),
        ),
      )
    }
    const collectionId = await makeCollection(author)
    const { items: some } = await author.call(listAssets, {
      query: { search: 'tuatara', limit: 3, offset: 120 },
    })
    for (const { id } of some)
      await author.call(addToCollection, { params: { id: collectionId }, body: { assetId: id } })
    for (const orderBy of [undefined, ...assetOrders]) {
      for (const [who, count] of [
        [author, many],
        [reader, (many / 4) * 3],
      ] as const) {
        const names = []
        for (let offset = 0; offset < many; offset += 50) {
          const query = { search: 'tuatara', limit: 50, offset, ...(orderBy && { orderBy }) }
          const page = await who.call(listAssets, { query })
          expect([page.total, page.totalIsBound], orderBy).toEqual([count, undefined])
          names.push(...page.items.map(({ name }) => name))
        }
        expect([names.length, new Set(names).size], orderBy).toEqual([count, count])
        if (orderBy === 'name') expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)))
      }
      const query = { search: 'tuatara', collectionId, ...(orderBy && { orderBy }) }
      expect((await author.call(listAssets, { query })).total).toBe(3)
    }
  })

  it('counts exactly after every change of what it counted before', async () => {
    const company = await server.organization()
    const [author, reader] = [await company.person(), await company.person()]
    const admin = await company.person({ role: 'ADMIN' })
    const visibility = 'ORGANIZATION'
    const make = (n: number) => makeAsset(author, { name: `Pangolin ${n}`, visibility })
    const made: { id: string }[] = []
    for (let n = 0; n < 110; n += 10)
      made.push(...(await Promise.all(Array.from({ length: 10 }, (_, at) => make(n + at)))))
    const params = (at: number) => ({ params: { id: itemAt(made, at).id } })
    const totals = () =>
      Promise.all(
        [author, reader].map(
          async who => (await who.call(listAssets, { query: { search: 'pangolin', limit: 1 } })).total,
        ),
      )
    const changes: [change: () => Promise<unknown>, author: number, reader: number][] = [
      [async () => {}, 110, 110],
      [() => make(110), 111, 111],
      [() => author.call(removeAsset, params(0)), 110, 110],
      [() => author.call(restoreAsset, params(0)), 111, 111],
      [() => author.call(updateAsset, { ...params(1), body: { name: 'Armadillo' } }), 110, 110],
      [() => author.call(updateAsset, { ...params(1), body: { bodyMarkdown: 'pangolin' } }), 111, 111],
      [() => author.call(updateAsset, { ...params(2), body: { visibility: 'PRIVATE' } }), 111, 110],
      [() => author.call(archiveAsset, params(3)), 110, 109],
      [() => shareAsset(server, author, itemAt(made, 2).id, 'USER', reader.id), 110, 110],
      [() => author.call(publishAsset, params(4)), 110, 110],
      [() => author.call(updateAsset, { ...params(5), body: { visibility: 'WORKSPACE' } }), 110, 109],
      [() => makeUnit('WORKSPACE', admin, [author, reader]), 110, 110],
      [
        async () => {
          const departments = [await makeUnit('DEPARTMENT', admin, [reader])]
          await author.call(updateAsset, { ...params(6), body: { visibility: 'DEPARTMENT', departments } })
        },
        110,
        110,
      ],
      [
        async () => {
          const { items } = await author.call(listShares, { params: { id: itemAt(made, 2).id } })
          const expiresAt = new Date(Date.now() + 3_000).toISOString()
          const body = { granteeType: 'USER', granteeId: reader.id, expiresAt } as const
          await author.call(createShare, { params: { id: itemAt(made, 2).id }, body })
          expect(items).toHaveLength(1)
        },
        110,
        110,
      ],
      [() => server.sql(`select pg_sleep_until(max(expires_at)) from asset_share`), 110, 109],
    ]
    for (const [at, [change, ofAuthor, ofReader]] of changes.entries()) {
      await change()
      expect(await totals(), `change ${at}`).toEqual([ofAuthor, ofReader])
      expect(await totals(), `change ${at}, again`).toEqual([ofAuthor, ofReader])
    }
  })

  it('follows every change', async () => {
    const { id } = await makeAsset(person, { name: 'Numbat', tags: ['bilby'], bodyMarkdown: 'quokka' })
    const change = (body: object) => person.call(updateAsset, { params: { id }, body })
    await change({ name: 'Potoroo' })
    expect([await found('numbat'), await found('potoroo')]).toEqual([[], ['Potoroo']])
    await change({ tags: ['dunnart'], bodyMarkdown: 'wombat', description: 'wallaby' })
    await expectEachFinds(found, ['bilby', 'quokka'], [])
    await expectEachFinds(found, ['dunnart', 'wombat', 'wallaby'], ['Potoroo'])

    const other = await organization.person()
    expect(await found('potoroo', {}, other)).toEqual([])
    await change({ visibility: 'ORGANIZATION' })
    expect(await found('wombat', {}, other)).toEqual(['Potoroo'])
    await person.call(publishAsset, { params: { id } })
    expect(await found('wombat', { status: 'PUBLISHED' }, other)).toEqual(['Potoroo'])
    expect(await found('wombat', { status: 'DRAFT' }, other)).toEqual([])
    await person.call(archiveAsset, { params: { id } })
    expect(await found('wombat', {}, other)).toEqual([])
    expect(await found('wombat', { status: 'ARCHIVED' }, other)).toEqual(['Potoroo'])
    await person.call(removeAsset, { params: { id } })
    expect(await found('wombat', { status: 'ARCHIVED' })).toEqual([])
  })

  it('finds what is shared with the caller, and nothing of other organizations', async () => {
    const other = await organization.person()
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    await makeAsset(stranger, { name: 'Tamandua', visibility: 'MARKETPLACE' })
    const { id } = await makeAsset(person, { name: 'Tamandua' })
    expect(await found('tamandua', {}, other)).toEqual([])
    await shareAsset(server, person, id, 'USER', other.id)
    expect(await found('tamandua', {}, other)).toEqual(['Tamandua'])
    expect((await stranger.call(listAssets, { query: { search: 'tamandua' } })).total).toBe(1)
  })

  it('looks for words without meaning only when there are no others', async () => {
    await makeAsset(person, { name: 'The estado' })
    expect(await found('the estado')).toEqual(['The estado'])
    expect(await found('estado')).toEqual(['The estado'])
    expect(await found('the xylophone of')).toEqual([])
  })

  it.each(unusualSearches)('takes %s as text', async search => {
    const { status, body } = await person.send(listAssets, { query: { search } })
    expect([status, Array.isArray(body.items)]).toEqual([200, true])
  })

  it('finds names in other scripts', async () => {
    await makeAsset(person, { name: '日本語 メモ' })
    await makeAsset(person, { name: 'Сводка продаж' })
    expect([await found('日本'), await found('メモ'), await found('сводка')]).toEqual([
      ['日本語 メモ'],
      ['日本語 メモ'],
      ['Сводка продаж'],
    ])
  })

  it('is narrowed by type, visibility, author, and counts what it found', async () => {
    const other = await organization.person()
    await makeAsset(person, { name: 'Echidna', type: 'SKILL', visibility: 'ORGANIZATION' })
    await makeAsset(other, { name: 'Echidna', type: 'AGENT', visibility: 'ORGANIZATION' })
    await makeAsset(other, { name: 'Echidna', type: 'AGENT' })
    const total = async (query: object) =>
      (await person.call(listAssets, { query: { search: 'echidna', ...query } })).total
    expect(await total({})).toBe(2)
    expect(await total({ type: 'SKILL' })).toBe(1)
    expect(await total({ type: 'PLUGIN' })).toBe(0)
    expect(await total({ authorId: other.id })).toBe(1)
    expect(await total({ visibility: 'PRIVATE' })).toBe(0)
    expect(await total({ limit: 1, offset: 5 })).toBe(2)
  })
})
