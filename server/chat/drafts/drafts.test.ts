import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteDraft, listDrafts, readDraft, saveDraft } from '#contract/chat/drafts.ts'
import { addChannelMember, removeChannelMember } from '#contract/chat/members.ts'
import { limits } from '#contract/limits.ts'
import {
  type ChatFixture,
  createTestChannel,
  sendMessage,
  startChatFixture,
} from '#tests/support/chat/chat.ts'
import { plantDrafts } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
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

const save = (person: Person, content: string, parentMessageId?: string) =>
  person.send(saveDraft, { params: { id }, body: { content, ...(parentMessageId && { parentMessageId }) } })
const read = (person: Person, query = {}) => person.send(readDraft, { params: { id }, query })
const list = async (person: Person) => (await person.call(listDrafts, {})).items
const recorded = async () => {
  await fixture.server.relayed()
  const [row] = await fixture.server.sql<{ audit: number; event: number }>(
    'select (select count(*)::int from audit) as audit, (select count(*)::int from event) as event',
  )
  return row
}

it('keeps the text of a person for each channel and thread, and nobody else learns of it', async () => {
  const { owner, member } = fixture
  const root = await sendMessage(owner, id)
  const reply = await sendMessage(owner, id, { content: 'A reply', parentMessageId: root.id })
  const before = await recorded()
  expect((await read(member)).body).toEqual({
    channelId: id,
    parentMessageId: null,
    content: '',
    updatedAt: null,
  })
  await save(member, 'Dear ')
  const saved = await save(member, 'Dear all')
  const draft = { channelId: id, parentMessageId: null, content: 'Dear all', updatedAt: expect.any(String) }
  expect([saved.status, saved.body]).toEqual([200, draft])
  expect((await read(member)).body).toEqual(draft)
  // a reply to a reply belongs to the same thread
  await save(member, 'In the thread', reply.id)
  const inThread = { ...draft, parentMessageId: root.id, content: 'In the thread' }
  expect((await read(member, { parentMessageId: root.id })).body).toEqual(inThread)
  expect((await list(member)).filter(({ channelId }) => channelId === id)).toEqual([inThread, draft])
  expect((await read(owner)).body).toMatchObject({ content: '' })
  expect(await recorded()).toEqual(before)

  await member.call(deleteDraft, { params: { id }, query: { parentMessageId: root.id } })
  await member.call(deleteDraft, { params: { id }, query: { parentMessageId: root.id } })
  expect((await list(member)).filter(({ channelId }) => channelId === id)).toEqual([draft])
  expect(await recorded()).toEqual(before)
})

it('ends with the membership', async () => {
  const { owner, member } = fixture
  await save(member, 'Dear all')
  await owner.call(removeChannelMember, { params: { id, personId: member.id } })
  expect(refusalOf(await read(member))).toEqual([404, 'CHANNEL_NOT_FOUND'])
  expect((await list(member)).filter(({ channelId }) => channelId === id)).toEqual([])
  await owner.call(addChannelMember, { params: { id }, body: { personId: member.id } })
  expect((await read(member)).body).toMatchObject({ content: '' })
})

it('refuses a channel and a message that the person may not read, and a text that is no message', async () => {
  const { owner, member, outsider, admin, stranger } = fixture
  for (const person of [outsider, admin, stranger]) {
    expect(refusalOf(await save(person, 'x'))).toEqual([404, 'CHANNEL_NOT_FOUND'])
    expect(refusalOf(await read(person))).toEqual([404, 'CHANNEL_NOT_FOUND'])
    expect(refusalOf(await person.send(deleteDraft, { params: { id } }))).toEqual([404, 'CHANNEL_NOT_FOUND'])
  }
  const hidden = await sendMessage(owner, id, { content: 'For me', visibility: 'PRIVATE' })
  const elsewhere = await sendMessage(owner, fixture.channelId)
  for (const { id: parentId } of [hidden, elsewhere])
    expect(refusalOf(await save(member, 'x', parentId))).toEqual([404, 'MESSAGE_NOT_FOUND'])
  expect((await save(member, '')).status).toBe(400)
  expect((await save(member, 'x'.repeat(limits.messageContent + 1))).status).toBe(400)
})

it('has a limit of drafts, within which existing ones can change', async () => {
  const { org, server } = fixture
  const person = await org.person()
  await fixture.owner.call(addChannelMember, { params: { id }, body: { personId: person.id } })
  await save(person, 'first')
  await plantDrafts(server, { id: person.id, organizationId: org.id }, id, limits.draftsPerPerson - 1)
  const root = await sendMessage(person, id)
  expect(refusalOf(await save(person, 'one too many', root.id))).toEqual([409, 'TOO_MANY_DRAFTS'])
  expect((await save(person, 'again')).status).toBe(200)
  expect(await list(person)).toHaveLength(limits.draftsPerPerson)
})
