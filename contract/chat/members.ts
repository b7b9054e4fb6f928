import Type from 'typebox'
import { operation } from '../operation.ts'
import { Id, OneOf, Page, pageQuery } from '../shapes.ts'
import { ChannelMember, channelRoles, UnreadCount } from './shapes.ts'

const area = 'chat'
const useAuth = { session: { permission: 'CHAT_USE' } } as const
const addAuth = { session: { permission: 'CHAT_MEMBERS_ADD' } } as const
const governErrors = [
  'CHANNEL_NOT_FOUND',
  'CHANNEL_ROLE_REQUIRED',
  'PERMISSION_DENIED',
  'CHANNEL_NOT_GOVERNED',
  'CHANNEL_ARCHIVED',
] as const

const memberParams = { id: Id, personId: Id }

export const listChannelMembers = operation('GET /channels/:id/members', {
  area,
  summary: 'List the people in a channel',
  description:
    'Owners, administrators, members; who came first comes first. Who left the organization is not among them.',
  auth: useAuth,
  params: { id: Id },
  query: pageQuery,
  reply: Page(ChannelMember),
  errors: ['CHANNEL_NOT_FOUND'],
})

export const addChannelMember = operation('POST /channels/:id/members', {
  area,
  summary: 'Add a person to a channel',
  description: 'Only an owner makes somebody owner or administrator.',
  auth: addAuth,
  params: { id: Id },
  body: { personId: Id, role: Type.Optional(OneOf(channelRoles, { default: 'MEMBER' })) },
  reply: ChannelMember,
  status: 201,
  errors: [...governErrors, 'MEMBER_NOT_FOUND', 'CHANNEL_MEMBER_EXISTS', 'TOO_MANY_IN_CHANNEL'],
})

export const changeChannelMember = operation('PATCH /channels/:id/members/:personId', {
  area,
  summary: 'Give a person in a channel another role',
  description: 'For owners. The last one stays an owner.',
  auth: addAuth,
  params: memberParams,
  body: { role: OneOf(channelRoles) },
  reply: ChannelMember,
  errors: [...governErrors, 'CHANNEL_MEMBER_NOT_FOUND', 'CHANNEL_NEEDS_OWNER'],
})

export const removeChannelMember = operation('DELETE /channels/:id/members/:personId', {
  area,
  summary: 'Take a person out of a channel',
  description: 'An administrator of the channel removes members, an owner anybody. The last owner stays.',
  auth: { session: { permission: 'CHAT_MEMBERS_REMOVE' } },
  params: memberParams,
  errors: [...governErrors, 'CHANNEL_MEMBER_NOT_FOUND', 'CHANNEL_NEEDS_OWNER'],
})

export const joinChannel = operation('POST /channels/:id/join', {
  area,
  summary: 'Join a channel',
  description:
    'One of the directory. Administrators of the organization may join any channel or group, as its people see.',
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
    'The last owner makes somebody else owner first, unless nobody else is there: then the channel is archived.',
  auth: useAuth,
  params: { id: Id },
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_MEMBER_NOT_FOUND', 'CHANNEL_NOT_GOVERNED', 'CHANNEL_NEEDS_OWNER'],
})

export const moveReadMarker = operation('PUT /channels/:id/read', {
  area,
  summary: 'Say how far a channel was read',
  description:
    'The marker only moves forward, and to the last message at most. Other devices of the caller are told.',
  auth: useAuth,
  params: { id: Id },
  body: { seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
  reply: Type.Object({ readSeq: Type.Integer(), unreadCount: UnreadCount }),
  errors: ['CHANNEL_NOT_FOUND'],
})
