import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf, Page, pageQuery, Text } from '../shapes.ts'
import {
  Channel,
  ChannelDescription,
  ChannelName,
  channelKinds,
  channelRoles,
  governedKinds,
  UnreadCount,
} from './shapes.ts'

const area = 'chat'
const useAuth = { session: { permission: 'CHAT_USE' } } as const
const editAuth = { session: { permission: 'CHAT_CHANNELS_EDIT' } } as const
const createAuth = { session: { permission: 'CHAT_CHANNELS_CREATE' } } as const
const governErrors = [
  'CHANNEL_NOT_FOUND',
  'CHANNEL_ROLE_REQUIRED',
  'PERMISSION_DENIED',
  'CHANNEL_NOT_GOVERNED',
] as const

const Role = Nullable(OneOf(channelRoles, { description: "The caller's own; null: not in the channel" }))
/** A channel in a list that shows also those where the caller is not. */
export const ListedChannel = Type.Object({ ...Channel.properties, role: Role })
export type ListedChannel = Static<typeof ListedChannel>

/** A channel as those see it who are in it. */
export const OwnChannel = Type.Object({
  ...ListedChannel.properties,
  customerReference: Nullable(Type.String({ description: 'Whose portal it is' })),
  people: Nullable(
    Type.Array(Type.Object({ id: Id, displayName: Type.String() }), {
      description: 'The other people of a direct conversation, by name; null for what has a name of its own',
    }),
  ),
  lastSeq: Type.Integer({ description: 'The number of its last message' }),
  readSeq: Nullable(Type.Integer({ description: 'The number of the last message that the caller has read' })),
  unreadCount: UnreadCount,
})
export type OwnChannel = Static<typeof OwnChannel>

const PersonIds = Type.Array(Id, { maxItems: limits.directPeople })
const isArchived = Type.Optional(Type.Boolean({ default: false, description: 'Those that are archived' }))

/** A channel or a group, of which the caller becomes owner. */
export const createChannel = operation('POST /channels', {
  area,
  summary: 'Create a channel or a group',
  description:
    'The caller becomes its owner. `memberIds` are added as members, which takes CHAT_MEMBERS_ADD too. A group cannot ' +
    'stand in the directory.',
  auth: createAuth,
  body: {
    type: Type.Optional(OneOf(governedKinds, { default: 'CHANNEL' })),
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
  summary: 'Open the direct conversation of some people',
  description:
    'The one of exactly these people and the caller: 201 when it is new, 200 when it was there. Its people never change.',
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
    'Of the caller and `memberIds`, people of the team. It is never governed: it cannot be changed, archived or left, ' +
    'and applications never govern it.',
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
  description: 'What happened last comes first. With a role, how much is unread, and who is in a direct one.',
  auth: useAuth,
  query: { ...pageQuery, type: Type.Optional(OneOf(channelKinds)), archived: isArchived },
  reply: Page(OwnChannel),
})

export const listDirectory = operation('GET /channels/directory', {
  area,
  summary: 'List the channels that everybody may join',
  description: 'By name. `search` finds a part of a name; capitals and accents make no difference.',
  auth: useAuth,
  query: { ...pageQuery, search: Type.Optional(Text(limits.search)) },
  reply: Page(ListedChannel),
})

export const listGovernedChannels = operation('GET /channels/governed', {
  area,
  summary: 'List all channels and groups, for administrators of the organization',
  description:
    'By name. They govern all of them, also one whose owners have left the organization (`hasOwner` is false), and do ' +
    'not read what is said there unless they join.',
  auth: useAuth,
  query: { ...pageQuery, search: Type.Optional(Text(limits.search)), archived: isArchived },
  reply: Page(Type.Object({ ...ListedChannel.properties, hasOwner: Type.Boolean() })),
  errors: ['PERMISSION_DENIED'],
})

export const readChannel = operation('GET /channels/:id', {
  area,
  summary: 'Read a channel',
  description: 'One of the caller, one of the directory, and for administrators any channel or group.',
  auth: useAuth,
  params: { id: Id },
  reply: OwnChannel,
  errors: ['CHANNEL_NOT_FOUND'],
})

export const updateChannel = operation('PATCH /channels/:id', {
  area,
  summary: 'Change name, description or directory visibility',
  description: 'At least one field. Applications and members are told when something differs.',
  auth: editAuth,
  params: { id: Id },
  body: {
    name: Type.Optional(ChannelName),
    description: Type.Optional(Nullable(ChannelDescription)),
    isDiscoverable: Type.Optional(Type.Boolean()),
  },
  reply: Channel,
  errors: [...governErrors, 'CHANNEL_ARCHIVED'],
})

export const archiveChannel = operation('POST /channels/:id/archive', {
  area,
  summary: 'Archive a channel',
  description: 'It can be read and nothing else. Channels are never deleted. Again changes nothing.',
  auth: editAuth,
  params: { id: Id },
  reply: Channel,
  errors: governErrors,
})

export const unarchiveChannel = operation('POST /channels/:id/unarchive', {
  area,
  summary: 'Open an archived channel again',
  description: 'Again changes nothing.',
  auth: editAuth,
  params: { id: Id },
  reply: Channel,
  errors: governErrors,
})
