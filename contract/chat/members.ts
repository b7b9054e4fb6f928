import { operation } from '../operation.ts'
import { Id, OneOf, Page, pageQuery } from '../shapes.ts'
import { Type } from '../type.ts'
import { ChannelMember, channelNotifications, channelRoles, UnreadCount } from './shapes.ts'

const area = 'chat'
const useAuth = { session: { permission: 'CHAT_USE' } } as const
const addAuth = { session: { permission: 'CHAT_MEMBERS_ADD' } } as const
const manageErrors = [
  'CHANNEL_NOT_FOUND',
  'CHANNEL_ROLE_REQUIRED',
  'PERMISSION_DENIED',
  'CHANNEL_NOT_GOVERNED',
  'CHANNEL_ARCHIVED',
] as const

const memberParams = { id: Id, personId: Id }

export const listChannelMembers = operation('GET /channels/:id/members', {
  area,
  summary: 'List the members of a channel',
  description:
    'Owners first, then administrators, then members, each by the time when they joined. People who left the organization are not listed.',
  auth: useAuth,
  params: { id: Id },
  query: pageQuery,
  reply: Page(ChannelMember),
  errors: ['CHANNEL_NOT_FOUND'],
})

export const addChannelMember = operation('POST /channels/:id/members', {
  area,
  summary: 'Add a person to a channel',
  description: 'Only an owner can add an owner or an administrator.',
  auth: addAuth,
  params: { id: Id },
  body: { personId: Id, role: Type.Optional(OneOf(channelRoles, { default: 'MEMBER' })) },
  reply: ChannelMember,
  status: 201,
  errors: [...manageErrors, 'MEMBER_NOT_FOUND', 'CHANNEL_MEMBER_EXISTS', 'TOO_MANY_IN_CHANNEL'],
})

export const changeChannelMember = operation('PATCH /channels/:id/members/:personId', {
  area,
  summary: 'Change the role of a channel member',
  description: 'For owners. The last owner cannot give up the role.',
  auth: addAuth,
  params: memberParams,
  body: { role: OneOf(channelRoles) },
  reply: ChannelMember,
  errors: [...manageErrors, 'CHANNEL_MEMBER_NOT_FOUND', 'CHANNEL_NEEDS_OWNER'],
})

export const removeChannelMember = operation('DELETE /channels/:id/members/:personId', {
  area,
  summary: 'Remove a person from a channel',
  description:
    'An administrator of the channel can remove members; an owner can remove anybody. The last owner cannot be removed.',
  auth: { session: { permission: 'CHAT_MEMBERS_REMOVE' } },
  params: memberParams,
  errors: [...manageErrors, 'CHANNEL_MEMBER_NOT_FOUND', 'CHANNEL_NEEDS_OWNER'],
})

export const joinChannel = operation('POST /channels/:id/join', {
  area,
  summary: 'Join a channel',
  description:
    'A channel of the directory. Administrators of the organization may join any channel or group; its members see that they joined.',
  auth: useAuth,
  params: { id: Id },
  reply: ChannelMember,
  status: 201,
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_MEMBER_EXISTS', 'CHANNEL_ARCHIVED', 'TOO_MANY_IN_CHANNEL'],
})

export const leaveChannel = operation('POST /channels/:id/leave', {
  area,
  summary: 'Leave a channel or a group',
  description:
    'The last owner must make somebody else owner first. When the last person leaves, the channel is archived.',
  auth: useAuth,
  params: { id: Id },
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_MEMBER_NOT_FOUND', 'CHANNEL_NOT_GOVERNED', 'CHANNEL_NEEDS_OWNER'],
})

const ReadMarker = Type.Object({ readSeq: Type.Integer(), unreadCount: UnreadCount })

export const moveReadMarker = operation('PUT /channels/:id/read', {
  area,
  summary: 'Move the read marker of a channel',
  description:
    'The marker only moves forward, at most to the last message; `markUnread` moves it back. The other devices of the caller receive an event.',
  auth: useAuth,
  params: { id: Id },
  body: { seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
  reply: ReadMarker,
  errors: ['CHANNEL_NOT_FOUND'],
})

/** Keeps CHN-17. */
export const markUnread = operation('POST /messages/:messageId/unread', {
  area,
  summary: 'Mark a message and all later ones of its channel as unread',
  description:
    'Moves the read marker of the channel back to the message before this one; never forward. The other devices of the caller receive an event.',
  auth: useAuth,
  params: { messageId: Id },
  reply: ReadMarker,
  errors: ['MESSAGE_NOT_FOUND'],
})

/** Keeps CHN-19. */
export const setChannelNotification = operation('PUT /channels/:id/notification', {
  area,
  summary: 'Set the messages of a channel of which the caller wants to be notified',
  description:
    'ALL, only those that mention the caller, or NONE. Unread messages are counted in any case. The other devices of the caller receive an event.',
  auth: useAuth,
  params: { id: Id },
  body: { notification: OneOf(channelNotifications) },
  reply: Type.Object({ notification: OneOf(channelNotifications) }),
  errors: ['CHANNEL_NOT_FOUND'],
})
