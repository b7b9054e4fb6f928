import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { type Category, entrySorts, listEntries, withdrawEntry } from '#contract/marketplace/entries.ts'
import type { Input } from '#contract/operation.ts'
import { permissions } from '#contract/permissions.ts'
import { lastOf } from '#tests/support/elements.ts'
import { makeApprovedEntry } from '#tests/support/marketplace/marketplace.ts'
import { expectEachFinds, unusualSearches } from '#tests/support/search.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { segmentLength } from '../catalogue/catalogue.terms.ts'

let server: TestServer
let operator: Person
let author: Person
let visitor: Person
beforeAll(async () => {
  server = await startTestServer()
  operator = await server.operator()
  const features = ['marketplace' as const]
  author = await (await server.organization({ features })).person({ permissions: [...permissions] })
  visitor = await (await server.organization({ features })).person()
})
afterAll(() => server.close())
beforeEach(() => server.sql('delete from rate_window'))

type Query = Input<typeof listEntries>['query']
const find = (search: string, query: Query = {}) => visitor.call(listEntries, { query: { search, ...query } })
const found = async (search: string, query: Query = {}) =>
  (await find(search, query)).items.map(({ name }) => name)
type Given = { description?: string; tags?: string[]; category?: Category; type?: 'SKILL' | 'AGENT' }
const list = (
  name: string,
  { tags = [], category = 'OTHER', type = 'SKILL', description = 'x' }: Given = {},
) => makeApprovedEntry(operator, author, { asset: { name, type, description }, tags, category })

describe('search', () => {
  it('finds words of name, tags and description', async () => {
    const { id } = await list('Quetzal planner', { tags: ['Toucan'], description: 'Watches the hoatzin' })
    await expectEachFinds(
      found,
      ['quetzal', 'PLANNER', 'toucan', 'hoatzin', 'planner quetzal', 'hoatzin toucan'],
      ['Quetzal planner'],
    )
    expect(await found('quetzal pelican')).toEqual([])
    expect((await find('quetzal')).total).toBe(1)
    await author.call(withdrawEntry, { params: { id } })
    expect(await found('quetzal')).toEqual([])
  })

  it('ignores accents, and matches singular and plural', async () => {
    await list('Nóminas del señor Peña', { description: 'Enviar los albaranes' })
    await expectEachFinds(
      found,
      ['nominas', 'NÓMINAS', 'nomina', 'pena', 'Peña señor', 'albaran', 'nominas del señor'],
      ['Nóminas del señor Peña'],
    )
  })

  it('takes the last word as a prefix and corrects spelling', async () => {
    await list('Presupuestos trimestrales', { tags: ['mandrill'] })
    await expectEachFinds(
      found,
      ['presup', 'trimestrales pre', 'mandr', 'presupeustos', 'prezupuestos', 'trimestrlaes presu'],
      ['Presupuestos trimestrales'],
    )
    expect(await found('presidentes')).toEqual([])
  })

  it('sorts newest first by default, and by relevance on request', async () => {
    await list('Zorilla weekly')
    await list('Something', { description: 'for the zorilla weekly' })
    await list('Zorilla weekly digest')
    await list('Weekly zorilla')
    await list('Zorila weekly')
    const newest = ['Zorila weekly', 'Weekly zorilla', 'Zorilla weekly digest', 'Something', 'Zorilla weekly']
    expect(await found('zorilla weekly')).toEqual(newest)
    expect(await found('zorilla weekly', { sort: 'RECENT', limit: 2, offset: 1 })).toEqual(newest.slice(1, 3))
    const best = ['Zorilla weekly', 'Zorilla weekly digest', 'Weekly zorilla', 'Something', 'Zorila weekly']
    expect(await found('zorilla weekly', { sort: 'RELEVANCE' })).toEqual(best)
  })

  it('supports the filters of lists', async () => {
    await list('Echidna one', { category: 'FINANCE', type: 'AGENT' })
    await list('Echidna two', { category: 'FINANCE' })
    await list('Echidna three')
    expect(await found('echidna', { category: 'FINANCE' })).toEqual(['Echidna two', 'Echidna one'])
    expect(await found('echidna', { type: 'SKILL' })).toEqual(['Echidna three', 'Echidna two'])
    expect(await found('echidna', { type: 'AGENT', category: 'OTHER' })).toEqual([])
    expect(await found('echidna', { pricing: 'FREE', limit: 1 })).toEqual(['Echidna three'])
    expect(await found('echidna', { pricing: 'PREMIUM' })).toEqual([])
    expect(await found('echidna', { featured: true })).toEqual([])
    await server.sql(
      `update market_listing set featured_until = now() + interval '1 day' where name = 'Echidna one'`,
    )
    expect(await found('echidna', { featured: true })).toEqual(['Echidna one'])
    expect((await found('echidna', { sort: 'FEATURED' }))[0]).toBe('Echidna one')
  })

  it('searches stop words only if there are no others', async () => {
    await list('The estado')
    await expectEachFinds(found, ['the estado', 'estado'], ['The estado'])
    expect(await found('the xylophone of')).toEqual([])
    await list('Ventas')
    expect(await found('estado de las ventas')).toEqual(['Ventas'])
  })

  it.each(unusualSearches)('takes %s as text', async search => {
    for (const sort of ['RECENT', 'RELEVANCE'] as const) {
      const { status, body } = await visitor.send(listEntries, { query: { search, sort } })
      expect([status, Array.isArray(body.items)]).toEqual([200, true])
    }
  })

  it('ignores punctuation and finds names in other scripts', async () => {
    await list('日本語 メモ', { category: 'FINANCE' })
    expect([await found('日本'), await found('メモ')]).toEqual([['日本語 メモ'], ['日本語 メモ']])
    await expectEachFinds(found, ['@cFINANCE', 'cFINANCE', '@pFREE', '@s0'], [])
  })
})

describe('in a large catalogue', () => {
  const total = 20 * segmentLength
  beforeAll(async () => {
    // many copies of a listing: two words in all of them, one in every 50th, one in three of them, one in one of the oldest
    const { id } = await list('Numbat')
    await server.sql(
      `insert into market_listing (entry_id, publisher_id, publisher_person_id, release_id, type, name, description,
         category, tags, pricing, version, submitted_at, approved_at, updated_at, popularity, name_folded, terms)
       select 'c' || lpad(n::text, 24, '0'), l.publisher_id, l.publisher_person_id, l.release_id, l.type, w.name, 'd',
         l.category, '{}', 'FREE', '1.0.0', now(), now() - n * interval '1 minute', now(), case when n = 9999 then 0 else n end, lower(w.name),
         to_tsvector('simple', w.name || ' numbat') || array_to_tsvector(array['@pFREE', '@cOTHER', '@tSKILL', '@s' || (($2 - n) / $3)])
       from market_listing l cross join generate_series(1, $2) n cross join lateral (
         select 'Common' || case when n % 50 = 0 then ' seldom' else '' end || case when n in (7, 5000, 9000) then ' rare' when n = 9999 then ' numbut' else '' end || ' ' || n as name) w
       where l.entry_id = $1 order by md5(n::text)`,
      [id, total, segmentLength],
    )
    await server.sql(
      `insert into market_listing_count values ('OTHER', 'SKILL', 'FREE', $1), ('', '', '', $1)
      on conflict (category, type, pricing) do update set n = market_listing_count.n + excluded.n`,
      [total],
    )
    await server.sql('analyze market_listing')
  })

  it('counts and lists matches up to the bound, newest first', async () => {
    const { items, total: counted, totalIsBound } = await find('common', { limit: 100 })
    expect([counted, totalIsBound, items.length]).toEqual([limits.searchTotal, true, 100])
    expect(items.slice(0, 3).map(({ name }) => name)).toEqual(['Common 1', 'Common 2', 'Common 3'])
    expect(lastOf(items).name).toMatch(/^Common.* 100$/)
    const popular = await found('common', { sort: 'POPULAR', limit: 2 })
    expect(popular).toEqual([`Common ${total}`, `Common ${total - 1}`])
    const seldom = await found('seldom', { limit: 3 })
    expect(seldom).toEqual(['Common seldom 50', 'Common seldom 100', 'Common seldom 150'])
    expect(await found('rare')).toEqual([
      'Common rare 7',
      'Common seldom rare 5000',
      'Common seldom rare 9000',
    ])
    expect(await found('common 5000', { sort: 'RELEVANCE' })).toContain('Common seldom rare 5000')
    for (const sort of entrySorts) {
      const { items: last } = await find('common', { sort, limit: 100, offset: limits.searchTotal - 100 })
      expect(last, sort).toHaveLength(100)
    }
  })

  it('puts an old entry with the word before newer ones with a similar word', async () => {
    const names = await found('numbut', { sort: 'RELEVANCE', limit: 2 })
    expect(names).toEqual(['Common numbut 9999', expect.stringMatching(/numbat|Common/i)])
  })

  it('reaches every page of an exact count, each entry once, in every order', async () => {
    const seldom = Math.floor(total / 50)
    for (const sort of entrySorts) {
      const pages = []
      for (let offset = 0; offset < seldom; offset += 70) {
        const page = await find('seldom', { sort, limit: 70, offset })
        expect([page.total, page.totalIsBound], sort).toEqual([seldom, undefined])
        pages.push(...page.items)
      }
      expect([pages.length, new Set(pages.map(({ id }) => id)).size], sort).toEqual([seldom, seldom])
      const numbers = pages.map(({ name }) => Number(name.split(' ').at(-1)))
      if (sort === 'RECENT') expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      if (sort === 'POPULAR') expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    }
  })
})
