import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAppMessages, publishMessage, readAppMessage } from '#contract/chat/application-messages.ts'
import {
  deleteMessage,
  editMessage,
  listMentions,
  listMessages,
  listThread,
  readMessage,
  searchMessages,
} from '#contract/chat/messages.ts'
import type { AppMessage, MessageVisibility } from '#contract/chat/shapes.ts'
import { type ChatFixture, eventsIn, sendMessage, startChatFixture } from '#tests/support/chat/chat.ts'
import { defined, findIn } from '#tests/support/elements.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture()
})
afterAll(() => fixture.server.close())

it('a person asks an application and gets a reply', async () => {
  const { app, owner, member, channelId, server } = fixture
  const question = await sendMessage(member, channelId, `<@${app.id}> how far is the release?`)
  // the event carries ids only; the application reads the text
  const notice = findIn(await eventsIn(server, channelId), ({ name }) => name === 'CHAT_APP_MENTIONED')
  const { messageId } = notice.data as { messageId: string }
  const received = await app.client.call(readAppMessage, { params: { messageId } })
  expect(received).toMatchObject({ content: question.content, author: { kind: 'USER', id: member.id } })
  const answer = await app.client.call(publishMessage, {
    params: { channelId },
    body: { content: `<@${member.id}> two steps are left`, parentMessageId: received.id },
  })
  expect((await member.call(listMentions)).items.map(({ id }) => id)).toEqual([answer.id])
  // the team discusses it internally
  await sendMessage(owner, channelId, {
    content: 'Let us wait',
    visibility: 'INTERNAL',
    parentMessageId: answer.id,
  })
  const thread = await owner.call(listThread, { params: { messageId: question.id } })
  expect(thread.items.map(({ author }) => author.kind)).toEqual(['APP', 'USER'])
  expect(await app.client.call(readAppMessage, { params: { messageId } })).toMatchObject({ replyCount: 1 })
  expect((await member.call(searchMessages, { query: { search: 'steps are le' } })).items).toMatchObject([
    { id: answer.id, author: { kind: 'APP', displayName: app.name } },
  ])
})

type Way = (messageId: string, content: string) => Promise<boolean>
const byPerson = (person: Person): Way[] => [
  async messageId => (await person.send(readMessage, { params: { messageId } })).status === 200,
  async messageId => {
    const { body } = await person.send(listMessages, { params: { id: fixture.channelId } })
    return (body.items ?? []).some(({ id }) => id === messageId)
  },
  async (messageId, content) => {
    const { items } = await person.call(searchMessages, { query: { search: content } })
    return items.some(({ id }) => id === messageId)
  },
]
const byApplication = (): Way[] => [
  async messageId =>
    (await fixture.app.client.send(readAppMessage, { params: { messageId } })).status === 200,
  async messageId => {
    const params = { channelId: fixture.channelId }
    const { items } = await fixture.app.client.call(listAppMessages, { params, query: { limit: 100 } })
    return items.some(({ id }: AppMessage) => id === messageId)
  },
]

it.each<[MessageVisibility, readers: boolean, who: (keyof ChatFixture)[]]>([
  ['VISIBLE', false, ['owner', 'member', 'app']],
  ['INTERNAL', false, ['owner', 'member']],
  ['PRIVATE', true, ['owner', 'member']],
  ['PRIVATE', false, ['owner']],
])('%s (readers named: %s) is readable for %j in every way', async (visibility, isNamed, who) => {
  const { owner, member, channelId } = fixture
  const message = await sendMessage(owner, channelId, {
    visibility,
    ...(isNamed && { readerIds: [member.id] }),
  })
  const audience = ['owner', 'member', 'outsider', 'admin', 'stranger'] as const
  const seen = await Promise.all([
    ...audience.map(async name => ({ name, ways: await ask(byPerson(fixture[name])) })),
    ask(byApplication()).then(ways => ({ name: 'app', ways })),
  ])
  for (const { name, ways } of seen) {
    const expected = who.includes(name as keyof ChatFixture)
    expect({ name, ways }).toEqual({ name, ways: ways.map(() => expected) })
  }
  async function ask(ways: Way[]): Promise<boolean[]> {
    return Promise.all(ways.map(way => way(message.id, defined(message.content))))
  }
})

it('a deleted message has no content, and the team sees that it was deleted', async () => {
  const { owner, member, app, channelId } = fixture
  const message = await sendMessage(member, channelId, 'Forget this')
  await member.call(editMessage, { params: { messageId: message.id }, body: { content: 'Forget that' } })
  await owner.call(deleteMessage, { params: { messageId: message.id } })
  const texts = await Promise.all([
    owner.send(readMessage, { params: { messageId: message.id } }),
    owner.send(listMessages, { params: { id: channelId } }),
    owner.send(searchMessages, { query: { search: 'forget' } }),
    app.client.send(listAppMessages, { params: { channelId } }),
  ])
  for (const { body } of texts) expect(JSON.stringify(body)).not.toMatch(/Forget/)
  expect(texts[0].body).toMatchObject({ content: null, seq: message.seq, author: message.author })
})
