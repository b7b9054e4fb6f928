import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecipientCheck } from '#platform/events/recipients-resolver.ts'
import { newId } from '#platform/ids.ts'
import { makeChannel, plantGrant, say } from '#tests/support/chat/chat.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { channelReach } from './reach.ts'

let server: TestServer
let organization: Organization
let owner: Person
let inside: TestApplication
let outside: TestApplication
let channelId: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person()
  const principal = { principal: owner }
  ;[inside, outside] = [
    await makeApplication(server, organization, principal),
    await makeApplication(server, organization, principal),
  ]
  channelId = (await makeChannel(owner)).id
  await plantGrant(server, channelId, inside, owner)
})
afterAll(() => server.close())

const wide = () => server.api.services.database.wide
const telling = (
  event: string,
  about: Record<string, string>,
  applicationId = inside.id,
): RecipientCheck => ({
  organizationId: organization.id,
  event,
  about,
  applicationId,
})

/** What the three ways of asking say of the same, which must be the same; one of them knows one organization alone. */
async function may(tellings: RecipientCheck[]): Promise<boolean[]> {
  const own = tellings.filter(({ organizationId }) => organizationId === organization.id)
  const [hearers, told, toldIn] = await Promise.all([
    channelReach.hearers(wide(), tellings),
    channelReach.mayBeTold(wide(), tellings),
    channelReach.mayBeToldIn(server.api.services.database.of(organization.id), own),
  ])
  expect(told).toEqual(tellings.map(({ applicationId }, at) => hearers[at]!.has(applicationId)))
  expect(toldIn).toEqual(own.map(telling => told[tellings.indexOf(telling)]))
  return [...told]
}

it('answers each of many, in their order', async () => {
  const { id: messageId } = await say(owner, channelId)
  const { id: internal } = await say(owner, channelId, { visibility: 'INTERNAL' })
  const elsewhere = (await makeChannel(owner)).id
  const message = 'CHAT_MESSAGE_CREATED'
  expect(
    await may([
      telling(message, { channelId, messageId: internal }),
      telling(message, { channelId, messageId }),
      telling(message, { channelId, messageId }, outside.id),
      telling('CHAT_CHANNEL_UPDATED', { channelId }),
      telling('CHAT_CHANNEL_UPDATED', { channelId: elsewhere }),
      telling('CHAT_MEMBER_ADDED', { channelId, applicationId: outside.id }),
      telling('CHAT_MEMBER_ADDED', { channelId, applicationId: outside.id }, outside.id),
      telling(message, { channelId, messageId }),
    ]),
  ).toEqual([false, true, false, true, false, true, false, true])
  expect(await may([])).toEqual([])
})

it('knows nothing of what is named wrongly, or not at all', async () => {
  const other = (await makeChannel(owner)).id
  await plantGrant(server, other, inside, owner)
  const { id: messageId } = await say(owner, channelId)
  const foreign = await server.organization()
  for (const event of ['CHAT_MESSAGE_CREATED', 'CHAT_MESSAGE_UPDATED', 'CHAT_APP_MENTIONED'])
    expect(
      await may([
        telling(event, {}),
        telling(event, { messageId }),
        telling(event, { channelId }),
        telling(event, { channelId, messageId: newId() }),
        // of another channel, in which it is as well
        telling(event, { channelId: other, messageId }),
        { ...telling(event, { channelId, messageId }), organizationId: foreign.id },
        { ...telling('CHAT_CHANNEL_UPDATED', { channelId }), organizationId: foreign.id },
      ]),
    ).toEqual(Array(7).fill(false))
})

it('tells of a deletion whoever is in the channel', async () => {
  const { id: messageId } = await say(owner, channelId)
  await server.sql('update chat_message set deleted_at = now() where id = $1', [messageId])
  expect(
    await may([
      telling('CHAT_MESSAGE_DELETED', { channelId, messageId }),
      telling('CHAT_MESSAGE_DELETED', { channelId }),
      telling('CHAT_MESSAGE_DELETED', { channelId }, outside.id),
      telling('CHAT_MESSAGE_CREATED', { channelId, messageId }),
    ]),
  ).toEqual([true, true, false, false])
})

it('takes each place by its index, however much there is', async () => {
  const { pool } = server.api.services.database
  await pool.query(
    `insert into chat_message (organization_id, id, channel_id, seq, author_kind, author_id, content, visibility)
     select $1, 'm' || n, $2, 1000 + n, 'USER', $3, 'x', 'VISIBLE' from generate_series(1, 20000) n`,
    [organization.id, channelId, owner.id],
  )
  await pool.query('analyze chat_message')
  const many = Array.from({ length: 200 }, (_, at) =>
    telling('CHAT_MESSAGE_CREATED', { channelId, messageId: `m${at + 1}` }),
  )
  expect(await may(many)).toEqual(many.map(() => true))
})
