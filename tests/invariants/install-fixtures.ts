import { installEntry } from '#contract/marketplace/entries.ts'
import { plantListing, setListed } from '#tests/support/marketplace/listings.ts'
import type { TestWorld } from '#tests/support/test-server.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

async function listing(world: TestWorld): Promise<string> {
  const author = await (await world.organization({ features: ['marketplace'] })).person()
  return plantListing(world, author)
}

const known = new WeakMap<TestWorld, Promise<string>>()
/** An entry of a company that every other one may see. */
function listed(world: TestWorld): Promise<string> {
  const there = known.get(world) ?? listing(world)
  known.set(world, there)
  return there
}

/** A copy of the owner's. */
async function install({ world, owner, secret }: Home, id: string): Promise<string> {
  await world.sql('delete from rate_window')
  const body = { acknowledgeDisclaimer: true, customName: `Copy in ${secret}` } as const
  return (await owner.call(installEntry, { params: { id }, body })).installId
}

/** One that holds an earlier release than is listed. */
async function outdated(home: Home): Promise<string> {
  const { world } = home
  const installId = await install(home, await listed(world))
  const earlier = await listing(world)
  await world.sql(
    `update market_install set release_id = (select release_id from market_listing where entry_id = $2) where id = $1`,
    [installId, earlier],
  )
  return installId
}

/** An entry that was withdrawn: only those who have copies of it still see them. */
async function withdrawn(home: Home): Promise<string> {
  const entryId = await listing(home.world)
  await install(home, entryId)
  await setListed(home.world, entryId, false)
  return entryId
}

const page = { limit: 100, offset: 0 }

/** Good calls of installs and what verifies them: see fixtures.ts. */
export const installFixtures: Record<string, Fixture> = {
  installEntry: async home => ({
    params: { id: await listed(home.world) },
    body: { acknowledgeDisclaimer: true, customName: home.name('Copy') },
  }),
  listInstalls: async home => {
    await install(home, await listed(home.world))
    return { query: page }
  },
  listEntryInstalls: async home => ({ params: { id: await withdrawn(home) }, query: page }),
  readInstall: async home => ({ params: { id: await install(home, await listed(home.world)) } }),
  updateInstall: async home => [
    { params: { id: await outdated(home) }, body: { take: 'theirs' } },
    { params: { id: await outdated(home) }, body: { dryRun: true } },
  ],
  readProvenanceKey: async () => ({}),
}
