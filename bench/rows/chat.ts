import { grantCapabilities } from '#contract/chat/shapes.ts'
import { insertGrants } from '#tests/support/chat/chat.ts'
import { insertChannelMembers, plantChannels } from '#tests/support/chat/many-channels.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import { atLeast, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { insertWebhooks } from '#tests/support/integrations/applications.ts'
import { onPool } from '#tests/support/rows.ts'
import { withNotices } from '../bare-notices.ts'
import { inBulk } from '../bulk.ts'
import type { BenchEnvironment } from '../environment.ts'
import { type BenchOrganization, makeApplication, makeOrganization, tokensOf } from '../people.ts'
import type { RecordKind } from '../record.ts'
import type { Figure } from '../report.ts'
import type { CliOptions } from '../request-template.ts'
import { type ComparedSide, inTurns, ratios, rawLine } from '../rounds.ts'
import { spread } from '../statistics.ts'
import { compare, sideOf } from './requests.ts'

const people = 16
const channels = 48
const applicationsInEach = 20
const scopes = ['chat:messages:view']

type SeededChannel = BenchOrganization & { channelIds: string[]; applicationIds: string[]; keys: string[] }
const seedChannels = new WeakMap<BenchEnvironment, Promise<SeededChannel>>()

/** Channels of sixteen people and twenty applications each, without webhooks, which have their own row. */
function busy(environment: BenchEnvironment): Promise<SeededChannel> {
  const place = seedChannels.get(environment) ?? seedChannel(environment, 'chat')
  seedChannels.set(environment, place)
  return place
}

async function seedChannel(environment: BenchEnvironment, name: string): Promise<SeededChannel> {
  const organization = await makeOrganization(environment.sql, name, people)
  const { id } = organization
  const applications = []
  for (let n = 0; n < applicationsInEach; n++)
    applications.push(await makeApplication(environment.sql, organization, scopes))
  const channelIds = []
  for (let n = 0; n < channels; n++) {
    const channelId = await makeChannel(environment, organization)
    channelIds.push(channelId)
    const applicationIds = applications.map(one => one.id)
    const grantor = firstOf(organization.people)
    await insertGrants(onPool(environment.sql), id, channelId, applicationIds, grantor, grantCapabilities)
  }
  // except the tables of messages, because a new server has no statistics of them either
  await environment.sql.query('vacuum analyze application, membership, chat_channel, chat_member, chat_grant')
  return {
    ...organization,
    channelIds,
    applicationIds: applications.map(one => one.id),
    keys: applications.map(one => one.key),
  }
}

/** A channel with everybody of the organization. */
async function makeChannel({ sql }: BenchEnvironment, { id, people }: BenchOrganization): Promise<string> {
  const personIds = people.map(person => person.id)
  const createdBy = firstOf(personIds)
  const channelIds = await plantChannels(onPool(sql), { organizationId: id, createdBy, count: 1 })
  await insertChannelMembers(onPool(sql), id, channelIds, personIds)
  return only(channelIds)
}

const message = JSON.stringify({
  content:
    '{name}: can the customer pay this one in two parts? They ask for the first of the month, as with the last order.',
})

async function posting(name: string, { channelIds: ids, ...place }: SeededChannel): Promise<RecordKind> {
  const path = '/api/chat/channels/{id}/messages'
  return { name, method: 'POST', path, body: message, status: 201, tokens: await tokensOf(place), ids }
}

/** Messages that people post per second, over those of the bare program with the same statements. */
export async function chatPublish(environment: BenchEnvironment): Promise<Figure[]> {
  return [await compare(environment, 'chat-publish', await posting('chat-publish', await busy(environment)))]
}

/**
 * Messages per second until the deliveries to all twenty applications are written, with paused endpoints,
 * over those of a bare program that writes the same rows in the transaction of the message.
 */
export async function chatNotices(environment: BenchEnvironment): Promise<Figure[]> {
  const place = await seedChannel(environment, 'chat notices')
  const endpoint = { url: 'http://127.0.0.1:9', events: ['CHAT_MESSAGE_CREATED'], status: 'HELD' } as const
  const webhooks = place.applicationIds.map(applicationId => ({ ...endpoint, applicationId }))
  await insertWebhooks(onPool(environment.sql), place.id, webhooks)
  const untilTheyStand = (side: ComparedSide): ComparedSide => ({
    ...side,
    async run(seconds) {
      const startedAt = performance.now()
      const loaded = await side.run(seconds)
      await environment.settled()
      return { ...loaded, perSecond: (loaded.requests / (performance.now() - startedAt)) * 1000 }
    },
  })
  const kind = await posting('chat-notices', place)
  return [
    await compare(environment, 'chat-notices', kind, {
      asRecorded: recording => withNotices(recording, place),
      asSide: untilTheyStand,
    }),
  ]
}

/** Messages that an application reads per second, in the same way. */
export async function chatRead(environment: BenchEnvironment): Promise<Figure[]> {
  const { id: organizationId, owner, keys, channelIds } = await busy(environment)
  const [channelId = ''] = channelIds
  await fillChannel(environment.sql, { organizationId, channelId, authorId: owner.id, messages: 2_000 })
  await environment.sql.query('vacuum analyze')
  const { rows } = await environment.sql.query('select id from chat_message where channel_id = $1', [
    channelId,
  ])
  return [
    await compare(environment, 'chat-read', {
      name: 'chat-read',
      method: 'GET',
      path: '/api/external/v1/chat/messages/{id}',
      status: 200,
      tokens: [''],
      headers: `X-Api-Key: ${keys[0]}\r\n`,
      ids: rows.map(row => row.id as string),
    }),
  ]
}

const small = 2_000
const portion = 50_000
/** Shorter rounds than in other rows, because the database is the largest of all. */
const turn = { seconds: 1, warmUpSeconds: 1 }

const questionNames = [
  'chat-history',
  'chat-history-middle',
  'chat-search-rare',
  'chat-search-common',
  'chat-unread',
] as const
type Questions = Record<(typeof questionNames)[number], { token: string; path: string }>

/**
 * Pages and searches of a small channel and of a large one: two organizations, because a search covers all
 * channels.
 */
export async function chatHistory(environment: BenchEnvironment): Promise<Figure[]> {
  const sizes = [small, 5 * environment.size.large]
  const channels: { name: string; questions: Questions }[] = []
  await inBulk(environment.sql, ['chat_message', 'chat_reader', 'chat_search'], async () => {
    for (const messages of sizes) {
      const name = `${messages.toLocaleString('en')} messages`
      channels.push({ name, questions: await longChannel(environment, messages) })
    }
  })
  await environment.sql.query('vacuum analyze')
  const figures: Figure[] = []
  for (const figure of questionNames) {
    const pair: ComparedSide[] = channels.map(({ name, questions }) => {
      const { token, path } = questions[figure]
      const request: CliOptions = { method: 'GET', path, tokens: [token], status: 200 }
      return sideOf(environment, name, environment.api, request, 0, 4)
    })
    const [few = [], many = []] = await inTurns(
      { ...environment, size: { ...environment.size, ...turn } },
      pair,
    )
    figures.push({
      name: figure,
      value: spread(ratios(many, few, one => one.meanMs)),
      raw: [rawLine(firstOf(pair).name, few), rawLine(itemAt(pair, 1).name, many)],
    })
  }
  return figures
}

/** An organization with one channel, in which nine of ten messages are private to one of its three people. */
async function longChannel(environment: BenchEnvironment, messages: number): Promise<Questions> {
  const organization = await makeOrganization(environment.sql, `chat of ${messages}`, 3)
  const [author, other] = atLeast(2, organization.people)
  const channelId = await makeChannel(environment, organization)
  const seed = { organizationId: organization.id, channelId, authorId: author.id, hiddenTo: other.id }
  for (let left = messages; left > 0; left -= portion) {
    const rare = left === messages ? `case when n = 770 then ' quokka' else '' end` : `''`
    const words = `'invoice word' || n % 500 || ${rare}`
    await fillChannel(environment.sql, {
      ...seed,
      every: 10,
      messages: Math.min(left, portion),
      searchWords: words,
    })
  }
  const [token = '', , stranger = ''] = await tokensOf(organization)
  const history = `/api/chat/channels/${channelId}/messages?limit=100`
  return {
    'chat-history': { token, path: history },
    'chat-history-middle': { token, path: `${history}&before=${messages / 2 + 1}` },
    'chat-search-rare': { token, path: '/api/chat/messages?search=quokka' },
    'chat-search-common': { token, path: '/api/chat/messages?search=invoice' },
    // a person who has read nothing yet
    'chat-unread': { token: stranger, path: '/api/chat/channels' },
  }
}
