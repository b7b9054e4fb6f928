import { writeReview } from '#contract/marketplace/reviews.ts'
import { only } from '#tests/support/elements.ts'
import {
  insertInstallRows,
  insertListing,
  insertReviewRows,
  setListed,
} from '#tests/support/marketplace/listings.ts'
import type { TestServer } from '#tests/support/test-server.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

type Known = { entryId: string; reviewId: string }
const known = new WeakMap<TestServer, Promise<Known>>()

/** A listed entry with a review, which every organization may see. */
function listed(server: TestServer): Promise<Known> {
  const there = known.get(server) ?? make()
  known.set(server, there)
  return there

  async function make(): Promise<Known> {
    const author = await (await server.organization({ features: ['marketplace'] })).person()
    const entryId = await insertListing(server, author)
    return { entryId, reviewId: only(await insertReviewRows(server, author, entryId, 1)) }
  }
}

/** A review of the owner whose entry was withdrawn: nobody else sees it. */
async function withdrawn({ server, owner, secret }: Home): Promise<string> {
  await server.sql('delete from rate_window')
  const author = await (await server.organization({ features: ['marketplace'] })).person()
  const entryId = await insertListing(server, author)
  await insertInstallRows(server, owner, entryId)
  const body = { rating: 3, comment: `Tried in ${secret}` }
  const { id } = await owner.call(writeReview, { params: { id: entryId }, body })
  await setListed(server, entryId, false)
  return id
}

const onOwn: Fixture = async home => ({ params: { reviewId: await withdrawn(home) } })

/** Good calls of reviews, helpful marks and the stream of the marketplace: see fixtures.ts. */
export const reviewFixtures: Record<string, Fixture> = {
  writeReview: async ({ server, owner, mark }) => {
    const { entryId } = await listed(server)
    await insertInstallRows(server, owner, entryId)
    return { params: { id: entryId }, body: { rating: 4, comment: `Used in ${mark}` } }
  },
  listReviews: async ({ server, owner }) => {
    const entryId = await insertListing(server, owner, { isListed: false })
    await insertReviewRows(server, owner, entryId, 2)
    return { params: { id: entryId }, query: { limit: 100, offset: 0 } }
  },
  listMyReviews: async home => {
    await withdrawn(home)
    return { query: { limit: 100, offset: 0 } }
  },
  updateReview: async home => ({
    params: { reviewId: await withdrawn(home) },
    body: { rating: 5, comment: `Used again in ${home.mark}` },
  }),
  removeReview: onOwn,
  markHelpful: async ({ server, owner }) => {
    const { reviewId } = await listed(server)
    await server.sql('delete from market_helpful where review_id = $1 and person_id = $2', [
      reviewId,
      owner.id,
    ])
    return { params: { reviewId } }
  },
  unmarkHelpful: async ({ server }) => ({ params: { reviewId: (await listed(server)).reviewId } }),
  openMarketplaceStream: async () => ({ query: { lastEventId: '1' } }),
}
