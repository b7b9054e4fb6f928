import { afterAll, beforeAll, expect, it } from 'vitest'
import { addChannelMember } from '#contract/chat/members.ts'
import type { Tx } from '#platform/data/db.ts'
import { type ChatFixture, startChatFixture } from '#tests/support/chat/chat.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import { firstOf } from '#tests/support/elements.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { insertRows } from '#tests/support/rows.ts'
import { channelDetail } from '../channels/listing/channel-list.sql.ts'
import { mentionsBefore } from './mentions/mention.sql.ts'
import { messagesOf, visibleMessagesOf } from './pages/message-page.sql.ts'
import { findMessages } from './search/message-search.sql.ts'

// a channel of 40,000 messages, of which 39,000 are private to another person: a page reads only the rows that it shows

let fixture: ChatFixture
let plans: Plans
beforeAll(async () => {
  fixture = await startChatFixture()
  const { org, channelId, owner, member, outsider, server } = fixture
  await owner.call(addChannelMember, { params: { id: channelId }, body: { personId: outsider.id } })
  const sql = { query: (text: string, values: unknown[]) => server.sql(text, values) } as never
  const seed = { organizationId: org.id, channelId, authorId: owner.id, hiddenTo: member.id }
  await fillChannel(sql, {
    ...seed,
    messages: 20_000,
    every: 40,
    searchWords: `'common rare' || n || ' <@' || $3 || '>'`,
  })
  await fillChannel(sql, { ...seed, messages: 20_000, every: 40 })
  const rare = await server.sql<{ id: string }>(
    'select id from chat_message where channel_id = $1 and seq <= 20000',
    [channelId],
  )
  await insertRows(
    server,
    'chat_mention',
    rare.map(({ id }) => ({
      organization_id: org.id,
      message_id: id,
      mentioned_id: owner.id,
      channel_id: channelId,
    })),
  )
  await server.sql('vacuum analyze')
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await fixture?.server.close()
})

const end = Number.MAX_SAFE_INTEGER
const page = { before: end, after: 0, limit: 51, direction: 'older' } as const
const visiblePage = { before: null, after: null, limit: 51, direction: 'older' } as const
it.each<[string, (db: Tx, fixture: ChatFixture) => Promise<unknown>, rows: number, maxBlocks: number]>([
  ['the newest', (db, c) => messagesOf(db, c.channelId, c.owner.id, page), 51, 700],
  ['in the middle', (db, c) => messagesOf(db, c.channelId, c.owner.id, { ...page, before: 20_000 }), 51, 700],
  [
    'the oldest first',
    (db, c) => messagesOf(db, c.channelId, c.owner.id, { ...page, after: 100, direction: 'newer' }),
    51,
    700,
  ],
  [
    'for a reader of private messages only',
    (db, c) => messagesOf(db, c.channelId, c.member.id, { ...page, before: 20_000 }),
    51,
    700,
  ],
  ['for an application', (db, c) => visibleMessagesOf(db, c.channelId, c.app.id, visiblePage), 51, 700],
  ['the unread count', (db, c) => channelDetail(db, c.outsider.id, c.channelId), 1, 300],
  [
    'the unread count of a reader of private messages',
    (db, c) => channelDetail(db, c.member.id, c.channelId),
    1,
    1_500,
  ],
  ['mentions', (db, c) => mentionsBefore(db, '~', c.owner.id, 51), 25, 12_000],
  ['a rare word', (db, c) => findMessages(db, c.owner.id, `'~rare400'`, undefined), 1, 9_000],
  [
    'a rare word of one channel',
    (db, c) => findMessages(db, c.owner.id, `'~rare400'`, c.channelId),
    1,
    9_000,
  ],
  ['a prefix', (db, c) => findMessages(db, c.owner.id, `'~rare12':*`, undefined), 29, 20_000],
  [
    'a common word in old messages',
    (db, c) => findMessages(db, c.owner.id, `'~common'`, undefined),
    50,
    30_000,
  ],
])('reads only the rows that it shows: %s', async (_, read, rows, maxBlocks) => {
  const explained = await plans.explain(fixture.org.id, db => read(db, fixture))
  expect(explained).toHaveLength(1)
  expect(firstOf(explained).rows).toBe(rows)
  expect(firstOf(explained).blocks).toBeLessThan(maxBlocks)
})
