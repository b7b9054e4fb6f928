import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { Id, Name, Named, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** CHANNEL and GROUP can be managed; DIRECT and CUSTOMER_PORTAL cannot (CHN-1). */
export const channelKinds = ['CHANNEL', 'GROUP', 'DIRECT', 'CUSTOMER_PORTAL'] as const
export type ChannelKind = (typeof channelKinds)[number]
export const ChannelKind = OneOf(channelKinds)
export const manageableKinds = ['CHANNEL', 'GROUP'] as const satisfies readonly ChannelKind[]

export const channelRoles = ['OWNER', 'ADMIN', 'MEMBER'] as const
export type ChannelRole = (typeof channelRoles)[number]
export const ChannelRole = OneOf(channelRoles)

/** For which messages a person wants to be notified: all, those that mention the person, none. */
export const channelNotifications = ['ALL', 'MENTIONS', 'NONE'] as const
export type ChannelNotification = (typeof channelNotifications)[number]

/** VISIBLE is for everybody in the channel, including applications; INTERNAL for people; PRIVATE for its readers. */
export const messageVisibilities = ['VISIBLE', 'INTERNAL', 'PRIVATE'] as const
export type MessageVisibility = (typeof messageVisibilities)[number]
export const MessageVisibility = OneOf(messageVisibilities)

/** The capabilities of a grant, by their wire names (GRT-3). */
export const grantCapabilities = ['Crear y organizar canales', 'Gestionar miembros'] as const
export type GrantCapability = (typeof grantCapabilities)[number]

export const ChannelName = Named(Name(limits.channelName))
export const ChannelDescription = Text(limits.channelDescription)
export const MessageContent = Named(
  Type.String({
    minLength: 1,
    maxLength: limits.messageContent,
    pattern: '\\S',
    description: 'Plain text. `<@id>` mentions a person or an application in the channel',
  }),
)

/** A channel, in the same form for people and applications (CHN-2). */
export const Channel = Type.Object({
  id: Id,
  type: OneOf(channelKinds),
  name: Nullable(Type.String({ description: 'null for direct conversations' })),
  description: Nullable(Type.String()),
  isDiscoverable: Type.Boolean({ description: 'Listed in the directory of the organization' }),
  isArchived: Type.Boolean(),
  archivedAt: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
  lastMessageAt: Nullable(Time),
})
export type Channel = Static<typeof Channel>

/** The author of a message; `APP` is an application (MSG-5). */
export const MessageAuthor = Type.Object({
  kind: OneOf(['USER', 'APP', 'AI'] as const),
  id: Type.String(),
  displayName: Type.String(),
})

const messageFields = {
  id: Id,
  channelId: Id,
  parentMessageId: Nullable(Type.String({ description: 'The message that started the thread' })),
  author: MessageAuthor,
  createdAt: Time,
  editedAt: Nullable(Time),
  replyCount: Type.Integer(),
  lastReplyAt: Nullable(Time),
}
const Mention = Type.Object({ kind: OneOf(['USER', 'APP'] as const), id: Type.String() })

/**
 * A visible message, as an application reads it. It has no number, because gaps would reveal hidden messages. Its parent
 * and its reply count include visible messages only.
 */
export const AppMessage = Type.Object({
  ...messageFields,
  content: Type.String(),
  mentions: Type.Array(Mention),
})
export type AppMessage = Static<typeof AppMessage>

/** A file of a message. Only people see files (MSG-19). */
export const MessageFile = Type.Object({
  id: Id,
  filename: Type.String(),
  contentType: Type.String({ description: 'Detected from the content, not taken from the request' }),
  size: Type.Integer({ description: 'Bytes' }),
  isImage: Type.Boolean({ description: 'A browser may show the file; all other files are only saved' }),
})
export type MessageFile = Static<typeof MessageFile>

/** A message, as people read it. A deleted message keeps its number and loses its content. */
export const Message = Type.Object({
  ...messageFields,
  seq: Type.Integer({ description: 'The number of the message in the channel; numbers have no gaps' }),
  content: Nullable(Type.String({ description: 'null when the message was deleted' })),
  mentions: Type.Array(Mention),
  attachments: Type.Array(MessageFile),
  visibility: OneOf(messageVisibilities),
  deletedAt: Nullable(Time),
})
export type Message = Static<typeof Message>

export const UnreadCount = Named(
  Type.Integer({
    maximum: limits.unreadCount,
    description: `Messages of others after \`readSeq\` that the caller may read; ${limits.unreadCount} stands for ${limits.unreadCount} or more`,
  }),
)

export const ChannelSequence = Named(
  Type.Integer({
    description:
      'Grows by one with each change in the channel that emits events to applications. Events of the same change, such as ' +
      'a message and its mentions, have the same sequence',
  }),
)

/** A person in a channel (CHN-11). */
export const ChannelMember = Type.Object({
  kind: OneOf(['USER'] as const),
  id: Id,
  displayName: Type.String(),
  role: OneOf(channelRoles),
})
export type ChannelMember = Static<typeof ChannelMember>

/** Query of a list that starts with the newest item. For the next page, `nextBefore` is passed as `before`. */
export const newestFirstQuery = {
  before: Type.Optional(Id),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
  ),
}
