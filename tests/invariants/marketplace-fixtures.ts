import { makePublishedAsset, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A PENDING entry of the home organization. Resets the counters of the daily limit first. */
export async function pending(home: Home): Promise<string> {
  await home.server.sql('delete from rate_window')
  return (await makeSubmission(home.owner, { assetId: await own(home), tags: [home.secret] })).id
}

let count = 0
/** A published asset of the home. */
function own({ owner, secret }: Home): Promise<string> {
  const name = `Entry ${secret} ${++count}`
  return makePublishedAsset(owner, {
    name,
    description: `For ${secret}`,
    bodyMarkdown: `Written in ${secret}`,
  })
}

const onPending: Fixture = async home => ({ params: { id: await pending(home) } })

/** Good calls of the operations of the marketplace: see fixtures.ts. */
export const marketplaceFixtures: Record<string, Fixture> = {
  submitEntry: async home => ({
    body: {
      assetId: await own(home),
      category: 'SALES_CRM',
      tags: [`${home.mark}-tag`],
      pricing: 'FREE',
      acceptPolicy: true,
    },
  }),
  checkEntry: async home => ({ body: { assetId: await own(home) } }),
  listEntries: async home => {
    await pending(home)
    return [
      { query: { limit: 100, offset: 0, search: home.secret, mine: true } },
      { query: { limit: 100, offset: 0, organization: true } },
      {
        query: {
          limit: 100,
          offset: 0,
          category: 'FINANCE',
          type: 'PROMPT',
          pricing: 'FREE',
          sort: 'POPULAR',
        },
      },
    ]
  },
  readEntry: onPending,
  readEntryFile: async home => {
    await home.server.sql('delete from rate_window')
    const path = `for-${home.secret}.txt`
    const { id } = await makeSubmission(home.owner, { files: [[path, home.secret]] })
    return { params: { id }, query: { path } }
  },
  updateEntry: async home => ({
    params: { id: await pending(home) },
    body: { category: 'FINANCE', tags: [`${home.mark}-again`] },
  }),
  withdrawEntry: onPending,
}
