import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { listReviews, removeReview, updateReview, writeReview } from '#contract/marketplace/reviews.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { itemAt } from '#tests/support/elements.ts'
import {
  emittedEvents,
  insertInstallRows,
  insertListing,
  setListed,
} from '#tests/support/marketplace/listings.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let elsewhere: Organization
let author: Person
let writer: Person
let entryId: string
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'OWNER' })
  elsewhere = await server.organization({ features: ['marketplace'] })
})
beforeEach(async () => {
  writer = await elsewhere.person()
  entryId = await insertListing(server, author)
  await insertInstallRows(server, writer, entryId)
})
afterAll(() => server.close())

type Body = Input<typeof updateReview>['body']
async function written(rating = 3, comment: string | null = 'Well'): Promise<string> {
  return (await writer.call(writeReview, { params: { id: entryId }, body: { rating, comment } })).id
}
const update = (reviewId: string, body: Body, person = writer) =>
  person.send(updateReview, { params: { reviewId }, body })
const remove = (reviewId: string, person = writer) => person.send(removeReview, { params: { reviewId } })
const ratings = async () =>
  (
    await server.sql('select rating_sum as sum, rating_count as n from market_listing where entry_id = $1', [
      entryId,
    ])
  )[0]
const laterEvents = async () => (await emittedEvents(server, entryId)).slice(1)
const audited = async (id: string) => {
  await server.relayed()
  return (
    await server.sql('select operation, changed from audit where subject = $1 order by seq', [id])
  ).slice(1)
}

describe('PATCH /marketplace/reviews/:reviewId', () => {
  it('changes rating and comment, with an event for everyone', async () => {
    const id = await written()
    const { status, body } = await update(id, { rating: 5, comment: ' Better ' })
    expect([status, body]).toMatchObject([200, { id, rating: 5, comment: 'Better', isOwn: true }])
    expect(body.updatedAt > body.createdAt).toBe(true)
    expect(await ratings()).toEqual({ sum: 5, n: 1 })
    expect(await laterEvents()).toEqual([
      { name: 'review-updated', data: { reviewId: id, ratingAverage: 5, ratingCount: 1 } },
    ])
    expect(await audited(id)).toEqual([
      { operation: 'PATCH /api/studio/marketplace/reviews/:reviewId', changed: ['rating', 'comment'] },
    ])
  })

  it('keeps absent fields; null removes the comment', async () => {
    const id = await written(3, 'Well')
    expect((await update(id, { rating: 4 })).body).toMatchObject({ rating: 4, comment: 'Well' })
    expect((await update(id, { comment: 'Hm' })).body).toMatchObject({ rating: 4, comment: 'Hm' })
    expect((await update(id, { comment: null })).body).toMatchObject({ rating: 4, comment: null })
    expect((await audited(id)).map(({ changed }) => changed)).toEqual([['rating'], ['comment'], ['comment']])
  })

  it('emits no event if nothing changes', async () => {
    const id = await written(3, 'Well')
    for (const body of [{}, { rating: 3 }, { comment: 'Well ' }, { rating: 3, comment: 'Well' }]) {
      const answer = await update(id, body)
      expect([answer.status, answer.body.updatedAt]).toEqual([200, answer.body.createdAt])
    }
    expect(await laterEvents()).toEqual([])
    expect((await audited(id)).map(({ changed }) => changed)).toEqual([[], [], [], []])
  })

  it('works on an own review of a withdrawn entry', async () => {
    const id = await written()
    await setListed(server, entryId, false)
    expect((await update(id, { rating: 1 })).body).toMatchObject({ rating: 1 })
    expect(await ratings()).toEqual({ sum: 1, n: 1 })
    expect((await remove(id)).status).toBe(204)
  })

  it.each<[string, Body]>([
    ['zero stars', { rating: 0 }],
    ['six stars', { rating: 6 }],
    ['no rating at all', { rating: null as never }],
    ['4,001 characters', { comment: 'x'.repeat(4_001) }],
    ['an unknown field', { stars: 1 } as Body],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await update(await written(), body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('is limited to forty a day', async () => {
    const id = await written()
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, n) => update(id, { rating: (n % 5) + 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limits.reviewChangesPerDay)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })
})

describe('DELETE /marketplace/reviews/:reviewId', () => {
  it('deletes the review with its votes, with an event for everyone', async () => {
    const id = await written(2)
    const other = await elsewhere.person()
    await insertInstallRows(server, other, entryId)
    await other.call(writeReview, { params: { id: entryId }, body: { rating: 5 } })
    await insertRows(server, 'market_helpful', [
      { organization_id: elsewhere.id, review_id: id, person_id: other.id },
    ])
    expect((await remove(id)).status).toBe(204)
    expect(await ratings()).toEqual({ sum: 5, n: 1 })
    expect(await server.sql('select 1 from market_helpful where review_id = $1', [id])).toEqual([])
    expect((await laterEvents()).at(-1)).toEqual({
      name: 'review-deleted',
      data: { reviewId: id, ratingAverage: 5, ratingCount: 1 },
    })
    expect(await audited(id)).toEqual([
      { operation: 'DELETE /api/studio/marketplace/reviews/:reviewId', changed: ['review'] },
    ])
    expect(refusalOf(await remove(id))).toEqual([404, 'REVIEW_NOT_FOUND'])
    expect(refusalOf(await update(id, { rating: 1 }))).toEqual([404, 'REVIEW_NOT_FOUND'])
    // and a new one can be written
    expect(await written(4)).not.toBe(id)
  })

  it('leaves no average without reviews', async () => {
    const id = await written(2)
    await remove(id)
    expect(await ratings()).toEqual({ sum: 0, n: 0 })
    expect(await laterEvents()).toEqual([
      { name: 'review-deleted', data: { reviewId: id, ratingAverage: null, ratingCount: 0 } },
    ])
  })

  it('succeeds once for concurrent requests', async () => {
    const id = await written()
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(5).fill(404)])
    expect(await ratings()).toEqual({ sum: 0, n: 0 })
    expect(await laterEvents()).toHaveLength(1)
  })
})

describe('the reviews of others', () => {
  it('cannot be changed or deleted, and are not found if invisible', async () => {
    const id = await written()
    const [boss, plain] = [await elsewhere.person({ role: 'OWNER' }), await elsewhere.person()]
    const tries = (reviewId: string, person: Person) => [
      update(reviewId, { rating: 1 }, person),
      update(reviewId, {}, person),
      remove(reviewId, person),
    ]
    for (const person of [boss, plain, author]) {
      for (const answer of await Promise.all(tries(id, person)))
        expect(refusalOf(answer)).toEqual([403, 'REVIEW_NOT_OWN'])
    }
    await setListed(server, entryId, false)
    for (const person of [boss, plain, author]) {
      const unknown = await Promise.all(tries(newId(), person))
      for (const [index, answer] of (await Promise.all(tries(id, person))).entries())
        expect([...refusalOf(answer), answer.text]).toEqual([
          404,
          'REVIEW_NOT_FOUND',
          itemAt(unknown, index).text,
        ])
    }
    expect(await ratings()).toEqual({ sum: 3, n: 1 })
    expect(await laterEvents()).toEqual([])
  })

  it('need the permission', async () => {
    const id = await written()
    const viewer = await elsewhere.person({ permissions: ['STUDIO_MARKETPLACE_VIEW'] })
    expect(refusalOf(await update(id, { rating: 1 }, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await remove(id, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    expect((await viewer.send(listReviews, { params: { id: entryId } })).status).toBe(200)
  })
})
