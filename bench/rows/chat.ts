import { newId } from '#platform/ids.ts'
import { shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import type { Asked } from '../asked.ts'
import { withNotices } from '../bare-notices.ts'
import { inBulk } from '../bulk.ts'
import { makeApplication, makeOrganization, type Organization, tokensOf } from '../people.ts'
import type { Kind } from '../record.ts'
import type { Figure } from '../report.ts'
import { inTurns, ratios, rawLine, type Side } from '../rounds.ts'
import type { Stage } from '../stage.ts'
import { spread } from '../statistics.ts'
import { compare, sideOf } from './requests.ts'

const people = 16
const channels = 48
const applicationsInEach = 20
const scopes = ['chat:messages:view']

type Place = Organization & { channelIds: string[]; applicationIds: string[]; keys: string[] }
const places = new WeakMap<Stage, Promise<Place>>()

/** Channels of sixteen people and twenty applications each, which have no webhook: notices have a row of their own. */
function busy(stage: Stage): Promise<Place> {
  const place = places.get(stage) ?? makePlace(stage, 'chat')
  places.set(stage, place)
  return place
}

async function makePlace(stage: Stage, name: string): Promise<Place> {
  const organization = await makeOrganization(stage.sql, name, people)
  const { id } = organization
  const applications = []
  for (let n = 0; n < applicationsInEach; n++)
    applications.push(await makeApplication(stage.sql, organization, scopes))
  const channelIds = []
  for (let n = 0; n < channels; n++) {
    const channelId = await makeChannel(stage, organization)
    channelIds.push(channelId)
    await stage.sql.query(
      `insert into chat_grant (organization_id, id, channel_id, application_id, granted_by, can_organize, can_manage_members)
       select $1, left($2, 12) || right(i, 13), $2, i, $3, true, true from unnest($4::text[]) i`,
      [id, channelId, organization.people[0]!.id, applications.map(one => one.id)],
    )
  }
  // not the tables of messages: a new server has not counted them either
  await stage.sql.query('vacuum analyze application, membership, chat_channel, chat_member, chat_grant')
  return {
    ...organization,
    channelIds,
    applicationIds: applications.map(one => one.id),
    keys: applications.map(one => one.key),
  }
}

/** A channel in which everybody of the organization is. */
async function makeChannel({ sql }: Stage, { id, people }: Organization): Promise<string> {
  const channelId = newId()
  await sql.query(
    `with c as (
       insert into chat_channel (organization_id, id, kind, name, created_by) values ($1, $2, 'CHANNEL', $2, ($3::text[])[1])
       returning id)
     insert into chat_member (organization_id, channel_id, person_id, role)
     select $1, c.id, p, 'MEMBER' from c, unnest($3::text[]) p`,
    [id, channelId, people.map(person => person.id)],
  )
  return channelId
}

const message = JSON.stringify({
  content:
    '{name}: can the customer pay this one in two parts? They ask for the first of the month, as with the last order.',
})

async function posting(name: string, { channelIds: ids, ...place }: Place): Promise<Kind> {
  const path = '/api/chat/channels/{id}/messages'
  return { name, method: 'POST', path, body: message, status: 201, tokens: await tokensOf(place), ids }
}

/** Messages that people post per second, over those of the bare program with the same statements. */
export async function chatPublish(stage: Stage): Promise<Figure[]> {
  return [await compare(stage, 'chat-publish', await posting('chat-publish', await busy(stage)))]
}

/**
 * Messages per second until the notices to all twenty applications stand, whose endpoints are held, over those of a bare
 * program that writes the same rows in the transaction of the message.
 */
export async function chatNotices(stage: Stage): Promise<Figure[]> {
  const place = await makePlace(stage, 'chat notices')
  await stage.sql.query(
    `insert into webhook_endpoint (organization_id, application_id, shard, url, events, status)
     select $1, id, shard, 'http://127.0.0.1:9', '{CHAT_MESSAGE_CREATED}', 'HELD'
     from unnest($2::text[], $3::smallint[]) a (id, shard)`,
    [place.id, place.applicationIds, place.applicationIds.map(shardOf)],
  )
  const untilTheyStand = (side: Side): Side => ({
    ...side,
    async run(seconds) {
      const startedAt = performance.now()
      const loaded = await side.run(seconds)
      await stage.settled()
      return { ...loaded, perSecond: (loaded.requests / (performance.now() - startedAt)) * 1000 }
    },
  })
  const kind = await posting('chat-notices', place)
  return [
    await compare(stage, 'chat-notices', kind, {
      asRecorded: recording => withNotices(recording, place),
      asSide: untilTheyStand,
    }),
  ]
}

/** Messages that an application reads per second, in the same way. */
export async function chatRead(stage: Stage): Promise<Figure[]> {
  const { id: organizationId, people, keys, channelIds } = await busy(stage)
  const [channelId = ''] = channelIds
  await fillChannel(stage.sql, { organizationId, channelId, authorId: people[0]!.id, messages: 2_000 })
  await stage.sql.query('vacuum analyze')
  const { rows } = await stage.sql.query('select id from chat_message where channel_id = $1', [channelId])
  return [
    await compare(stage, 'chat-read', {
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
/** So many rounds take less time each than those of other rows: the database is the largest of all. */
const turn = { seconds: 1, warmUpSeconds: 1 }

type Questions = Record<
  'chat-history' | 'chat-history-middle' | 'chat-search-rare' | 'chat-search-common' | 'chat-unread',
  { token: string; path: string }
>

/** Pages and searches of a small channel and of a large one: two organizations, as a search goes through all channels. */
export async function chatHistory(stage: Stage): Promise<Figure[]> {
  const sizes = [small, 5 * stage.size.large]
  const sides: Questions[] = []
  await inBulk(stage.sql, ['chat_message', 'chat_reader', 'chat_search'], async () => {
    for (const messages of sizes) sides.push(await longChannel(stage, messages))
  })
  await stage.sql.query('vacuum analyze')
  const figures: Figure[] = []
  for (const figure of Object.keys(sides[0]!) as (keyof Questions)[]) {
    const pair: Side[] = sides.map((side, at) => {
      const { token, path } = side[figure]
      const asked: Asked = { method: 'GET', path, tokens: [token], status: 200 }
      return sideOf(stage, `${sizes[at]!.toLocaleString('en')} messages`, stage.api, asked, 0, 4)
    })
    const [few = [], many = []] = await inTurns({ ...stage, size: { ...stage.size, ...turn } }, pair)
    figures.push({
      name: figure,
      value: spread(ratios(many, few, one => one.meanMs)),
      raw: [rawLine(pair[0]!.name, few), rawLine(pair[1]!.name, many)],
    })
  }
  return figures
}

/** An organization with one channel, of whose messages nine in ten are private to one of its three people. */
async function longChannel(stage: Stage, messages: number): Promise<Questions> {
  const organization = await makeOrganization(stage.sql, `chat of ${messages}`, 3)
  const [author, other] = organization.people
  const channelId = await makeChannel(stage, organization)
  const seed = { organizationId: organization.id, channelId, authorId: author!.id, hiddenTo: other!.id }
  for (let left = messages; left > 0; left -= portion) {
    const rare = left === messages ? `case when n = 770 then ' quokka' else '' end` : `''`
    const words = `'invoice word' || n % 500 || ${rare}`
    await fillChannel(stage.sql, { ...seed, every: 10, messages: Math.min(left, portion), words })
  }
  const [token = '', , stranger = ''] = await tokensOf(organization)
  const history = `/api/chat/channels/${channelId}/messages?limit=100`
  return {
    'chat-history': { token, path: history },
    'chat-history-middle': { token, path: `${history}&before=${messages / 2 + 1}` },
    'chat-search-rare': { token, path: '/api/chat/messages?search=quokka' },
    'chat-search-common': { token, path: '/api/chat/messages?search=invoice' },
    // who has read nothing yet
    'chat-unread': { token: stranger, path: '/api/chat/channels' },
  }
}
