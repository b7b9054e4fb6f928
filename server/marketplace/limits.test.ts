import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { installEntry, readEntry, reportEntry, submitEntry } from '#contract/marketplace/entries.ts'
import type { Operation } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import type { CallInput } from '#sdk/client.ts'
import { defined } from '#tests/support/elements.ts'
import { makeApprovedEntry, makePublishedAsset } from '#tests/support/marketplace/marketplace.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let operator: Person
let author: Person
let second: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization({ features: ['marketplace'] })
  author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'ADMIN' })
  operator = await server.operator()
  second = (await server.anotherApi()).url
})
afterAll(() => server.close())

/** Counts the statuses of concurrent calls at two processes. */
async function atOnce<In, Out>(person: Person, endpoint: Operation<In, Out>, inputs: CallInput<In>[]) {
  const answers = await Promise.all(
    inputs.map((input, n) => (n % 2 ? person : person.at(second)).send(endpoint, input)),
  )
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

// MKT-4: one person makes all calls at once
it('installs: 100 of 160 at two processes, while others fail', async () => {
  const { id } = await makeApprovedEntry(operator, author)
  const person = await organization.person()
  const params = { id }
  const good = { params, body: { acknowledgeDisclaimer: true as const } }
  const inputs = Array.from({ length: 160 }, (_, n) => {
    if (n % 10 === 3) return { ...good, params: { id: newId() } }
    if (n % 10 === 7) return { params, body: { acknowledgeDisclaimer: false as never } }
    return good
  })
  const counts = await atOnce(person, installEntry, inputs)
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(['201', '400', '429']))
  expect(counts[201]).toBe(limits.installsPerDay)
  expect(counts[400]).toBe(16)
  expect((counts[404] ?? 0) + defined(counts[429])).toBe(44)
  const [rows] = await server.sql(
    `select (select count(*)::int from market_install where person_id = $1) as installs,
       (select count(*)::int from asset where author_id = $1) as copies`,
    [person.id],
  )
  expect(rows).toEqual({ installs: 100, copies: 100 })
  expect(await person.call(readEntry, { params })).toMatchObject({ installCount: 1 })
  // the limit is per person
  expect((await (await organization.person()).send(installEntry, good)).status).toBe(201)
})

it('submissions: 10 of 30, and those that are refused leave room', async () => {
  const person = await organization.person({ role: 'ADMIN' })
  const assets: string[] = []
  for (let n = 0; n < 15; n++) assets.push(await makePublishedAsset(person))
  const submission = (assetId: string) => ({
    body: { assetId, category: 'OTHER' as const, acceptPolicy: true as const },
  })
  // each twice: one of two is already submitted, if the limit allowed it
  const counts = await atOnce(person, submitEntry, [...assets, ...assets].map(submission))
  expect(counts[201]).toBe(limits.submissionsPerDay)
  expect((counts[409] ?? 0) + defined(counts[429])).toBe(20)
  const entries = await server.sql('select 1 from market_entry where submitted_by = $1', [person.id])
  expect(entries).toHaveLength(limits.submissionsPerDay)
  const again = await person.send(submitEntry, submission(newId()))
  expect(again.body).toMatchObject({ errorCode: 'RATE_LIMIT_EXCEEDED', limit: 10, used: 10 })
})

it('reports: 20 of 24', async () => {
  const entries: string[] = []
  for (let n = 0; n < 24; n++) {
    await server.sql('delete from rate_window')
    entries.push((await makeApprovedEntry(operator, author)).id)
  }
  const person = await organization.person()
  const counts = await atOnce(
    person,
    reportEntry,
    entries.map(id => ({ params: { id }, body: { reason: 'It does not do what it says.' } })),
  )
  expect(counts).toEqual({ 201: limits.reportsPerDay, 429: 4 })
})
