import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { hideReview } from '#contract/marketplace/review-queue.ts'
import { listMyReviews, listReviews, writeReview } from '#contract/marketplace/reviews.ts'
import { newId } from '#platform/ids.ts'
import { itemAt } from '#tests/support/elements.ts'
import {
  insertInstallRows,
  insertListing,
  insertReviewRows,
  setListed,
} from '#tests/support/marketplace/listings.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let home: Organization
let elsewhere: Organization
let author: Person
let operator: Person
let entryId: string
beforeAll(async () => {
  server = await startTestServer()
  home = await server.organization({ features: ['marketplace'] })
  elsewhere = await server.organization({ features: ['marketplace'] })
  author = await home.person()
  operator = await server.operator()
})
beforeEach(async () => {
  entryId = await insertListing(server, author)
})
afterAll(() => server.close())

const list = (person: Person, id = entryId, query = {}) => person.send(listReviews, { params: { id }, query })
const own = (person: Person, query = {}) => person.send(listMyReviews, { query })
async function review(person: Person, comment: string | null = null, id = entryId): Promise<string> {
  await insertInstallRows(server, person, id)
  return (await person.call(writeReview, { params: { id }, body: { rating: 4, comment } })).id
}

describe('GET /marketplace/entries/:id/reviews', () => {
  it('names colleagues, but nobody of other organizations', async () => {
    const [mine, near] = [await elsewhere.person(), await elsewhere.person()]
    const far = await home.person()
    const ids = [await review(mine, 'a'), await review(near, 'b'), await review(far, 'c')]
    const { items, ...page } = (await list(mine)).body
    expect(page).toEqual({ total: 3, limit: 20, offset: 0 })
    const both = { entryId, rating: 4, version: '1.0.0', helpfulCount: 0, helpfulByMe: false }
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) }
    const named = ({ id: userId, name, organizationId }: Person) => ({
      userId,
      organizationId,
      user: { name },
    })
    expect(items).toEqual([
      {
        ...both,
        ...times,
        id: ids[2],
        comment: 'c',
        isOwn: false,
        user: { name: 'Usuario de otra empresa' },
      },
      { ...both, ...times, id: ids[1], comment: 'b', isOwn: false, ...named(near) },
      { ...both, ...times, id: ids[0], comment: 'a', isOwn: true, ...named(mine) },
    ])
    const seen = (await list(author)).text
    for (const { id, name, email, organizationId } of [mine, near])
      for (const secret of [id, name, email, organizationId]) expect(seen).not.toContain(secret)
  })

  it('returns the most helpful first, then the newest, in pages', async () => {
    const writers = await Promise.all(Array.from({ length: 4 }, () => elsewhere.person()))
    const ids: string[] = []
    for (const writer of writers) ids.push(await review(writer))
    await server.sql('update market_review set helpful_count = 2 where id = $1', [ids[1]])
    await server.sql('update market_review set helpful_count = 1 where id = $1', [ids[2]])
    const order = [ids[1], ids[2], ids[3], ids[0]]
    const page = async (query: object) => {
      const { items, ...rest } = (await list(author, entryId, query)).body
      return [items.map(({ id }) => id), rest]
    }
    expect(await page({})).toEqual([order, { total: 4, limit: 20, offset: 0 }])
    expect(await page({ limit: 2, offset: 1 })).toEqual([
      order.slice(1, 3),
      { total: 4, limit: 2, offset: 1 },
    ])
    expect(await page({ offset: 4 })).toEqual([[], { total: 4, limit: 20, offset: 4 }])
  })

  it('shows a hidden text only to its author', async () => {
    const writer = await elsewhere.person()
    const id = await review(writer, 'Rude')
    await operator.call(hideReview, { params: { reviewId: id }, body: { reason: 'Nothing but rude.' } })
    for (const person of [author, await elsewhere.person({ role: 'OWNER' })])
      expect((await list(person)).body.items).toMatchObject([{ id, rating: 4, comment: null }])
    expect((await list(writer)).body.items).toMatchObject([{ id, comment: 'Rude' }])
    expect((await own(writer)).body.items).toMatchObject([{ id, comment: 'Rude' }])
  })

  it("shows reviews from another organization as one's own, and names authors only to colleagues", async () => {
    const writer = await elsewhere.person()
    const away = await server.organization({ features: ['marketplace'] })
    const there = await away.joined(writer)
    const id = await review(writer, 'Mine')
    const anonymous = { id, comment: 'Mine', isOwn: true, user: { name: 'Usuario de otra empresa' } }
    for (const { body } of [await list(there), await own(there)]) {
      expect(body.items).toMatchObject([anonymous])
      expect(body.items[0]).not.toHaveProperty('userId')
    }
    await review(there, 'Mine again')
    expect((await list(await away.person())).body.items).toMatchObject([
      { id, user: { name: writer.name }, userId: writer.id, organizationId: away.id, isOwn: false },
    ])
    const seen = await list(await elsewhere.person())
    for (const secret of [writer.name, writer.id, away.id]) expect(seen.text).not.toContain(secret)
    expect((await own(writer)).body.items).toMatchObject([{ id, comment: 'Mine again', isOwn: true }])
  })

  it('keeps reviews of former members', async () => {
    const [boss, leaver] = [await elsewhere.person({ role: 'OWNER' }), await elsewhere.person()]
    await review(leaver, 'Bye')
    await boss.call(removeMember, { params: { personId: leaver.id } })
    expect((await list(boss)).body.items).toMatchObject([{ comment: 'Bye', user: { name: leaver.name } }])
    expect((await list(author)).body.items).toMatchObject([{ comment: 'Bye' }])
  })

  it('shows reviews of an unlisted entry to its submitter and their administrators', async () => {
    const writer = await elsewhere.person()
    await review(writer)
    await setListed(server, entryId, false)
    const admin = await home.person({ role: 'ADMIN' })
    for (const person of [author, admin]) expect((await list(person)).body.total).toBe(1)
    const unknown = await list(writer, newId())
    expect(refusalOf(unknown)).toEqual([404, 'ENTRY_NOT_FOUND'])
    for (const person of [writer, await home.person()]) {
      const answer = await list(person)
      expect([answer.status, answer.text]).toEqual([404, unknown.text])
    }
  })

  it('needs the permission, the feature and a valid page', async () => {
    const blind = await elsewhere.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await list(blind))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await own(blind))).toEqual([403, 'PERMISSION_DENIED'])
    const outside = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await list(outside))).toEqual([403, 'FEATURE_NOT_ENABLED'])
    for (const query of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { offset: 10_001 }]) {
      expect(refusalOf(await list(author, entryId, query))).toEqual([400, 'VALIDATION_ERROR'])
      expect(refusalOf(await own(author, query))).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('reads a page from its index, for any number of reviews', async () => {
    await insertReviewRows(server, author, entryId, 5_000)
    await server.sql('analyze market_review')
    const plan = await server.sql<Record<string, string>>(
      `explain select * from market_review x where x.entry_id = '${entryId}'
       order by x.helpful_count desc, x.created_at desc, x.id desc limit 20 offset 100`,
    )
    expect(plan.map(line => line['QUERY PLAN']).join('\n')).toMatch(
      /Index Scan Backward using market_review_entry/,
    )
    expect((await list(author, entryId, { offset: 4_990 })).body.items).toHaveLength(10)
  })
})

describe('GET /marketplace/reviews', () => {
  it('lists reviews of the caller, newest first, listed or not', async () => {
    const writer = await elsewhere.person()
    const entries = [entryId, await insertListing(server, author), await insertListing(server, author)]
    const ids: string[] = []
    for (const id of entries) ids.unshift(await review(writer, null, id))
    await review(await elsewhere.person())
    await setListed(server, itemAt(entries, 1), false)
    const page = async (query = {}) => {
      const { items, ...rest } = (await own(writer, query)).body
      expect(items.every(({ isOwn, userId }) => isOwn && userId === writer.id)).toBe(true)
      return [items.map(({ id }) => id), rest]
    }
    expect(await page()).toEqual([ids, { total: 3, limit: 20, offset: 0 }])
    expect(await page({ limit: 1, offset: 1 })).toEqual([[ids[1]], { total: 3, limit: 1, offset: 1 }])
    expect((await own(await elsewhere.person())).body).toEqual({ items: [], total: 0, limit: 20, offset: 0 })
  })
})
