import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id } from '../shapes.ts'
import { Type } from '../type.ts'
import { AppMessage, MessageContent } from './shapes.ts'

const chatOperation = { area: 'chat', module: 'integrations' } as const

/** Messages of applications are visible to everybody in the channel (MSG-6, MSG-11). */
export const publishMessage = operation('POST /chat/channels/:channelId/messages', {
  ...chatOperation,
  summary: 'Publish a message',
  description:
    'The application needs access to the channel. `parentMessageId` replies in the thread of that message. `<@id>` mentions a person in the channel or another application.',
  auth: { apiKey: { scope: 'chat:messages:send' } },
  params: { channelId: Id },
  body: { content: MessageContent, parentMessageId: Type.Optional(Id) },
  reply: AppMessage,
  status: 201,
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_ARCHIVED', 'MESSAGE_NOT_FOUND'],
  limit: {
    bucket: 'chat-messages',
    times: limits.messagesPerHour,
    windowSeconds: 3_600,
    counts: 'successes',
  },
})

export const readAppMessage = operation('GET /chat/messages/:messageId', {
  ...chatOperation,
  summary: 'Retrieve a message',
  description:
    'MESSAGE_NOT_FOUND also stands for a message that is not visible to applications, was deleted, or is in a channel without access (MSG-3).',
  auth: { apiKey: { scope: 'chat:messages:view' } },
  params: { messageId: Id },
  reply: AppMessage,
  errors: ['MESSAGE_NOT_FOUND'],
})

export const listAppMessages = operation('GET /chat/channels/:channelId/messages', {
  ...chatOperation,
  summary: 'List the visible messages of a channel',
  description:
    'Newest first. `before` returns the messages that precede a message; `after`, without `before`, returns those that follow one. Both take the id of a visible message, which may have been deleted.',
  auth: { apiKey: { scope: 'chat:messages:view' } },
  params: { channelId: Id },
  query: {
    before: Type.Optional(Id),
    after: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.messagesPage, default: limits.messagesPageDefault }),
    ),
  },
  reply: Type.Object({
    items: Type.Array(AppMessage),
    hasMore: Type.Boolean({ description: 'There are more messages in the direction of the request' }),
  }),
  errors: ['CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
})
