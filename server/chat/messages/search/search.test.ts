import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { editMessage, searchMessages } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  type ChatFixture,
  createTestChannel,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { mapAll } from '#tests/support/elements.ts'
import { insertRows } from '#tests/support/rows.ts'
import { expectEachFinds, unusualSearches } from '#tests/support/search.ts'
import type { Person } from '#tests/support/test-server.ts'

let fixture: ChatFixture
let id: string
beforeAll(async () => {
  fixture = await startChatFixture()
})
beforeEach(async () => {
  id = (await createTestChannel(fixture.owner, { memberIds: [fixture.member.id] })).id
})
afterAll(() => fixture.server.close())

async function search(person: Person, search: string, channelId?: string): Promise<(string | null)[]> {
  const { items } = await person.call(searchMessages, { query: { search, ...(channelId && { channelId }) } })
  return items.map(({ content }) => content)
}

it('matches all words regardless of case and accents, the last one as a prefix, newest first', async () => {
  const { owner, member } = fixture
  for (const text of ['La reunión del lunes', 'REUNION el martes', 'Un lunes sin nada'])
    await sendMessage(owner, id, text)
  expect(await search(member, 'Reunión')).toEqual(['REUNION el martes', 'La reunión del lunes'])
  expect(await search(member, 'lunes reu')).toEqual(['La reunión del lunes'])
  await expectEachFinds(text => search(member, text), ['reu lunes', 'r', ...unusualSearches], [])
  expect(await search(member, `martes'`)).toEqual(['REUNION el martes'])
})

it('finds an edited message by its new content', async () => {
  const { owner } = fixture
  const message = await sendMessage(owner, id, 'Quokka')
  await owner.call(editMessage, { params: { messageId: message.id }, body: { content: 'Wombat' } })
  expect(await search(owner, 'quokka')).toEqual([])
  expect(await search(owner, 'wombat', id)).toEqual(['Wombat'])
})

it('finds only readable messages in channels of the caller', async () => {
  const { owner, member, outsider, admin, stranger } = fixture
  const { id: other } = await createTestChannel(owner)
  const word = `w${newId()}`
  await sendMessage(owner, id, `${word} shared`)
  await sendMessage(owner, id, { content: `${word} inside`, visibility: 'INTERNAL' })
  await sendMessage(owner, id, { content: `${word} private`, visibility: 'PRIVATE' })
  await sendMessage(owner, id, { content: `${word} told`, visibility: 'PRIVATE', readerIds: [member.id] })
  await sendMessage(owner, other, `${word} elsewhere`)
  expect(await search(owner, word)).toHaveLength(5)
  expect(await search(member, word)).toEqual([`${word} told`, `${word} inside`, `${word} shared`])
  expect(await search(owner, word, other)).toEqual([`${word} elsewhere`])
  for (const person of [outsider, admin, stranger]) expect(await search(person, word)).toEqual([])
})

it('answers for a channel without access as for an unknown one', async () => {
  const { outsider, stranger } = fixture
  for (const person of [outsider, stranger]) {
    const [hidden, unknown] = await mapAll([id, newId()], channelId =>
      person.send(searchMessages, { query: { search: 'x', channelId } }),
    )
    expect(hidden).toMatchObject({ status: 404, body: { errorCode: 'CHANNEL_NOT_FOUND' } })
    expect(hidden.body).toEqual(unknown.body)
  }
})

it('limits the results and refuses a long text', async () => {
  const { owner, server, org } = fixture
  const messages = Array.from({ length: 60 }, (_, n) => ({
    id: `c${id.slice(-4)}${String(n + 1).padStart(6, '0')}`,
    content: `${n + 1}`,
  }))
  await insertRows(
    server,
    'chat_message',
    messages.map((message, n) => ({
      ...message,
      organization_id: org.id,
      channel_id: id,
      seq: n + 1,
      author_id: owner.id,
    })),
  )
  await insertRows(
    server,
    'chat_search',
    messages.map(message => ({
      organization_id: org.id,
      message_id: message.id,
      channel_id: id,
      terms: `'${id.slice(-8)}.0.many'`,
    })),
  )
  expect(await search(owner, 'many')).toEqual(
    Array.from({ length: limits.messageSearchResults }, (_, n) => `${60 - n}`),
  )
  for (const search of ['', 'x'.repeat(limits.search + 1)])
    expect((await owner.send(searchMessages, { query: { search } })).status).toBe(400)
})
