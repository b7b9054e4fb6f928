import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statements } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { type ChatCast, openChatCast } from '#tests/support/chat/chat.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import '../event-recipients/event-recipient.sql.ts'
import './message.sql.ts'

// a plan that a connection made when there was next to nothing, and keeps until PostgreSQL counts the rows for the first
// time: meanwhile it must not look at all messages

let cast: ChatCast
let client: pg.Client
beforeAll(async () => {
  cast = await openChatCast()
  client = new pg.Client({
    connectionString: cast.server.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await cast?.server.close()
})

const written = (value: string | null | string[]): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? `array[${value.map(written).join()}]::text[]` : `'${value}'`
}

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number }

it.each<[string, RegExp, (cast: ChatCast) => (string | null | string[])[]]>([
  [
    'a post of a person',
    /readable as .*marked as/,
    c => [c.org.id, c.channelId, c.owner.id, newId(), 'x', 'VISIBLE', null, [], ['x'], 'USER', []],
  ],
  [
    'a post of an application',
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
    /readable_root_id from chat_message m join chat_member me .*\)\)$/,
    c => [c.org.id, newId(), c.owner.id],
  ],
  [
    'which messages are seen',
    /unnest\(\$1::text\[\], \$2::text\[\], \$3::text\[\]\) with/,
    c => [[c.org.id], [c.channelId], ['none']],
  ],
])('is planned well before anything was counted: %s', async (_, part, values) => {
  const found = statements().filter(({ text }) => part.test(text))
  expect(found.map(({ text }) => text)).toHaveLength(1)
  const [{ name, text }] = found as [(typeof found)[number]]
  await client.query(`prepare ${name}_look as ${text}`)
  const look = async () => {
    await client.query('begin')
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute ${name}_look(${values(cast).map(written).join()})`,
    )
    await client.query('rollback')
    const plan = (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  await look()
  const { org, channelId, owner, server } = cast
  const sql = { query: (query: string, given: unknown[]) => server.sql(query, given) } as never
  await fillChannel(sql, { organizationId: org.id, channelId, authorId: owner.id, messages: 5_000 })
  expect(await look()).toBeLessThan(150)
})
