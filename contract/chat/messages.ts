import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf } from '../shapes.ts'
import { Message, MessageContent, messageVisibilities } from './shapes.ts'

const area = 'chat'
const auth = { session: { permission: 'CHAT_USE' } } as const

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** By the numbers of messages, which both stand outside of the page. */
const pageQuery = {
  before: Type.Optional(Seq),
  after: Type.Optional(Seq),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.messagesPage, default: limits.messagesPageDefault }),
  ),
}
const Page = Type.Object({
  items: Type.Array(Message),
  hasMore: Type.Boolean({ description: 'There are more in the direction in which was read' }),
})

/** A message of the caller in a channel that they are in. */
export const postMessage = operation('POST /channels/:id/messages', {
  area,
  summary: 'Post a message',
  description:
    'VISIBLE reaches everybody in the channel, applications too; INTERNAL people alone; PRIVATE the caller and `readerIds`. With `aiReply` it is the answer of an AI to the caller, who alone reads it. A reply to a reply stands in the same thread. `<@id>` mentions a person of the channel; in a visible message also an application with access to it.',
  auth,
  params: { id: Id },
  body: {
    content: MessageContent,
    parentMessageId: Type.Optional(Id),
    visibility: Type.Optional(OneOf(messageVisibilities, { description: 'VISIBLE when left out' })),
    readerIds: Type.Optional(
      Type.Array(Id, { maxItems: limits.messageReaders, description: 'Members, for PRIVATE' }),
    ),
    aiReply: Type.Optional(Type.Boolean({ default: false })),
  },
  reply: Message,
  status: 201,
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_ARCHIVED', 'MESSAGE_NOT_FOUND', 'CHANNEL_MEMBER_NOT_FOUND'],
})

/** What a message says, or whom it reaches. By its author; the answer of an AI by whom it answers. */
export const editMessage = operation('PATCH /messages/:messageId', {
  area,
  summary: 'Edit a message, or change whom it reaches',
  description:
    'PRIVATE leaves it to its author alone. What applications do not see any more is announced to them as deleted, what they begin to see as created. The answer of an AI stays PRIVATE.',
  auth,
  params: { messageId: Id },
  body: {
    content: Type.Optional(MessageContent),
    visibility: Type.Optional(OneOf(messageVisibilities)),
  },
  reply: Message,
  errors: ['MESSAGE_NOT_FOUND', 'NOT_THE_AUTHOR', 'CHANNEL_ARCHIVED'],
})

/** A message keeps its place and loses what it said. By its author, or who governs the channel. */
export const deleteMessage = operation('DELETE /messages/:messageId', {
  area,
  summary: 'Delete a message',
  description:
    'It keeps its place, without its content. Others than its author need to govern the channel and CHAT_CHANNELS_EDIT. Deleting twice changes nothing.',
  auth,
  params: { messageId: Id },
  reply: Message,
  errors: ['MESSAGE_NOT_FOUND', 'NOT_THE_AUTHOR', 'CHANNEL_ROLE_REQUIRED', 'CHANNEL_ARCHIVED'],
})

export const readMessage = operation('GET /messages/:messageId', {
  area,
  summary: 'Read a message',
  auth,
  params: { messageId: Id },
  reply: Message,
  errors: ['MESSAGE_NOT_FOUND'],
})

/** History of a channel: what all members see, and what is private to the caller. */
export const listMessages = operation('GET /channels/:id/messages', {
  area,
  summary: 'The messages of a channel',
  description:
    'The newest first. `before` gives the newest with a lower number, `after` alone those that follow a number.',
  auth,
  params: { id: Id },
  query: pageQuery,
  reply: Page,
  errors: ['CHANNEL_NOT_FOUND'],
})

/** The replies of the thread that a message began or is in. */
export const listThread = operation('GET /messages/:messageId/thread', {
  area,
  summary: 'The replies of a thread',
  description:
    'Of the thread that the message began or is in. The oldest first: `after` gives the first with a higher number, `before` alone those that precede a number.',
  auth,
  params: { messageId: Id },
  query: pageQuery,
  reply: Page,
  errors: ['MESSAGE_NOT_FOUND'],
})

/** Where the caller was mentioned, as far as they may still read it. */
export const listMentions = operation('GET /mentions', {
  area,
  summary: 'The messages that mention the caller',
  description: 'The newest first. `nextBefore` is the `before` of the next page, and null after the last.',
  auth,
  query: {
    before: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.messagesPage, default: limits.messagesPageDefault }),
    ),
  },
  reply: Type.Object({ items: Type.Array(Message), nextBefore: Nullable(Id) }),
})

/** Messages of the caller's channels that have all the words. */
export const searchMessages = operation('GET /messages', {
  area,
  summary: 'Search messages',
  description: `All words, whatever their case and accents, the last one also as a beginning of two letters or more. The newest first, at most ${limits.messageSearchResults}.`,
  auth,
  query: {
    search: Type.String({ minLength: 1, maxLength: limits.search }),
    channelId: Type.Optional(Id),
  },
  reply: Type.Object({ items: Type.Array(Message) }),
  errors: ['CHANNEL_NOT_FOUND'],
})
