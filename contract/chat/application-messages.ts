import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id } from '../shapes.ts'
import { AppMessage, MessageContent } from './shapes.ts'

const chatOperation = { area: 'chat', module: 'integrations' } as const

/** A visible message of an application (MSG-6, MSG-11). */
export const publishMessage = operation('POST /chat/channels/:channelId/messages', {
  ...chatOperation,
  summary: 'Publish a message',
  description:
    'In a channel that the application is in. `parentMessageId` replies in the thread of that message. `<@id>` mentions a person of the channel or another application.',
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

/** A message, when the application may see it (MSG-3). */
export const readAppMessage = operation('GET /chat/messages/:messageId', {
  ...chatOperation,
  summary: 'Read a message',
  description:
    'What is not visible to applications, deleted, or in a channel that the application is not in, is not there.',
  auth: { apiKey: { scope: 'chat:messages:view' } },
  params: { messageId: Id },
  reply: AppMessage,
  errors: ['MESSAGE_NOT_FOUND'],
})

/** The visible messages of a channel, by cursor. */
export const listAppMessages = operation('GET /chat/channels/:channelId/messages', {
  ...chatOperation,
  summary: 'The visible messages of a channel',
  description:
    'The newest first. `before` gives those that precede a message, `after` alone those that follow it; both are ids of visible messages, also of deleted ones.',
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
    hasMore: Type.Boolean({ description: 'There are more in the direction in which was read' }),
  }),
  errors: ['CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
})
