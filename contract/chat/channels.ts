import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf, Page, pageQuery, Text } from '../shapes.ts'
import { Type } from '../type.ts'
import {
  Channel,
  ChannelDescription,
  ChannelName,
  channelKinds,
  channelNotifications,
  channelRoles,
  manageableKinds,
  UnreadCount,
} from './shapes.ts'

const area = 'chat'
const useAuth = { session: { permission: 'CHAT_USE' } } as const
const editAuth = { session: { permission: 'CHAT_CHANNELS_EDIT' } } as const
const createAuth = { session: { permission: 'CHAT_CHANNELS_CREATE' } } as const
const manageErrors = [
  'CHANNEL_NOT_FOUND',
  'CHANNEL_ROLE_REQUIRED',
  'PERMISSION_DENIED',
  'CHANNEL_NOT_GOVERNED',
] as const

const Role = Nullable(
  OneOf(channelRoles, { description: "The caller's role; null when the caller is not in the channel" }),
)
/** A channel in a list that also contains channels without the caller. */
export const ListedChannel = Type.Object({ ...Channel.properties, role: Role })
export type ListedChannel = Static<typeof ListedChannel>

/** A channel, as its members see it. */
export const OwnChannel = Type.Object({
  ...ListedChannel.properties,
  customerReference: Nullable(Type.String({ description: 'The customer of the portal conversation' })),
  people: Nullable(
    Type.Array(Type.Object({ id: Id, displayName: Type.String() }), {
      description: 'The other people of a direct conversation, by name; null for all other kinds',
    }),
  ),
  lastSeq: Type.Integer({ description: 'The number of the last message' }),
  readSeq: Nullable(Type.Integer({ description: 'The number of the last message that the caller read' })),
  unreadCount: UnreadCount,
  notification: Nullable(
    OneOf(channelNotifications, {
      description: 'The messages of which the caller wants to be notified; null when not in the channel',
    }),
  ),
})
export type OwnChannel = Static<typeof OwnChannel>

const PersonIds = Type.Array(Id, { maxItems: limits.directPeople })
const isArchived = Type.Optional(
  Type.Boolean({ default: false, description: 'Return archived items instead of active ones' }),
)

export const createChannel = operation('POST /channels', {
  area,
  summary: 'Create a channel or a group',
  description:
    'The caller becomes the owner. `memberIds` are added as members, which also requires CHAT_MEMBERS_ADD. A group cannot ' +
    'be discoverable.',
  auth: createAuth,
  body: {
    type: Type.Optional(OneOf(manageableKinds, { default: 'CHANNEL' })),
    name: ChannelName,
    description: Type.Optional(ChannelDescription),
    isDiscoverable: Type.Optional(Type.Boolean({ default: false })),
    memberIds: Type.Optional(PersonIds),
  },
  reply: Channel,
  status: 201,
  errors: ['PERMISSION_DENIED', 'MEMBER_NOT_FOUND', 'TOO_MANY_IN_CHANNEL'],
})

export const openDirectConversation = operation('POST /conversations/direct', {
  area,
  summary: 'Open a direct conversation',
  description:
    'The conversation of exactly these people and the caller: 201 when it is new, 200 when it exists. Its people never change.',
  auth: useAuth,
  body: { personIds: Type.Array(Id, { minItems: 1, maxItems: limits.directPeople }) },
  reply: Channel,
  status: 201,
  alternateReply: { status: 200, reply: Channel },
  errors: ['MEMBER_NOT_FOUND', 'TOO_MANY_IN_CHANNEL'],
})

export const createPortalConversation = operation('POST /conversations/portal', {
  area,
  summary: 'Create a conversation about a customer',
  description:
    'A conversation of the caller and `memberIds`, people of the team. Nobody can change, archive or leave it, and ' +
    'applications cannot manage it.',
  auth: createAuth,
  body: {
    customerReference: Name(limits.customerReference),
    name: ChannelName,
    memberIds: Type.Optional(PersonIds),
  },
  reply: Channel,
  status: 201,
  errors: ['PERMISSION_DENIED', 'MEMBER_NOT_FOUND', 'TOO_MANY_IN_CHANNEL'],
})

export const listOwnChannels = operation('GET /channels', {
  area,
  summary: 'List the channels and conversations of the caller',
  description:
    'The channel with the latest message comes first. Includes the role and the unread count of the caller, and the people of direct conversations.',
  auth: useAuth,
  query: { ...pageQuery, type: Type.Optional(OneOf(channelKinds)), archived: isArchived },
  reply: Page(OwnChannel),
})

export const listDirectory = operation('GET /channels/directory', {
  area,
  summary: 'List the channels that everybody in the organization may join',
  description: 'By name. `search` matches a part of the name and ignores case and accents.',
  auth: useAuth,
  query: { ...pageQuery, search: Type.Optional(Text(limits.search)) },
  reply: Page(ListedChannel),
})

export const listGovernedChannels = operation('GET /channels/governed', {
  area,
  summary: 'List all channels and groups of the organization',
  description:
    'For administrators of the organization, by name. They manage all channels and groups, also one whose owners have left ' +
    'the organization (`hasOwner` is false), but must join to read messages.',
  auth: useAuth,
  query: {
    ...pageQuery,
    search: Type.Optional(Text(limits.search)),
    archived: isArchived,
    hasOwner: Type.Optional(Type.Boolean()),
  },
  reply: Page(Type.Object({ ...ListedChannel.properties, hasOwner: Type.Boolean() })),
  errors: ['PERMISSION_DENIED'],
})

export const readChannel = operation('GET /channels/:id', {
  area,
  summary: 'Retrieve a channel',
  description:
    'A channel of the caller or of the directory. Administrators of the organization may retrieve any channel or group.',
  auth: useAuth,
  params: { id: Id },
  reply: OwnChannel,
  errors: ['CHANNEL_NOT_FOUND'],
})

export const updateChannel = operation('PATCH /channels/:id', {
  area,
  summary: 'Update a channel',
  description:
    'Changes the name, the description or whether the channel is discoverable; at least one field is required. Applications and members receive an event if a value differs.',
  auth: editAuth,
  params: { id: Id },
  body: {
    name: Type.Optional(ChannelName),
    description: Type.Optional(Nullable(ChannelDescription)),
    isDiscoverable: Type.Optional(Type.Boolean()),
  },
  reply: Channel,
  errors: [...manageErrors, 'CHANNEL_ARCHIVED'],
})

export const archiveChannel = operation('POST /channels/:id/archive', {
  area,
  summary: 'Archive a channel',
  description:
    'An archived channel is read-only. Channels are never deleted. Archiving an archived channel changes nothing.',
  auth: editAuth,
  params: { id: Id },
  reply: Channel,
  errors: manageErrors,
})

export const unarchiveChannel = operation('POST /channels/:id/unarchive', {
  area,
  summary: 'Unarchive a channel',
  description: 'Changes nothing if the channel is not archived.',
  auth: editAuth,
  params: { id: Id },
  reply: Channel,
  errors: manageErrors,
})
