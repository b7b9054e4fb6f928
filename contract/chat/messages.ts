import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Page as ListPage, pageQuery as listQuery, Nullable, OneOf } from '../shapes.ts'
import { Type } from '../type.ts'
import { channelKinds, Message, MessageContent, messageVisibilities, UnreadCount } from './shapes.ts'

const area = 'chat'
const auth = { session: { permission: 'CHAT_USE' } } as const

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** Both bounds are message numbers and are not part of the page. */
const pageQuery = {
  before: Type.Optional(Seq),
  after: Type.Optional(Seq),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.messagesPage, default: limits.messagesPageDefault }),
  ),
}
const Page = Type.Object({
  items: Type.Array(Message),
  hasMore: Type.Boolean({ description: 'There are more messages in the direction of the request' }),
})

export const postMessage = operation('POST /channels/:id/messages', {
  area,
  summary: 'Post a message',
  description:
    'VISIBLE is for everybody in the channel, including applications; INTERNAL for people only; PRIVATE for the caller and `readerIds`. With `aiReply` the message is an AI reply to the caller, who alone can read it. A reply to a reply joins the same thread. `<@id>` mentions a person in the channel; a visible message can also mention an application with access.',
  auth,
  isIdempotent: true,
  params: { id: Id },
  body: {
    content: MessageContent,
    parentMessageId: Type.Optional(Id),
    visibility: Type.Optional(
      OneOf(messageVisibilities, { description: 'Default: VISIBLE; PRIVATE with `aiReply`' }),
    ),
    readerIds: Type.Optional(
      Type.Array(Id, {
        maxItems: limits.messageReaders,
        description: 'Members of the channel who may read the message; only for PRIVATE',
      }),
    ),
    aiReply: Type.Optional(Type.Boolean({ default: false })),
    fileIds: Type.Optional(
      Type.Array(Id, {
        maxItems: limits.filesPerMessage,
        description: 'Files that the caller uploaded to the channel and that no message has',
      }),
    ),
  },
  reply: Message,
  status: 201,
  errors: [
    'CHANNEL_NOT_FOUND',
    'CHANNEL_ARCHIVED',
    'MESSAGE_NOT_FOUND',
    'CHANNEL_MEMBER_NOT_FOUND',
    'FILE_NOT_FOUND',
  ],
})

/** Only the author may edit a message; an AI reply belongs to the person whom it answers. */
export const editMessage = operation('PATCH /messages/:messageId', {
  area,
  summary: 'Edit a message or its visibility',
  description:
    'A change to PRIVATE leaves the author as the only reader. When a message becomes hidden from applications, they receive CHAT_MESSAGE_DELETED; when it becomes visible, CHAT_MESSAGE_CREATED. An AI reply stays PRIVATE.',
  auth,
  params: { messageId: Id },
  body: {
    content: Type.Optional(MessageContent),
    visibility: Type.Optional(OneOf(messageVisibilities)),
  },
  reply: Message,
  errors: ['MESSAGE_NOT_FOUND', 'NOT_THE_AUTHOR', 'CHANNEL_ARCHIVED'],
})

export const deleteMessage = operation('DELETE /messages/:messageId', {
  area,
  summary: 'Delete a message',
  description:
    'The message keeps its number and loses its content. The author may delete it, and so may an administrator of the channel with CHAT_CHANNELS_EDIT. Deleting it again changes nothing.',
  auth,
  params: { messageId: Id },
  reply: Message,
  errors: ['MESSAGE_NOT_FOUND', 'NOT_THE_AUTHOR', 'CHANNEL_ROLE_REQUIRED', 'CHANNEL_ARCHIVED'],
})

export const readMessage = operation('GET /messages/:messageId', {
  area,
  summary: 'Retrieve a message',
  auth,
  params: { messageId: Id },
  reply: Message,
  errors: ['MESSAGE_NOT_FOUND'],
})

/** Messages for all members, and private messages of the caller. */
export const listMessages = operation('GET /channels/:id/messages', {
  area,
  summary: 'List the messages of a channel',
  description:
    'Newest first. `before` returns the newest messages with a lower number; `after`, without `before`, returns those that follow a number.',
  auth,
  params: { id: Id },
  query: pageQuery,
  reply: Page,
  errors: ['CHANNEL_NOT_FOUND'],
})

export const listThread = operation('GET /messages/:messageId/thread', {
  area,
  summary: 'List the replies of a thread',
  description:
    'The thread that the message started or belongs to. Oldest first: `after` returns the first replies with a higher number; `before`, without `after`, returns those that precede a number.',
  auth,
  params: { messageId: Id },
  query: pageQuery,
  reply: Page,
  errors: ['MESSAGE_NOT_FOUND'],
})

/** A thread of the caller: the message that started it, and the replies that the caller has not read. */
export const OwnThread = Type.Object({
  message: Message,
  channel: Type.Object({
    id: Id,
    type: OneOf(channelKinds),
    name: Nullable(Type.String({ description: 'null for direct conversations' })),
  }),
  unreadCount: UnreadCount,
})
export type OwnThread = Static<typeof OwnThread>

/** Keeps MSG-18. */
export const listOwnThreads = operation('GET /threads', {
  area,
  summary: 'List the threads of the caller',
  description: `Threads that the caller started, wrote in or was mentioned in; the one with the latest reply comes first. Considers the ${limits.threadsPerPerson} threads in which that happened last. \`unreadCount\` counts the replies after the read marker of the channel.`,
  auth,
  query: listQuery,
  reply: ListPage(OwnThread),
})

/** Mentions in messages that the caller may still read. */
export const listMentions = operation('GET /mentions', {
  area,
  summary: 'List the messages that mention the caller',
  description: 'Newest first. For the next page, pass `nextBefore` as `before`; it is null on the last page.',
  auth,
  query: {
    before: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.messagesPage, default: limits.messagesPageDefault }),
    ),
  },
  reply: Type.Object({ items: Type.Array(Message), nextBefore: Nullable(Id) }),
})

export const searchMessages = operation('GET /messages', {
  area,
  summary: 'Search messages',
  description: `Finds messages that contain all words, ignoring case and accents. The last word also matches as a prefix of two letters or more. Newest first, at most ${limits.messageSearchResults}.`,
  auth,
  query: {
    search: Type.String({ minLength: 1, maxLength: limits.search }),
    channelId: Type.Optional(Id),
  },
  reply: Type.Object({ items: Type.Array(Message) }),
  errors: ['CHANNEL_NOT_FOUND'],
})
