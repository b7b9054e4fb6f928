import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { insertChannelMembers } from '#tests/support/chat/many-channels.ts'
import { itemAt } from '#tests/support/elements.ts'
import { insertMembers } from '#tests/support/identity/people.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { scattered } from '#tests/support/random.ts'
import { insertMany, secondsAgo } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { listMembers } from '../../members/member.sql.ts'
import { channelDetail, directory, manageableChannels, ownChannels } from './channel-list.sql.ts'

// an organization, a person and a channel, each at its limit

let server: TestServer
let organization: Organization
let person: Person
let plans: Plans
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  organization = await server.organization()
  person = await organization.person()
  const { id } = organization
  await insertMany(server, 'chat_channel', limits.channelsPerOrganization, n => ({
    organization_id: id,
    id: `c${n}`,
    name: scattered(n),
    name_folded: scattered(n),
    is_discoverable: n % 2 === 0,
    created_by: person.id,
    last_message_at: secondsAgo(n),
    archived_at: n % 10 === 9 ? new Date() : null,
  }))
  await insertMany(server, 'chat_member', limits.channelsPerPerson, n => ({
    organization_id: id,
    channel_id: `c${n * 20}`,
    person_id: person.id,
    role: 'OWNER',
  }))
  const members = Array.from({ length: limits.membersPerChannel }, (_, n) => `m${n + 1}`)
  await insertMembers(
    server,
    id,
    members.map(member => ({ id: member, name: 'x', email: `${member}@example.test` })),
  )
  await insertChannelMembers(server, id, ['c1'], members)
  // VACUUM marks no page as visible to all while the commit of its rows is not flushed, and tests commit asynchronously
  await server.sql('begin; set local synchronous_commit = on; analyze chat_channel; commit')
  await server.sql('vacuum analyze chat_channel, chat_member, membership')
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

type Bounds = [maxBlocks: number, maxSorted: number]
const page = { limit: 20, offset: 0 }
const all = { archived: false, search: null, hasOwner: null }
/** A total of all channels reads each of them. */
const channels = limits.channelsPerOrganization
it.each<[string, (db: Tx) => Promise<unknown>, ...Bounds[]]>([
  [
    'the channels of a person',
    db => ownChannels(db, person.id, { archived: false, kind: null }, page),
    // the only list that sorts, bounded by the channels of a person
    [10_000, limits.channelsPerPerson],
    [10_000, 0],
  ],
  ['one channel', db => channelDetail(db, person.id, 'c10'), [60, 0]],
  ['the directory', db => directory(db, person.id, null, page), [400, 20], [1_000, 0]],
  ['the directory by name', db => directory(db, person.id, '%abcde%', page), [1_000, 100], [1_000, 0]],
  ['all channels', db => manageableChannels(db, person.id, all, page), [600, 20], [channels, 0]],
  [
    'all archived channels',
    db => manageableChannels(db, person.id, { ...all, archived: true }, page),
    [600, 20],
    [channels, 0],
  ],
  [
    'the channels with an owner, which are one in twenty',
    db => manageableChannels(db, person.id, { ...all, hasOwner: true }, page),
    [3_000, 20],
    [4 * channels, 0],
  ],
  ['a page of members', db => listMembers(db, 'c1', 20, 9_000), [35_000, 0], [35_000, 0]],
])('%s', async (_name, read, ...bounds) => {
  const explained = await plans.explain(organization.id, read)
  expect(explained).toHaveLength(bounds.length)
  for (const [at, [maxBlocks, maxSorted]] of bounds.entries()) {
    const { rows, blocks, sorted } = itemAt(explained, at)
    expect(rows).toBeGreaterThan(0)
    expect(blocks).toBeLessThanOrEqual(maxBlocks)
    expect(sorted).toBeLessThanOrEqual(maxSorted)
  }
})
