import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Entry, listEntries } from '#contract/marketplace/entries.ts'
import { permissions } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { makeApprovedEntry } from '#tests/support/marketplace/marketplace.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { forgetOldInstallers, updateRatingRanks } from './rerank.sql.ts'

let server: TestServer
let home: Organization
let author: Person
let entries: Entry[]
beforeAll(async () => {
  server = await startTestServer()
  home = await server.organization({ features: ['marketplace'] })
  const operator = await server.operator()
  author = await home.person({ permissions: [...permissions] })
  entries = []
  for (const name of ['One', 'Two', 'Three'])
    entries.push(await makeApprovedEntry(operator, author, { asset: { name } }))
})
afterAll(() => server.close())

/** Moves the last install of the entry this many days back. */
async function installed(entry: Entry, days: number): Promise<void> {
  await insertRows(server, 'market_installer', [
    { organization_id: home.id, entry_id: entry.id, person_id: newId(), last_at: secondsAgo(days * 86_400) },
  ])
  await server.sql(
    `update market_listing set install_count = install_count + 1, recent_installers = recent_installers + 1,
       popularity = ln(2 + recent_installers) / ln(2) + extract(epoch from approved_at - timestamptz 'epoch')::float8 / 7776000
     where entry_id = $1`,
    [entry.id],
  )
}
const rated = (entry: Entry, sum: number, count: number) =>
  server.sql('update market_listing set rating_sum = $2, rating_count = $3 where entry_id = $1', [
    entry.id,
    sum,
    count,
  ])
const rows = () =>
  server.sql<{ recent_installers: number; install_count: number; popular: number; rating_rank: number }>(
    `select recent_installers, install_count, rating_rank,
       popularity - extract(epoch from approved_at)::float8 / 7776000 as popular
     from market_listing order by approved_at`,
  )
const order = async (sort: 'POPULAR' | 'TOP_RATED') =>
  (await author.call(listEntries, { query: { sort } })).items.map(({ name }) => name)
const forget = (limit?: number) => forgetOldInstallers(server.api.services.database, limit)

test('old installers no longer make an entry popular, but stay counted', async () => {
  const [one, two] = entries as [Entry, Entry]
  for (const days of [0, 59, 61, 90]) await installed(one, days)
  for (const days of [0, 1, 61]) await installed(two, days)
  expect(await order('POPULAR')).toEqual(['One', 'Two', 'Three'])
  expect([await forget(2), await forget(2), await forget(2)]).toEqual([true, false, false])
  expect(await rows()).toMatchObject([
    { recent_installers: 2, install_count: 4, popular: expect.closeTo(Math.log2(3), 5) },
    { recent_installers: 2, install_count: 3, popular: expect.closeTo(Math.log2(3), 5) },
    { recent_installers: 0, install_count: 0, popular: expect.closeTo(0, 5) },
  ])
  const marks = await server.sql(
    'select is_recent, count(*)::int as n from market_installer group by 1 order by 1',
  )
  expect(marks).toEqual([
    { is_recent: false, n: 3 },
    { is_recent: true, n: 4 },
  ])
})

test('concurrent workers remove each of them once', async () => {
  const [, two, three] = entries as [Entry, Entry, Entry]
  await Promise.all(Array.from({ length: 20 }, (_, n) => installed(n % 2 ? two : three, 70)))
  await Promise.all(Array.from({ length: 6 }, () => forget(4)))
  while (await forget(4));
  expect((await rows()).map(row => row.recent_installers)).toEqual([2, 2, 0])
})

test('ranks follow the average of all ratings at most once an hour, if it changed', async () => {
  const follow = async () => {
    await updateRatingRanks(server.api.services.database, undefined, 2)
    return only(
      await server.sql<{ average: number; due: boolean }>(
        `select average, computed_at < now() - interval '1 hour' as due from market_rating_average`,
      ),
    )
  }
  const later = () =>
    server.sql(`update market_rating_average set computed_at = now() - interval '61 minutes'`)
  const [one, two] = entries as [Entry, Entry]
  await later()
  expect(await follow()).toEqual({ average: 3, due: false })
  await rated(one, 50, 10)
  await rated(two, 2, 1)
  expect((await follow()).average).toBe(3)
  await later()
  const average = 52 / 11
  expect(await follow()).toEqual({ average: expect.closeTo(average, 10), due: false })
  const expected = [(10 * average + 50) / 20, (10 * average + 2) / 11, average]
  expect((await rows()).map(row => row.rating_rank)).toEqual(expected.map(rank => expect.closeTo(rank, 10)))
  expect(await order('TOP_RATED')).toEqual(['One', 'Three', 'Two'])

  await later()
  await rated(two, 3, 1)
  await rated(one, 500, 100)
  // a small change: only the ranks of rated entries differ
  await rated(one, 479, 101)
  expect((await follow()).average).toBeCloseTo(average, 10)
  expect(firstOf(await rows()).rating_rank).toBeCloseTo((10 * average + 479) / 111, 10)
})

test('an interrupted run is continued', async () => {
  await server.sql(`update market_rating_average set average = 1, computed_at = '-infinity'`)
  await updateRatingRanks(server.api.services.database, () => true)
  const row = only(
    await server.sql<{ average: number; started: boolean }>(
      `select average, computed_at > '-infinity' as started from market_rating_average`,
    ),
  )
  expect([row.average > 4, row.started]).toEqual([true, false])
  await updateRatingRanks(server.api.services.database)
  expect(itemAt(await rows(), 2).rating_rank).toBeCloseTo(row.average, 10)
})
