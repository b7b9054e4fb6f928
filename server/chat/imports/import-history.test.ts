import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listOwnChannels } from '#contract/chat/channels.ts'
import { listMessages, listThread, postMessage, searchMessages } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { zipOf } from '#tests/support/studio/zip.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { importHistory } from './import-history.ts'

let server: TestServer
let organization: Organization
let owner: Person
let ana: Person
let folder: string
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  ana = await organization.person({ permissions: ['CHAT_USE'] })
  folder = await mkdtemp(join(tmpdir(), 'patio-history-'))
})
afterEach(() => rm(folder, { recursive: true }))

const lines: string[] = []
const importFrom = (from: string, isDryRun = false, ownerEmail = owner.email) => {
  lines.length = 0
  return importHistory(
    server.api.services.database,
    { organizationId: organization.id, owner: ownerEmail, from, isDryRun },
    line => lines.push(line),
  )
}
async function slackExport(files: Record<string, unknown>): Promise<string> {
  const path = join(folder, 'export.zip')
  const entries = Object.entries(files).map(([name, content]) => ({ name, content: JSON.stringify(content) }))
  await writeFile(path, zipOf(entries))
  return path
}
const slackFiles = () => ({
  'users.json': [
    { id: 'U1', name: 'ana', profile: { real_name: 'Ana', email: ana.email.toUpperCase() } },
    { id: 'U2', name: 'bo', real_name: 'Bo Berg', profile: { email: 'bo@elsewhere.test' } },
  ],
  'channels.json': [
    {
      id: 'C1',
      name: 'general',
      created: 1_600_000_000,
      is_archived: false,
      members: ['U1', 'U2'],
      purpose: { value: 'For everybody' },
    },
  ],
  'groups.json': [{ id: 'G1', name: 'quiet', created: 1_600_000_000, is_archived: true, members: ['U2'] }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'general/2020-09-14.json': [
    {
      type: 'message',
      subtype: 'channel_join',
      ts: '1600000001.000100',
      user: 'U1',
      text: '<@U1> has joined',
    },
    {
      type: 'message',
      ts: '1600000002.000100',
      user: 'U1',
      text: 'Ask <@U2> in <#C1|general>: <https://a.test/x|here> 1 &lt; 2 &amp; 3',
      thread_ts: '1600000002.000100',
    },
    {
      type: 'message',
      ts: '1600000004.000100',
      subtype: 'bot_message',
      bot_profile: { name: 'Deploy' },
      text: '',
      attachments: [{ fallback: 'Deployed' }],
    },
    { type: 'message', ts: '1600000003.000100', user: 'U2', text: 'Zanzibar', files: [{ name: 'a.png' }] },
  ],
  'general/2020-09-15.json': [
    { type: 'message', ts: '1600086400.000100', user: 'U1', text: 'A reply', thread_ts: '1600000002.000100' },
    {
      type: 'message',
      ts: '1600086401.000100',
      user: 'U1',
      text: 'Lost its thread',
      thread_ts: '1500000000.000100',
    },
  ],
})

async function history(reader: Person, id: string) {
  const { items } = await reader.call(listMessages, { params: { id }, query: {} })
  // the newest comes first
  return items.toReversed().map(({ id, content, author, createdAt, replyCount }) => ({
    id,
    content,
    author: author.id,
    createdAt,
    replyCount,
  }))
}

test('imports the channels of Slack with authors, times, threads and readable texts, and notifies nobody', async () => {
  const path = await slackExport(slackFiles())
  expect(await importFrom(path, true)).toMatchObject({ channels: 2, added: 5, skipped: 0 })
  expect((await owner.call(listOwnChannels, { query: {} })).items).toEqual([])

  expect(await importFrom(path)).toEqual({
    organization: expect.any(String),
    channels: 2,
    added: 5,
    skipped: 0,
    matchedPeople: 1,
    unmatchedPeople: ['Bo Berg'],
    leftOut: ['D1'],
  })
  expect(lines).toEqual(['#general: 5 messages', '#quiet: 0 messages'])
  const own = (await ana.call(listOwnChannels, { query: {} })).items
  expect(own).toMatchObject([
    { name: 'general', description: 'For everybody', isDiscoverable: true, unreadCount: 0 },
  ])
  const { id } = only(own)
  const messages = await history(ana, id)
  expect(messages).toMatchObject([
    {
      content: 'Ask @Bo Berg in #general: [here](https://a.test/x) 1 < 2 & 3',
      author: ana.id,
      createdAt: '2020-09-13T12:26:42.000Z',
      replyCount: 1,
    },
    { content: '**Bo Berg:** Zanzibar\n[a.png]', author: owner.id, createdAt: '2020-09-13T12:26:43.000Z' },
    { content: '**Deploy:** Deployed', author: owner.id },
    { content: 'A reply', author: ana.id, createdAt: '2020-09-14T12:26:40.000Z' },
    { content: 'Lost its thread', author: ana.id, createdAt: '2020-09-14T12:26:41.000Z' },
  ])
  const thread = await ana.call(listThread, { params: { messageId: firstOf(messages).id }, query: {} })
  expect(thread.items.map(({ content }) => content)).toEqual(['A reply'])
  const found = await ana.call(searchMessages, { query: { search: 'zanzibar' } })
  expect(found.items.map(({ id }) => id)).toEqual([itemAt(messages, 1).id])

  await server.relayed()
  expect(await server.sql('select name from event where organization_id = $1', [organization.id])).toEqual([])
  const audit = await server.sql('select operation, actor_id from audit where organization_id = $1', [
    organization.id,
  ])
  expect(audit).toEqual(Array(2).fill({ operation: 'import-chat', actor_id: owner.id }))
})

test('imports nothing twice, and continues where an export has grown', async () => {
  const files = slackFiles()
  await importFrom(await slackExport(files))
  const { id } = only((await ana.call(listOwnChannels, { query: {} })).items)
  await ana.call(postMessage, { params: { id }, body: { content: 'Here now' } })
  const before = await history(ana, id)
  expect(await importFrom(await slackExport(files))).toMatchObject({ added: 0, skipped: 5 })
  expect(await history(ana, id)).toEqual(before)
  files['general/2020-09-15.json'].push({
    type: 'message',
    ts: '1600086402.000100',
    user: 'U1',
    text: 'Late reply',
    thread_ts: '1600000002.000100',
  })
  expect(await importFrom(await slackExport(files))).toMatchObject({ added: 1, skipped: 5 })
  expect((await history(ana, id))[0]).toMatchObject({ replyCount: 2 })
  const [seqs] = await server.sql(
    `select array_agg(seq::int order by seq) as seqs, max(c.last_seq)::int as last from chat_message m
     join chat_channel c on c.organization_id = m.organization_id and c.id = m.channel_id where m.channel_id = $1`,
    [id],
  )
  expect(seqs).toEqual({ seqs: [1, 2, 3, 4, 5, 6, 7], last: 7 })
})

test('splits long messages, and imports the same export into two organizations apart', async () => {
  const files = slackFiles()
  itemAt(files['general/2020-09-14.json'], 1).text = 'x'.repeat(limits.messageContent + 1)
  const path = await slackExport(files)
  expect(await importFrom(path)).toMatchObject({ added: 6 })
  const { id } = only((await ana.call(listOwnChannels, { query: {} })).items)
  expect((await history(ana, id)).slice(0, 2).map(({ content }) => content?.length)).toEqual([
    limits.messageContent,
    1,
  ])
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  expect(await importFrom(path)).toMatchObject({ added: 6, matchedPeople: 0 })
})

test('imports the channels of Mattermost in the order of time, with replies from inside their posts', async () => {
  const post = (user: string, message: string, create_at: number, more = {}) => ({
    type: 'post',
    post: { team: 'main', channel: 'town', user, message, create_at, ...more },
  })
  const path = join(folder, 'import.jsonl')
  const data = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'main', display_name: 'Main', type: 'O' } },
    {
      type: 'channel',
      channel: { team: 'main', name: 'town', display_name: 'Town Square', type: 'P', header: 'News' },
    },
    {
      type: 'user',
      user: {
        username: 'ana',
        email: ana.email,
        first_name: 'Ana',
        teams: [{ name: 'main', channels: [{ name: 'town' }] }],
      },
    },
    {
      type: 'user',
      user: { username: 'bo', email: 'bo@elsewhere.test', first_name: 'Bo', last_name: 'Berg' },
    },
    post('bo', 'Second', 1_600_000_002_000),
    post('ana', 'First', 1_600_000_001_000, {
      replies: [{ user: 'bo', message: 'Third, a reply', create_at: 1_600_000_003_000 }],
    }),
    post('bo', 'bo joined', 1_600_000_000_000, { type: 'system_join_channel' }),
    { type: 'direct_channel', direct_channel: { members: ['ana', 'bo'] } },
  ]
  await writeFile(path, data.map(line => `${JSON.stringify(line)}\n`).join(''))
  expect(await importFrom(path)).toMatchObject({
    channels: 1,
    added: 3,
    matchedPeople: 1,
    leftOut: ['ana, bo'],
  })
  const channel = only((await ana.call(listOwnChannels, { query: {} })).items)
  expect(channel).toMatchObject({ name: 'Town Square', description: 'News', isDiscoverable: false })
  const messages = await history(ana, channel.id)
  expect(messages).toMatchObject([
    { content: 'First', author: ana.id, createdAt: '2020-09-13T12:26:41.000Z', replyCount: 1 },
    { content: '**Bo Berg:** Second', author: owner.id },
    { content: '**Bo Berg:** Third, a reply', author: owner.id },
  ])
  const thread = await ana.call(listThread, { params: { messageId: firstOf(messages).id }, query: {} })
  expect(thread.items.map(({ id }) => id)).toEqual([itemAt(messages, 2).id])
  expect(await importFrom(path)).toMatchObject({ added: 0, skipped: 3 })
})

test('refuses other files, an unknown organization and an owner from elsewhere', async () => {
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const path = await slackExport(slackFiles())
  await expect(importFrom(path, false, stranger.email)).rejects.toThrow('is not a member of the organization')
  await expect(importFrom(await slackExport({ 'a.json': [] }))).rejects.toThrow('is no export of Slack')
  const jsonl = join(folder, 'other.jsonl')
  await writeFile(jsonl, '{"type":"post"}\n')
  await expect(importFrom(jsonl)).rejects.toThrow('is no bulk export of Mattermost')
  await writeFile(jsonl, '{"type":\n')
  await expect(importFrom(jsonl)).rejects.toThrow('is not JSON')
})
