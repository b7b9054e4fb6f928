import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeReview, updateReview, writeReview } from '#contract/marketplace/reviews.ts'
import { areDatabasesOnCitus } from '#tests/support/citus.ts'
import { defined, itemAt, lastOf, only } from '#tests/support/elements.ts'
import {
  emittedEvents,
  insertInstallRows,
  insertListing,
  keepAverageOfRatings,
} from '#tests/support/marketplace/listings.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let author: Person
beforeAll(async () => {
  server = await startTestServer()
  await keepAverageOfRatings(server)
  author = await (await server.organization({ features: ['marketplace'] })).person()
})
afterAll(() => server.close())

const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort()

it('keeps the ratings of an entry equal to its reviews under 200 concurrent changes', async () => {
  const entryId = await insertListing(server, author)
  const organization = await server.organization({ features: ['marketplace'] })
  const writers = await Promise.all(Array.from({ length: 20 }, () => organization.person()))
  for (const writer of writers) await insertInstallRows(server, writer, entryId)
  const { url } = await server.anotherApi()
  const at = (person: Person, n: number) => (n % 2 ? person : person.at(url))
  const write = (person: Person, n: number, rating: number) =>
    at(person, n).send(writeReview, { params: { id: entryId }, body: { rating } })

  // three of each person at once: one is created, the others replace it
  const first = await Promise.all(
    Array.from({ length: 60 }, (_, n) => write(itemAt(writers, n % 20), n, (n % 5) + 1)),
  )
  expect(statuses(first), refusalsLogged()).toEqual([201])
  expect(new Set(first.map(({ body }) => body.id)).size).toBe(20)
  await assertEqual(entryId, 20)

  const idOf = new Map(first.map(({ body }) => [body.userId, body.id]))
  const later = await Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const person = itemAt(writers, (n * 3) % 20)
      const params = { reviewId: defined(idOf.get(person.id)) }
      if (n % 4 === 0) return write(person, n, (n % 5) + 1)
      if (n % 4 === 1) return at(person, n).send(removeReview, { params })
      return at(person, n).send(updateReview, { params, body: { rating: ((n * 7) % 5) + 1 } })
    }),
  )
  // Citus lets one transaction at a time write the table that every node has, so the last ones may wait too long
  const allowed = [200, 201, 204, 404, ...(areDatabasesOnCitus ? [503] : [])]
  expect(statuses(later).filter(status => !allowed.includes(status))).toEqual([])
  expect(statuses(later)).toContain(204)
  await assertEqual(entryId)
})

/** The log of a 503, whose reply does not reveal the cause. */
const refusalsLogged = () =>
  server
    .logged()
    .split('\n')
    .filter(line => line.includes('did not answer'))
    .join('\n')

/** The sums and the last event equal the rows. */
async function assertEqual(entryId: string, count?: number): Promise<void> {
  const row = only(
    await server.sql<{ sum: number; n: number; rank: number; total: number; rows: number }>(
      `select l.rating_sum as sum, l.rating_count as n, l.rating_rank as rank,
       coalesce((select sum(rating) from market_review where entry_id = $1), 0)::int as total,
       (select count(*)::int from market_review where entry_id = $1) as rows
     from market_listing l where l.entry_id = $1`,
      [entryId],
    ),
  )
  const { sum, n, rank, total, rows } = row
  expect([sum, n]).toEqual([total, count ?? rows])
  expect(rank).toBeCloseTo((10 * 3 + sum) / (10 + n))
  const { data } = lastOf(await emittedEvents(server, entryId))
  expect(data).toMatchObject({
    ratingCount: n,
    ratingAverage: n === 0 ? null : Math.round((100 * sum) / n) / 100,
  })
}
