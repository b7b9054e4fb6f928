import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { listReviews, markHelpful, unmarkHelpful } from '#contract/marketplace/reviews.ts'
import { newId } from '#platform/ids.ts'
import { defined, findIn, inTurn, itemAt, only } from '#tests/support/elements.ts'
import {
  emittedEvents,
  insertListing,
  insertReviewRows,
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
let organization: Organization
let author: Person
let reader: Person
let entryId: string
let reviewId: string
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization({ features: ['marketplace'] })).person()
  organization = await server.organization({ features: ['marketplace'] })
})
beforeEach(async () => {
  reader = await organization.person()
  entryId = await insertListing(server, author)
  reviewId = only(await insertReviewRows(server, author, entryId, 1))
})
afterAll(() => server.close())

const mark = (person = reader, id = reviewId) => person.send(markHelpful, { params: { reviewId: id } })
const unmark = (person = reader, id = reviewId) => person.send(unmarkHelpful, { params: { reviewId: id } })
const helpfulEvents = async () =>
  (await emittedEvents(server, entryId)).map(({ name, data }) => [name, data.reviewId, data.helpfulCount])
const used = async (person: Person) =>
  (
    await server.sql<{ used: number }>('select used from rate_window where caller = $1', [
      `${person.organizationId}/${person.id}`,
    ])
  )[0]?.used
const rows = async () =>
  (
    await server.sql<{ marks: number; counted: number }>(
      `select (select count(*)::int from market_helpful where review_id = $1) as marks, helpful_count as counted
       from market_review where id = $1`,
      [reviewId],
    )
  )[0]

describe('POST and DELETE /marketplace/reviews/:reviewId/helpful', () => {
  it('count each person once, and tell everyone the count', async () => {
    const other = await organization.person()
    expect(await mark()).toMatchObject({
      status: 201,
      body: { id: reviewId, helpfulCount: 1, helpfulByMe: true },
    })
    expect((await mark(other)).body.helpfulCount).toBe(2)
    expect((await mark(author)).body.helpfulCount).toBe(3)
    expect(await unmark(other)).toMatchObject({
      status: 200,
      body: { id: reviewId, helpfulCount: 2, helpfulByMe: false },
    })
    const event = (n: number) => ['review-helpful', reviewId, n]
    expect(await helpfulEvents()).toEqual([event(1), event(2), event(3), event(2)])
    const shown = async (person: Person) =>
      (await person.call(listReviews, { params: { id: entryId } })).items.map(item => [
        item.helpfulCount,
        item.helpfulByMe,
      ])
    expect(await shown(reader)).toEqual([[2, true]])
    expect(await shown(other)).toEqual([[2, false]])
    const audit = await server.sql('select actor_id, changed from audit where subject = $1 order by at', [
      reviewId,
    ])
    expect(audit.map(({ changed }) => changed)).toEqual(Array(4).fill(['helpful']))
  })

  it('change nothing the second time, emit no event and do not count', async () => {
    const first = await mark()
    expect(await mark()).toMatchObject({ status: 201, text: first.text })
    await unmark()
    expect(await unmark()).toMatchObject({ status: 200, body: { helpfulCount: 0, helpfulByMe: false } })
    expect(await helpfulEvents()).toHaveLength(2)
    expect(await used(reader)).toBe(1)
    await mark()
    expect(await used(reader)).toBe(2)
  })

  it('are not for an own review, not from another organization either', async () => {
    await server.sql('update market_review set author_id = $2 where id = $1', [reviewId, reader.id])
    expect(refusalOf(await mark())).toEqual([400, 'REVIEW_OWN'])
    expect(await rows()).toEqual({ marks: 0, counted: 0 })
    expect(await used(reader)).toBeUndefined()
  })

  it('do not find a hidden review', async () => {
    await mark()
    await setListed(server, entryId, false)
    for (const act of [mark, unmark]) {
      const [unknown, unseen] = [await act(reader, newId()), await act()]
      expect([...refusalOf(unseen), unseen.text]).toEqual([404, 'REVIEW_NOT_FOUND', unknown.text])
    }
    expect(await rows()).toEqual({ marks: 1, counted: 1 })
  })

  it('need the permission to view, and the feature', async () => {
    const [viewer, blind] = [
      await organization.person({ permissions: ['STUDIO_MARKETPLACE_VIEW'] }),
      await organization.person({ permissions: ['STUDIO_MARKETPLACE_REVIEW'] }),
    ]
    const outside = await (await server.organization()).person({ role: 'OWNER' })
    for (const act of [mark, unmark]) {
      expect((await act(viewer)).status).toBeLessThan(300)
      expect(refusalOf(await act(blind))).toEqual([403, 'PERMISSION_DENIED'])
      expect(refusalOf(await act(outside))).toEqual([403, 'FEATURE_NOT_ENABLED'])
    }
  })

  it('keep the count exact under concurrent changes', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => organization.person()))
    const { url } = await server.anotherApi()
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        const person = inTurn(people, n)
        const client = n % 2 ? person : person.at(url)
        const endpoint = n % 3 === 2 ? unmarkHelpful : markHelpful
        return client.send(endpoint, { params: { reviewId } })
      }),
    )
    expect(answers.filter(({ status }) => status > 201)).toEqual([])
    const { marks, counted } = defined(await rows())
    expect(counted).toBe(marks)
    const events = await helpfulEvents()
    const last = events.reduce<number>((count, [, , next]) => {
      expect(Math.abs((next as number) - count)).toBe(1)
      return next as number
    }, 0)
    expect(last).toBe(counted)
  })

  it('survive a concurrent deletion of the review', async () => {
    const ids = await insertReviewRows(server, author, entryId, 20)
    const answers = await Promise.all(
      ids.flatMap(id => [
        mark(reader, id),
        server.sql('delete from market_review where id = $1', [id]).then(() => undefined),
      ]),
    )
    for (const answer of answers) if (answer) expect([201, 404]).toContain(answer.status)
  })

  it('wait for a deletion and then find no review', async () => {
    const gone = await whileBlocked(server, [['delete from market_review where id = $1', [reviewId]]], () =>
      mark(),
    )
    expect(refusalOf(gone)).toEqual([404, 'REVIEW_NOT_FOUND'])
  })

  it('200 of 500 at two processes', async () => {
    const reviews = await insertReviewRows(server, author, entryId, 240)
    const mine: string[] = []
    for (let n = 0; n < 20; n++)
      mine.push(...(await insertReviewRows(server, reader, await insertListing(server, author), 1)))
    await server.sql('update market_review set author_id = $2 where id = any($1)', [mine, reader.id])
    const { url } = await server.anotherApi()
    // 240 valid votes; the others are own reviews, unknown reviews and invalid calls
    const ids = [
      ...reviews,
      ...mine,
      ...mine,
      ...Array.from({ length: 150 }, newId),
      ...Array.from({ length: 70 }, () => 'x'.repeat(65)),
    ]
    const shuffled = ids.map((_, n) => itemAt(ids, (n * 7) % ids.length))
    expect(shuffled).toHaveLength(500)
    const answers = await Promise.all(
      shuffled.map((id, n) =>
        (n % 2 ? reader : reader.at(url)).send(markHelpful, { params: { reviewId: id } }),
      ),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect(count(201)).toBe(limits.helpfulPerDay)
    expect(count(201) + count(429) + count(404) + count(400)).toBe(500)
    expect(await used(reader)).toBe(limits.helpfulPerDay)
    const [marked] = await server.sql('select count(*)::int as n from market_helpful where person_id = $1', [
      reader.id,
    ])
    expect(marked).toEqual({ n: limits.helpfulPerDay })
    const refused = findIn(answers, ({ status }) => status === 429)
    expect(refused.body).toMatchObject({
      limit: 200,
      used: 200,
      resetAt: expect.stringMatching(/T00:00:00.000Z$/),
    })
  })
})
