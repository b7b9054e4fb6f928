import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrossTenantTx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { type ChatFixture, sendMessage, startChatFixture } from '#tests/support/chat/chat.ts'
import { fillChannel } from '#tests/support/chat/messages.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { channelRecipientsResolver } from '../event-recipients/recipients-resolver.ts'
import { messageFor, visibleMessageFor } from './message.access.ts'
import { insertAppMessage, insertMessage, type NewMessage } from './message.sql.ts'

// a generic plan from the time when the tables were empty, which a connection keeps until the first ANALYZE: it must not
// scan all messages

let fixture: ChatFixture
let messageId: string
let plans: Plans
beforeAll(async () => {
  fixture = await startChatFixture()
  messageId = (await sendMessage(fixture.owner, fixture.channelId)).id
  plans = await openPlans(fixture.server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await fixture?.server.close()
})

const newMessage = (authorKind: 'USER' | 'APP', authorId: string): NewMessage => ({
  id: newId(),
  channelId: fixture.channelId,
  authorKind,
  authorId,
  content: 'x',
  visibility: 'VISIBLE',
  parentId: null,
  mentionedIds: [],
  searchWords: ['x'],
})

it.each<[string, (tx: CrossTenantTx, c: ChatFixture) => Promise<unknown>]>([
  [
    'a person posts a message',
    (tx, { org, owner }) => insertMessage(tx.of(org.id), newMessage('USER', owner.id), []),
  ],
  [
    'an application publishes a message',
    (tx, { org, app }) => insertAppMessage(tx.of(org.id), newMessage('APP', app.id)),
  ],
  [
    'an application reads a message',
    (tx, { org, app }) => visibleMessageFor(tx.of(org.id), { applicationId: app.id } as Caller, messageId),
  ],
  [
    'a person reads a message',
    (tx, { org, owner }) => messageFor(tx.of(org.id), { personId: owner.id } as Caller, messageId),
  ],
  [
    'which messages are visible',
    (tx, { org, channelId }) =>
      channelRecipientsResolver.recipientsOf(tx, [
        { event: 'CHAT_MESSAGE_CREATED', organizationId: org.id, about: { channelId, messageId } },
      ]),
  ],
])('has a good plan without statistics: %s', async (_, work) => {
  const explain = () => plans.explainCrossTenant(tx => work(tx, fixture))
  await explain()
  const { org, channelId, owner, server } = fixture
  const sql = { query: (query: string, overrides: unknown[]) => server.sql(query, overrides) } as never
  await fillChannel(sql, { organizationId: org.id, channelId, authorId: owner.id, messages: 5_000 })
  for (const { blocks } of await explain()) expect(blocks).toBeLessThan(150)
})
