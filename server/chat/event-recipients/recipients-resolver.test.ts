import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecipientCheck } from '#platform/events/recipients-resolver.ts'
import { newId } from '#platform/ids.ts'
import { createTestChannel, insertTestGrant, sendMessage } from '#tests/support/chat/chat.ts'
import { itemAt } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { insertMany } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { channelRecipientsResolver } from './recipients-resolver.ts'

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
  channelId = (await createTestChannel(owner)).id
  await insertTestGrant(server, channelId, inside, owner)
})
afterAll(() => server.close())

const crossTenant = () => server.api.services.database.crossTenant
const recipientCheck = (
  event: string,
  about: Record<string, string>,
  applicationId = inside.id,
): RecipientCheck => ({
  organizationId: organization.id,
  event,
  about,
  applicationId,
})

/** The result of the three resolver functions, which must agree; one of them covers a single organization. */
async function may(checks: RecipientCheck[]): Promise<boolean[]> {
  const ownChecks = checks.filter(({ organizationId }) => organizationId === organization.id)
  const [recipients, permitted, permittedIn] = await Promise.all([
    channelRecipientsResolver.recipientsOf(crossTenant(), checks),
    channelRecipientsResolver.mayReceive(crossTenant(), checks),
    channelRecipientsResolver.mayReceiveIn(server.api.services.database.of(organization.id), ownChecks),
  ])
  expect(permitted).toEqual(checks.map(({ applicationId }, at) => itemAt(recipients, at).has(applicationId)))
  expect(permittedIn).toEqual(ownChecks.map(check => permitted[checks.indexOf(check)]))
  return [...permitted]
}

it('answers each query of a batch, in order', async () => {
  const { id: messageId } = await sendMessage(owner, channelId)
  const { id: internal } = await sendMessage(owner, channelId, { visibility: 'INTERNAL' })
  const elsewhere = (await createTestChannel(owner)).id
  const message = 'CHAT_MESSAGE_CREATED'
  expect(
    await may([
      recipientCheck(message, { channelId, messageId: internal }),
      recipientCheck(message, { channelId, messageId }),
      recipientCheck(message, { channelId, messageId }, outside.id),
      recipientCheck('CHAT_CHANNEL_UPDATED', { channelId }),
      recipientCheck('CHAT_CHANNEL_UPDATED', { channelId: elsewhere }),
      recipientCheck('CHAT_MEMBER_ADDED', { channelId, applicationId: outside.id }),
      recipientCheck('CHAT_MEMBER_ADDED', { channelId, applicationId: outside.id }, outside.id),
      recipientCheck(message, { channelId, messageId }),
    ]),
  ).toEqual([false, true, false, true, false, true, false, true])
  expect(await may([])).toEqual([])
})

it('finds no recipients for wrong or missing ids', async () => {
  const other = (await createTestChannel(owner)).id
  await insertTestGrant(server, other, inside, owner)
  const { id: messageId } = await sendMessage(owner, channelId)
  const foreign = await server.organization()
  for (const event of ['CHAT_MESSAGE_CREATED', 'CHAT_MESSAGE_UPDATED', 'CHAT_APP_MENTIONED'])
    expect(
      await may([
        recipientCheck(event, {}),
        recipientCheck(event, { messageId }),
        recipientCheck(event, { channelId }),
        recipientCheck(event, { channelId, messageId: newId() }),
        // a message of another channel to which the application has access
        recipientCheck(event, { channelId: other, messageId }),
        { ...recipientCheck(event, { channelId, messageId }), organizationId: foreign.id },
        { ...recipientCheck('CHAT_CHANNEL_UPDATED', { channelId }), organizationId: foreign.id },
      ]),
    ).toEqual(Array(7).fill(false))
})

it('sends deletions to every application in the channel', async () => {
  const { id: messageId } = await sendMessage(owner, channelId)
  await server.sql('update chat_message set deleted_at = now() where id = $1', [messageId])
  expect(
    await may([
      recipientCheck('CHAT_MESSAGE_DELETED', { channelId, messageId }),
      recipientCheck('CHAT_MESSAGE_DELETED', { channelId }),
      recipientCheck('CHAT_MESSAGE_DELETED', { channelId }, outside.id),
      recipientCheck('CHAT_MESSAGE_CREATED', { channelId, messageId }),
    ]),
  ).toEqual([true, true, false, false])
})

it('uses the indexes for every row of a large batch', async () => {
  const { pool } = server.api.services.database
  await insertMany(server, 'chat_message', 20_000, n => ({
    organization_id: organization.id,
    id: `m${n}`,
    channel_id: channelId,
    seq: 1_000 + n,
    author_id: owner.id,
  }))
  await pool.query('analyze chat_message')
  const many = Array.from({ length: 200 }, (_, at) =>
    recipientCheck('CHAT_MESSAGE_CREATED', { channelId, messageId: `m${at + 1}` }),
  )
  expect(await may(many)).toEqual(many.map(() => true))
})
