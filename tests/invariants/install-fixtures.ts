import { installEntry } from '#contract/marketplace/entries.ts'
import { insertListing, setListed } from '#tests/support/marketplace/listings.ts'
import type { TestServer } from '#tests/support/test-server.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

async function listing(server: TestServer): Promise<string> {
  const author = await (await server.organization({ features: ['marketplace'] })).person()
  return insertListing(server, author)
}

const known = new WeakMap<TestServer, Promise<string>>()
/** A listed entry, which every organization may see. */
function listed(server: TestServer): Promise<string> {
  const there = known.get(server) ?? listing(server)
  known.set(server, there)
  return there
}

/** A copy of the owner's. */
async function install({ server, owner, secret }: Home, id: string): Promise<string> {
  await server.sql('delete from rate_window')
  const body = { acknowledgeDisclaimer: true, customName: `Copy in ${secret}` } as const
  return (await owner.call(installEntry, { params: { id }, body })).installId
}

/** An install of an earlier release than the listed one. */
async function outdated(home: Home): Promise<string> {
  const { server } = home
  const installId = await install(home, await listed(server))
  const earlier = await listing(server)
  await server.sql(
    `update market_install set release_id = (select release_id from market_listing where entry_id = $2) where id = $1`,
    [installId, earlier],
  )
  return installId
}

/** A withdrawn entry: only owners of copies still see their installs. */
async function withdrawn(home: Home): Promise<string> {
  const entryId = await listing(home.server)
  await install(home, entryId)
  await setListed(home.server, entryId, false)
  return entryId
}

const page = { limit: 100, offset: 0 }

/** Good calls of installs and provenance: see fixtures.ts. */
export const installFixtures: Record<string, Fixture> = {
  installEntry: async home => ({
    params: { id: await listed(home.server) },
    body: { acknowledgeDisclaimer: true, customName: home.name('Copy') },
  }),
  listInstalls: async home => {
    await install(home, await listed(home.server))
    return { query: page }
  },
  listEntryInstalls: async home => ({ params: { id: await withdrawn(home) }, query: page }),
  readInstall: async home => ({ params: { id: await install(home, await listed(home.server)) } }),
  updateInstall: async home => [
    { params: { id: await outdated(home) }, body: { take: 'theirs' } },
    { params: { id: await outdated(home) }, body: { dryRun: true } },
  ],
  readProvenanceKey: async () => ({}),
}
