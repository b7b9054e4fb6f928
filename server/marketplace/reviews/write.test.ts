import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { hideReview, showReviewAgain } from '#contract/marketplace/review-queue.ts'
import {
  listReviews,
  markHelpful,
  removeReview,
  updateReview,
  writeReview,
} from '#contract/marketplace/reviews.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { exactly, findIn, only } from '#tests/support/elements.ts'
import {
  emittedEvents,
  insertInstallRows,
  insertListing,
  keepAverageOfRatings,
  setListed,
  whileBlocked,
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
let writer: Person
beforeAll(async () => {
  server = await startTestServer()
  await keepAverageOfRatings(server)
  home = await server.organization({ features: ['marketplace'] })
  elsewhere = await server.organization({ features: ['marketplace'] })
  author = await home.person()
})
beforeEach(async () => {
  writer = await elsewhere.person()
})
afterAll(() => server.close())

type Body = Input<typeof writeReview>['body']
const write = (id: string, body: Body, person = writer) => person.send(writeReview, { params: { id }, body })
/** An entry that the author has installed. */
async function installed(version = '1.0.0'): Promise<string> {
  const entryId = await insertListing(server, author)
  await insertInstallRows(server, writer, entryId, version)
  return entryId
}
const sums = async (entryId: string) =>
  (
    await server.sql('select rating_sum as sum, rating_count as n from market_listing where entry_id = $1', [
      entryId,
    ])
  )[0]
const rankOf = async (entryId: string) =>
  only(
    await server.sql<{ rank: number }>('select rating_rank as rank from market_listing where entry_id = $1', [
      entryId,
    ]),
  ).rank

describe('POST /marketplace/entries/:id/reviews', () => {
  it('writes a review and counts it, with an anonymous event for everyone', async () => {
    const entryId = await installed('0.9.0')
    const { status, body } = await write(entryId, { rating: 4, comment: '  Good,\nmostly. ' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        entryId,
        rating: 4,
        comment: 'Good,\nmostly.',
        version: '0.9.0',
        user: { name: writer.name },
        userId: writer.id,
        organizationId: elsewhere.id,
        isOwn: true,
        helpfulCount: 0,
        helpfulByMe: false,
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
      },
    ])
    expect(await sums(entryId)).toEqual({ sum: 4, n: 1 })
    // the overall average starts at 3
    expect(await rankOf(entryId)).toBeCloseTo((10 * 3 + 4) / 11)
    expect(await emittedEvents(server, entryId)).toEqual([
      { name: 'reviewed', data: { reviewId: body.id, ratingAverage: 4, ratingCount: 1 } },
    ])
    const audit = await server.sql(
      'select organization_id, actor_id, changed from audit where subject = $1',
      [body.id],
    )
    expect(audit).toEqual([
      { organization_id: elsewhere.id, actor_id: writer.id, changed: ['rating', 'comment'] },
    ])
  })

  it('replaces the previous review and keeps its id and votes', async () => {
    const entryId = await installed()
    const first = await write(entryId, { rating: 2, comment: 'Bad' })
    const { id, createdAt } = first.body
    await server.sql('update market_review set helpful_count = 3 where id = $1', [id])
    await insertInstallRows(server, writer, entryId, '1.1.0')
    const { status, body } = await write(entryId, { rating: 5 })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id, rating: 5, comment: null, version: '1.1.0', createdAt, helpfulCount: 3 })
    expect(body.updatedAt > createdAt).toBe(true)
    expect(await sums(entryId)).toEqual({ sum: 5, n: 1 })
    expect(await emittedEvents(server, entryId)).toEqual([
      { name: 'reviewed', data: { reviewId: id, ratingAverage: 2, ratingCount: 1 } },
      { name: 'review-updated', data: { reviewId: id, ratingAverage: 5, ratingCount: 1 } },
    ])
  })

  it('emits no event for an identical review', async () => {
    const entryId = await installed()
    const first = await write(entryId, { rating: 2, comment: 'Bad' })
    const again = await write(entryId, { rating: 2, comment: ' Bad ' })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(await emittedEvents(server, entryId)).toHaveLength(1)
    const audit = await server.sql('select changed from audit where subject = $1 order by seq', [
      first.body.id,
    ])
    expect(audit.at(-1)).toEqual({ changed: [] })
  })

  it('creates a new review if the previous one is deleted concurrently', async () => {
    const entryId = await installed()
    const { id } = (await write(entryId, { rating: 2 })).body
    const { status, body } = await whileBlocked(
      server,
      [
        ['update market_listing set rating_sum = 0, rating_count = 0 where entry_id = $1', [entryId]],
        ['delete from market_review where id = $1', [id]],
      ],
      () => write(entryId, { rating: 5 }),
    )
    expect([status, body.rating]).toEqual([201, 5])
    expect(body.id).not.toBe(id)
    expect(await sums(entryId)).toEqual({ sum: 5, n: 1 })
    expect((await emittedEvents(server, entryId)).map(({ name }) => name)).toEqual(['reviewed', 'reviewed'])
  })

  it('is refused if the entry is withdrawn concurrently', async () => {
    const entryId = await installed()
    const answer = await whileBlocked(
      server,
      [['update market_listing set is_listed = false where entry_id = $1', [entryId]]],
      () => write(entryId, { rating: 5 }),
    )
    expect(refusalOf(answer)).toEqual([404, 'ENTRY_NOT_FOUND'])
    expect(await sums(entryId)).toEqual({ sum: 0, n: 0 })
  })

  it('adds up the ratings of several people', async () => {
    const entryId = await installed()
    const other = await home.person()
    await insertInstallRows(server, other, entryId)
    await write(entryId, { rating: 5 })
    const { body } = await write(entryId, { rating: 4 }, other)
    expect(await sums(entryId)).toEqual({ sum: 9, n: 2 })
    const [, last] = exactly(2, await emittedEvents(server, entryId))
    expect(last.data).toEqual({ reviewId: body.id, ratingAverage: 4.5, ratingCount: 2 })
  })

  it('is one per person over all their organizations', async () => {
    const entryId = await installed()
    const there = await home.joined(writer)
    await insertInstallRows(server, there, entryId, '1.2.0')
    const { id } = (await write(entryId, { rating: 2 })).body
    const again = await write(entryId, { rating: 5 }, there)
    expect([again.status, again.body]).toMatchObject([201, { id, rating: 5, version: '1.2.0', isOwn: true }])
    expect(await sums(entryId)).toEqual({ sum: 5, n: 1 })
    const both = await Promise.all(
      [1, 2, 3, 4].map(n => write(entryId, { rating: n }, n % 2 ? writer : there)),
    )
    expect(both.map(({ body }) => body.id)).toEqual(Array(4).fill(id))
    const params = { reviewId: id }
    expect((await there.send(updateReview, { params, body: { rating: 3 } })).status).toBe(200)
    expect(await sums(entryId)).toEqual({ sum: 3, n: 1 })
    expect(refusalOf(await there.send(markHelpful, { params }))).toEqual([400, 'REVIEW_OWN'])
    expect((await writer.send(removeReview, { params })).status).toBe(204)
    expect(await sums(entryId)).toEqual({ sum: 0, n: 0 })
  })

  it('stays hidden, even after a replacement, until operators show it again', async () => {
    const entryId = await installed()
    const operator = await server.operator()
    const seen = async () =>
      (await author.call(listReviews, { params: { id: entryId } })).items.map(({ comment }) => comment)
    const { id } = (await write(entryId, { rating: 1, comment: 'Rude' })).body
    await operator.call(hideReview, { params: { reviewId: id }, body: { reason: 'Nothing but rude.' } })
    expect((await write(entryId, { rating: 1, comment: 'Ruder' })).body.comment).toBe('Ruder')
    expect(await seen()).toEqual([null])
    await writer.call(removeReview, { params: { reviewId: id } })
    const anew = (await write(entryId, { rating: 1, comment: 'Rudest' })).body
    expect(anew).toMatchObject({ comment: 'Rudest' })
    expect(anew.id).not.toBe(id)
    expect(await seen()).toEqual([null])
    await operator.call(showReviewAgain, { params: { reviewId: anew.id } })
    expect(await seen()).toEqual(['Rudest'])
  })

  it('needs a visible, approved and installed entry of another publisher', async () => {
    const entryId = await insertListing(server, author)
    const body = { rating: 5 }
    expect(refusalOf(await write(entryId, body))).toEqual([400, 'ENTRY_NOT_INSTALLED'])
    // an install of a colleague does not count
    await insertInstallRows(server, await elsewhere.person(), entryId)
    expect(refusalOf(await write(entryId, body))).toEqual([400, 'ENTRY_NOT_INSTALLED'])
    await insertInstallRows(server, author, entryId)
    expect(refusalOf(await write(entryId, body, author))).toEqual([400, 'ENTRY_OWN'])
    const colleague = await home.person()
    await insertInstallRows(server, colleague, entryId)
    expect((await write(entryId, body, colleague)).status).toBe(201)

    await setListed(server, entryId, false)
    const admin = await home.person({ role: 'ADMIN' })
    for (const person of [author, admin])
      expect(refusalOf(await write(entryId, body, person))).toEqual([400, 'ENTRY_NOT_APPROVED'])
    const unknown = await write(newId(), body)
    expect(refusalOf(unknown)).toEqual([404, 'ENTRY_NOT_FOUND'])
    await insertInstallRows(server, writer, entryId)
    for (const person of [writer, colleague]) {
      const answer = await write(entryId, body, person)
      expect([answer.status, answer.text]).toEqual([404, unknown.text])
    }
    expect(await sums(entryId)).toEqual({ sum: 5, n: 1 })
  })

  it('recognizes the publisher in another organization', async () => {
    const entryId = await insertListing(server, author)
    await server.sql('update market_listing set publisher_person_id = $2 where entry_id = $1', [
      entryId,
      writer.id,
    ])
    await insertInstallRows(server, writer, entryId)
    expect(refusalOf(await write(entryId, { rating: 5 }))).toEqual([400, 'ENTRY_OWN'])
  })

  it('needs the permission and the feature', async () => {
    const entryId = await installed()
    const viewer = await elsewhere.person({
      permissions: ['STUDIO_MARKETPLACE_VIEW', 'STUDIO_MARKETPLACE_INSTALL'],
    })
    expect(refusalOf(await write(entryId, { rating: 5 }, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    const outside = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await write(entryId, { rating: 5 }, outside))).toEqual([403, 'FEATURE_NOT_ENABLED'])
  })

  it.each<[string, Body]>([
    ['no rating', {} as Body],
    ['zero stars', { rating: 0 }],
    ['six stars', { rating: 6 }],
    ['half a star', { rating: 4.5 }],
    ['a rating in words', { rating: '5' as never }],
    ['4,001 characters', { rating: 5, comment: 'x'.repeat(4_001) }],
    ['an unknown field', { rating: 5, x: 1 } as Body],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await write(await installed(), body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('accepts a comment up to its limit, and treats an empty one as none', async () => {
    const entryId = await installed()
    const comment = '🦉'.repeat(limits.reviewComment)
    expect((await write(entryId, { rating: 5, comment })).body.comment).toBe(comment)
    for (const empty of ['', ' \n ', null])
      expect((await write(entryId, { rating: 5, comment: empty })).body.comment).toBeNull()
  })

  it('is limited to twenty a day, not counting failures', async () => {
    const entryId = await installed()
    for (let n = 0; n < 5; n++) {
      expect(refusalOf(await write(newId(), { rating: 5 }))).toEqual([404, 'ENTRY_NOT_FOUND'])
      expect(refusalOf(await write(entryId, { rating: 9 }))).toEqual([400, 'VALIDATION_ERROR'])
    }
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) => write(entryId, { rating: (n % 5) + 1 })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 201)).toHaveLength(limits.reviewsPerDay)
    expect(statuses.filter(status => status === 429)).toHaveLength(5)
    const refused = await write(newId(), { rating: 5 })
    expect(refused.body).toMatchObject({ errorCode: 'RATE_LIMIT_EXCEEDED', limit: 20, used: 20 })
    // changes have their own limit
    const id = findIn(answers, ({ status }) => status === 201).body.id
    expect((await writer.send(updateReview, { params: { reviewId: id }, body: { rating: 1 } })).status).toBe(
      200,
    )
  })
})
