import { createChannel } from '#contract/chat/channels.ts'
import { saveDraft } from '#contract/chat/drafts.ts'
import { addressOfChatFile, uploadChatFiles } from '#contract/chat/files.ts'
import { postMessage } from '#contract/chat/messages.ts'
import type { Input } from '#contract/operation.ts'
import { insertTestGrant } from '#tests/support/chat/chat.ts'
import { only } from '#tests/support/elements.ts'
import { formOf } from '#tests/support/studio/files.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A channel of the owner with another member and the application of the home. */
async function channel({ server, owner, make, secret }: Home): Promise<{ id: string; memberId: string }> {
  const memberId = (await make.member()).id
  const { id } = await owner.call(createChannel, {
    body: { name: `Channel ${secret}`, memberIds: [memberId] },
  })
  await insertTestGrant(server, id, await ownApplication(server, owner), owner)
  return { id, memberId }
}

async function posted(
  home: Home,
  given: Partial<Input<typeof postMessage>['body']> = {},
): Promise<{ id: string; channelId: string }> {
  const { id } = await channel(home)
  return home.owner.call(postMessage, {
    params: { id },
    body: { content: `Said in ${home.secret} to ${home.mark}`, ...given },
  })
}

/** Uploads a file of the owner for a message. */
async function uploaded({ owner, name, secret }: Home, channelId: string): Promise<string> {
  const form = formOf([`${name('file').replaceAll(' ', '-')}.txt`, secret])
  const { items } = await owner.call(uploadChatFiles, { params: { id: channelId }, form })
  return only(items).id
}

/** A file of a message of the owner. */
async function attached(home: Home): Promise<{ fileId: string }> {
  const { id } = await channel(home)
  const fileId = await uploaded(home, id)
  await home.owner.call(postMessage, { params: { id }, body: { content: home.secret, fileIds: [fileId] } })
  return { fileId }
}

/** A draft of the owner in a thread. */
async function drafted(home: Home) {
  const { id: parentMessageId, channelId } = await posted(home)
  const params = { id: channelId }
  await home.owner.call(saveDraft, {
    params,
    body: { content: `Draft in ${home.secret}`, parentMessageId },
  })
  return { params, query: { parentMessageId } }
}

/** Valid calls of the message operations; see fixtures.ts. */
export const chatMessageFixtures: Record<string, Fixture> = {
  postMessage: async home => {
    const { id: parentMessageId, channelId } = await posted(home)
    const { id, memberId } = await channel(home)
    const content = `Hello ${home.mark}`
    return [
      { params: { id: channelId }, body: { content, parentMessageId, visibility: 'INTERNAL' } },
      {
        params: { id },
        body: { content, visibility: 'PRIVATE', readerIds: [memberId], fileIds: [await uploaded(home, id)] },
      },
      { params: { id }, body: { content, aiReply: true } },
    ]
  },
  editMessage: async home => ({
    params: { messageId: (await posted(home)).id },
    body: { content: `Rather ${home.mark}`, visibility: 'INTERNAL' },
  }),
  deleteMessage: async home => ({ params: { messageId: (await posted(home)).id } }),
  readMessage: async home => ({ params: { messageId: (await posted(home)).id } }),
  listMessages: async home => ({
    params: { id: (await posted(home)).channelId },
    query: { before: 1_000_000, after: 0, limit: 100 },
  }),
  listThread: async home => {
    const { id: parentMessageId, channelId } = await posted(home)
    const body = { content: `Back in ${home.secret}`, parentMessageId }
    await home.owner.call(postMessage, { params: { id: channelId }, body })
    return { params: { messageId: parentMessageId }, query: { before: 1_000_000, after: 0, limit: 100 } }
  },
  uploadChatFiles: async home => ({
    params: { id: (await channel(home)).id },
    form: [
      { name: 'file', value: `For ${home.mark}`, filename: `${home.mark}.txt` },
      { name: 'file', value: Buffer.from([0, 1, 255]), filename: 'b.bin' },
    ],
  }),
  addressOfChatFile: async home => ({ params: await attached(home) }),
  removeChatFile: async home => ({ params: await attached(home) }),
  openChatFile: async home => {
    const { url } = await home.owner.call(addressOfChatFile, { params: await attached(home) })
    const { pathname, searchParams } = new URL(url)
    const { expires, ...query } = Object.fromEntries(searchParams)
    return { params: { fileId: pathname.split('/').at(-1) }, query: { ...query, expires: Number(expires) } }
  },
  listOwnThreads: async home => {
    const { id: parentMessageId, channelId } = await posted(home)
    const body = { content: `Back in ${home.secret}`, parentMessageId }
    await home.owner.call(postMessage, { params: { id: channelId }, body })
    return { query: { limit: 100, offset: 0 } }
  },
  readDraft: async home => drafted(home),
  saveDraft: async home => {
    const { params, query } = await drafted(home)
    return { params, body: { ...query, content: `Draft for ${home.mark}` } }
  },
  deleteDraft: async home => drafted(home),
  listDrafts: async home => {
    await drafted(home)
    return {}
  },
  listMentions: async home => {
    const { id } = await posted(home)
    return { query: { before: `${id}z`, limit: 100 } }
  },
  searchMessages: async home => {
    const { channelId } = await posted(home)
    return { query: { search: home.mark, channelId } }
  },
  publishMessage: async home => {
    // the messages of an application per hour are limited
    await home.server.sql('delete from rate_window')
    const { id: parentMessageId, channelId } = await posted(home)
    return { params: { channelId }, body: { content: `Hello ${home.mark}`, parentMessageId } }
  },
  readAppMessage: async home => ({ params: { messageId: (await posted(home)).id } }),
  listAppMessages: async home => {
    const { id, channelId } = await posted(home)
    const { id: before } = await home.owner.call(postMessage, {
      params: { id: channelId },
      body: { content: `And ${home.secret}` },
    })
    return [
      { params: { channelId }, query: { before, limit: 100 } },
      { params: { channelId }, query: { after: id } },
    ]
  },
}
