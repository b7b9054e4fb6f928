import { reportEntry } from '#contract/marketplace/entries.ts'
import { featureEntry, readSubmission } from '#contract/marketplace/review-queue.ts'
import { only } from '#tests/support/elements.ts'
import { insertListing, insertReviewRows } from '#tests/support/marketplace/listings.ts'
import { approveEntry, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import type { Person, TestServer } from '#tests/support/test-server.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'
import { pending } from './marketplace-fixtures.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const operators = new WeakMap<TestServer, Promise<Person>>()
function operatorOf(server: TestServer): Promise<Person> {
  const there = operators.get(server) ?? server.operator()
  operators.set(server, there)
  return there
}

const known = new WeakMap<TestServer, Promise<string>>()
/** A listed entry, which every organization may see. */
function listed(server: TestServer): Promise<string> {
  const make = async () =>
    insertListing(server, await (await server.organization({ features: ['marketplace'] })).person())
  const there = known.get(server) ?? make()
  known.set(server, there)
  return there
}

/** A waiting entry of the home, and its release. */
async function waiting(home: Home): Promise<{ entryId: string; releaseId: string }> {
  const entryId = await pending(home)
  const { releaseId } = await (await operatorOf(home.server)).call(readSubmission, { params: { entryId } })
  return { entryId, releaseId }
}

/** An approved entry of the home. */
async function approved(home: Home): Promise<string> {
  const entryId = await pending(home)
  await approveEntry(await operatorOf(home.server), home.owner, { id: entryId })
  return entryId
}

async function featured(home: Home): Promise<string> {
  const entryId = await approved(home)
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await (await operatorOf(home.server)).call(featureEntry, { params: { entryId }, body: { until } })
  return entryId
}

async function reported({
  server,
  organization,
  secret,
}: Home): Promise<{ reportId: string; entryId: string }> {
  await server.sql('delete from rate_window')
  const entryId = await listed(server)
  const reason = `Refused in ${secret}`
  const someone = await organization.person()
  const { id } = await someone.call(reportEntry, { params: { id: entryId }, body: { reason } })
  return { reportId: id, entryId }
}

async function reviewed({ server, owner }: Home): Promise<string> {
  return only(await insertReviewRows(server, owner, await listed(server), 1))
}

/** Good calls of the review queue and of reports: see fixtures.ts. */
export const reviewQueueFixtures: Record<string, Fixture> = {
  reportEntry: async ({ server, mark }) => ({
    params: { id: await listed(server) },
    body: { reason: `Not for ${mark}` },
  }),
  listSubmissions: async home => {
    await pending(home)
    return [{ query: { limit: 100, offset: 0 } }, { query: { limit: 100, offset: 0, status: 'PENDING' } }]
  },
  readSubmission: async home => ({ params: { entryId: await pending(home) } }),
  readSubmittedFile: async home => {
    await home.server.sql('delete from rate_window')
    const path = `for-${home.secret}.txt`
    const { id: entryId } = await makeSubmission(home.owner, { files: [[path, home.secret]] })
    return { params: { entryId }, query: { path } }
  },
  startReview: async home => ({ params: { entryId: await pending(home) } }),
  approveSubmission: async home => {
    const { entryId, releaseId } = await waiting(home)
    return { params: { entryId }, body: { releaseId, note: `Fine for ${home.mark}` } }
  },
  rejectSubmission: async home => {
    const { entryId, releaseId } = await waiting(home)
    return { params: { entryId }, body: { releaseId, reason: `Not for ${home.mark}` } }
  },
  featureEntry: async home => ({
    params: { entryId: await approved(home) },
    body: { until: new Date(Date.now() + 86_400_000).toISOString() },
  }),
  unfeatureEntry: async home => ({ params: { entryId: await featured(home) } }),
  delistEntry: async home => ({
    params: { entryId: await approved(home) },
    body: { reason: `No longer for ${home.mark}` },
  }),
  listEntryReports: async home => {
    const { entryId } = await reported(home)
    return [
      { query: { limit: 100, offset: 0, status: 'OPEN', entryId } },
      { query: { limit: 100, offset: 0 } },
    ]
  },
  settleEntryReport: async home => ({
    params: { reportId: (await reported(home)).reportId },
    body: { status: 'CONFIRMED', note: `Seen by ${home.mark}` },
  }),
  hideReview: async home => ({
    params: { reviewId: await reviewed(home) },
    body: { reason: `Rude in ${home.mark}` },
  }),
  showReviewAgain: async home => ({ params: { reviewId: await reviewed(home) } }),
}
