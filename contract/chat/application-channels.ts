import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Scope } from '../permissions.ts'
import { Id, Nullable } from '../shapes.ts'
import { Channel, ChannelDescription, ChannelMember, ChannelName } from './shapes.ts'

function applicationAccess<const Needed extends Scope>(scope: Needed) {
  return { area: 'chat', module: 'integrations', auth: { apiKey: { scope } } } as const
}
const channelParams = { channelId: Id }
const grantErrors = ['CHANNEL_NOT_FOUND', 'APP_NOT_AUTHORIZED_IN_CHANNEL'] as const
const archived = 'CHANNEL_ARCHIVED'

export const createAppChannel = operation('POST /chat/channels', {
  ...applicationAccess('chat:channels:create'),
  summary: 'Create a channel on behalf of who is responsible for the application',
  description:
    'They become its owner, and must be allowed to create channels. The application is given what its scopes and ' +
    'they allow; when that is nothing it is not in the channel, and can be let in later.',
  body: {
    name: ChannelName,
    description: Type.Optional(ChannelDescription),
    isDiscoverable: Type.Optional(Type.Boolean({ default: false })),
  },
  reply: Channel,
  status: 201,
  errors: ['APP_NOT_AUTHORIZED_IN_CHANNEL', 'TOO_MANY_IN_CHANNEL'],
  auditsDenials: true,
})

export const updateAppChannel = operation('PATCH /chat/channels/:channelId', {
  ...applicationAccess('chat:channels:manage'),
  summary: 'Edit name and description of a channel, on behalf of who granted it',
  params: channelParams,
  body: { name: Type.Optional(ChannelName), description: Type.Optional(ChannelDescription) },
  bodyOptional: true,
  reply: Channel,
  errors: [...grantErrors, 'NOTHING_TO_CHANGE', archived],
  auditsDenials: true,
})

export const archiveAppChannel = operation('POST /chat/channels/:channelId/archive', {
  ...applicationAccess('chat:channels:manage'),
  summary: 'Archive a channel, on behalf of who granted it',
  description: 'One that is archived already is answered as it is.',
  params: channelParams,
  reply: Channel,
  errors: grantErrors,
  auditsDenials: true,
})

export const addAppChannelMember = operation('POST /chat/channels/:channelId/members', {
  ...applicationAccess('chat:members:manage'),
  summary: 'Add a person of the organization to a channel, as MEMBER',
  params: channelParams,
  body: { userId: Id },
  reply: ChannelMember,
  status: 201,
  errors: [...grantErrors, 'MEMBER_NOT_FOUND', 'CHANNEL_MEMBER_EXISTS', 'TOO_MANY_IN_CHANNEL', archived],
  auditsDenials: true,
})

export const removeAppChannelMember = operation('DELETE /chat/channels/:channelId/members/:userId', {
  ...applicationAccess('chat:members:manage'),
  summary: 'Remove a person from a channel',
  description: 'Never its owners and administrators.',
  params: { ...channelParams, userId: Id },
  reply: Type.Object({ success: Type.Boolean() }),
  errors: [...grantErrors, 'CHANNEL_MEMBER_NOT_FOUND', archived],
  auditsDenials: true,
})

export const listAppChannels = operation('GET /chat/channels', {
  ...applicationAccess('chat:messages:view'),
  summary: 'List the channels that the application is in, the oldest first',
  description:
    'A page can have fewer than `limit` and still have a `nextAfter`: the list ends where that is null.',
  query: {
    after: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
    ),
  },
  reply: Type.Object({ items: Type.Array(Channel), nextAfter: Nullable(Id) }),
})

export const readAppChannel = operation('GET /chat/channels/:channelId', {
  ...applicationAccess('chat:messages:view'),
  summary: 'Read a channel that the application is in',
  params: channelParams,
  reply: Channel,
  errors: ['CHANNEL_NOT_FOUND'],
})
