import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statements } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { type ChatFixture, startChatFixture } from '#tests/support/chat/chat.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import '../event-recipients/event-recipient.sql.ts'
import './message.sql.ts'

// a generic plan from the time when the tables were empty, which a connection keeps until the first ANALYZE: it must not
// scan all messages

let fixture: ChatFixture
let client: pg.Client
beforeAll(async () => {
  fixture = await startChatFixture()
  client = new pg.Client({
    connectionString: fixture.server.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await fixture?.server.close()
})

const toLiteral = (value: string | null | string[]): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? `array[${value.map(toLiteral).join()}]::text[]` : `'${value}'`
}

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number }

it.each<[string, RegExp, (fixture: ChatFixture) => (string | null | string[])[]]>([
  [
    'a person posts a message',
    /new_readers as .*author_marker as/,
    c => [c.org.id, c.channelId, c.owner.id, newId(), 'x', 'VISIBLE', null, [], ['x'], 'USER', []],
  ],
  [
    'an application publishes a message',
    /^with parent as .*chat_access a where.*\) as mentions, .* from message m/,
    c => [c.org.id, c.channelId, c.app.id, newId(), 'x', 'VISIBLE', null, [], ['x'], 'APP'],
  ],
  [
    'an application reads a message',
    /mentions from \(.* join chat_access a .* where m\.visibility = 'VISIBLE' and m\.deleted_at is null$/,
    c => [c.org.id, newId(), c.app.id],
  ],
  [
    'a person reads a message',
    /as attachments from chat_message m join chat_member me .*\)\)$/,
    c => [c.org.id, newId(), c.owner.id],
  ],
  [
    'which messages are visible',
    /unnest\(\$1::text\[\], \$2::text\[\], \$3::text\[\]\) with/,
    c => [[c.org.id], [c.channelId], ['none']],
  ],
])('has a good plan without statistics: %s', async (_, part, values) => {
  const matches = statements().filter(({ text }) => part.test(text))
  expect(matches.map(({ text }) => text)).toHaveLength(1)
  const [{ name, text }] = matches as [(typeof matches)[number]]
  await client.query(`prepare ${name}_look as ${text}`)
  const explain = async () => {
    await client.query('begin')
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute ${name}_look(${values(fixture).map(toLiteral).join()})`,
    )
    await client.query('rollback')
    const plan = (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  await explain()
  const { org, channelId, owner, server } = fixture
  const sql = { query: (query: string, overrides: unknown[]) => server.sql(query, overrides) } as never
  await fillChannel(sql, { organizationId: org.id, channelId, authorId: owner.id, messages: 5_000 })
  expect(await explain()).toBeLessThan(150)
})
