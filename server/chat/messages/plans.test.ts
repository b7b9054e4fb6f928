import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addChannelMember } from '#contract/chat/members.ts'
import { statements } from '#platform/data/statement.ts'
import { type ChatFixture, startChatFixture } from '#tests/support/chat/chat.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import './mentions/mention.sql.ts'
import './pages/message-page.sql.ts'
import './search/message-search.sql.ts'
import '../channels/listing/channel-list.sql.ts'

// a channel of 40,000 messages, of which 39,000 are private to another person: a page reads only the rows that it shows

let fixture: ChatFixture
let client: pg.Client
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
  await server.sql(
    `insert into chat_mention (organization_id, message_id, mentioned_id, kind, channel_id)
     select organization_id, id, $1, 'USER', channel_id from chat_message where channel_id = $2 and seq <= 20000`,
    [owner.id, channelId],
  )
  await server.sql('vacuum analyze')
  client = new pg.Client({
    connectionString: server.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await fixture?.server.close()
})

type Plan = Record<string, unknown> & { Plans?: Plan[] }

async function explain(part: RegExp, values: (string | number | null)[]) {
  const matches = statements().filter(({ text }) => part.test(text))
  expect(matches.map(({ text }) => text)).toHaveLength(1)
  const [{ name, text }] = matches as [(typeof matches)[number]]
  const overrides = [fixture.org.id, ...values].map(value =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : (value ?? 'null'),
  )
  await client.query(`prepare ${name}_look as ${text}`)
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute ${name}_look(${overrides.join(', ')})`,
  )
  await client.query(`deallocate ${name}_look`)
  const plan = (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
  return {
    blocks: Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']),
    rows: Number(plan['Actual Rows']),
  }
}

const end = Number.MAX_SAFE_INTEGER
const older = / s\.channel_id = \$2 .*order by m\.seq desc$/
const newer = / s\.channel_id = \$2 .*order by m\.seq asc$/
it.each<
  [string, RegExp, (fixture: ChatFixture) => (string | number | null)[], rows: number, maxBlocks: number]
>([
  ['the newest', older, c => [c.channelId, c.owner.id, end, 0, 51], 51, 700],
  ['in the middle', older, c => [c.channelId, c.owner.id, 20_000, 0, 51], 51, 700],
  ['the oldest first', newer, c => [c.channelId, c.owner.id, end, 100, 51], 51, 700],
  ['for a reader of private messages only', older, c => [c.channelId, c.member.id, 20_000, 0, 51], 51, 700],
  [
    'for an application',
    /chat_access a join lateral .*desc$/,
    c => [c.channelId, c.app.id, null, null, 51],
    51,
    700,
  ],
  ['the unread count', /^select c\.id.* as unread/, c => [c.outsider.id, c.channelId], 1, 300],
  [
    'the unread count of a reader of private messages',
    /^select c\.id.* as unread/,
    c => [c.member.id, c.channelId],
    1,
    1_500,
  ],
  [
    'mentions',
    /from chat_mention z .*order by m\.id desc limit \$4$/,
    c => ['~', c.owner.id, 51],
    25,
    12_000,
  ],
  ['a rare word', /^with own .*order by k\.id desc/, c => [c.owner.id, `'~rare400'`], 1, 9_000],
  [
    'a rare word of one channel',
    /^with own .*order by k\.seq desc/,
    c => [c.owner.id, `'~rare400'`, c.channelId],
    1,
    9_000,
  ],
  ['a prefix', /^with own .*order by k\.id desc/, c => [c.owner.id, `'~rare12':*`], 29, 20_000],
  [
    'a common word in old messages',
    /^with own .*order by k\.id desc/,
    c => [c.owner.id, `'~common'`],
    50,
    30_000,
  ],
])('reads only the rows that it shows: %s', async (_, part, values, rows, maxBlocks) => {
  const plan = await explain(part, values(fixture))
  expect(plan.rows).toBe(rows)
  expect(plan.blocks).toBeLessThan(maxBlocks)
})
