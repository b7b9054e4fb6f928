import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Scope } from '../permissions.ts'
import { Id, Nullable } from '../shapes.ts'
import { Type } from '../type.ts'
import { Channel, ChannelDescription, ChannelMember, ChannelName } from './shapes.ts'

function applicationAccess<const Needed extends Scope>(scope: Needed) {
  return { area: 'chat', module: 'integrations', auth: { apiKey: { scope } } } as const
}
const channelParams = { channelId: Id }
const accessErrors = ['CHANNEL_NOT_FOUND', 'APP_NOT_AUTHORIZED_IN_CHANNEL'] as const
const archived = 'CHANNEL_ARCHIVED'

export const createAppChannel = operation('POST /chat/channels', {
  ...applicationAccess('chat:channels:create'),
  summary: 'Create a channel on behalf of the person responsible for the application',
  description:
    'That person becomes the owner, and needs the permission to create channels. The application gets a grant with the ' +
    'rights that both its scopes and the person allow. When these are none, it gets no grant; an administrator of the ' +
    'channel can grant access later.',
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
  summary: 'Update the name and description of a channel',
  description: 'On behalf of the person who granted access.',
  params: channelParams,
  body: { name: Type.Optional(ChannelName), description: Type.Optional(ChannelDescription) },
  bodyOptional: true,
  reply: Channel,
  errors: [...accessErrors, 'NOTHING_TO_CHANGE', archived],
  auditsDenials: true,
})

export const archiveAppChannel = operation('POST /chat/channels/:channelId/archive', {
  ...applicationAccess('chat:channels:manage'),
  summary: 'Archive a channel',
  description: 'On behalf of the person who granted access. An archived channel stays unchanged.',
  params: channelParams,
  reply: Channel,
  errors: accessErrors,
  auditsDenials: true,
})

export const addAppChannelMember = operation('POST /chat/channels/:channelId/members', {
  ...applicationAccess('chat:members:manage'),
  summary: 'Add a person of the organization to a channel with the role MEMBER',
  params: channelParams,
  body: { userId: Id },
  reply: ChannelMember,
  status: 201,
  errors: [...accessErrors, 'MEMBER_NOT_FOUND', 'CHANNEL_MEMBER_EXISTS', 'TOO_MANY_IN_CHANNEL', archived],
  auditsDenials: true,
})

export const removeAppChannelMember = operation('DELETE /chat/channels/:channelId/members/:userId', {
  ...applicationAccess('chat:members:manage'),
  summary: 'Remove a person from a channel',
  description: 'Owners and administrators of the channel cannot be removed.',
  params: { ...channelParams, userId: Id },
  reply: Type.Object({ success: Type.Boolean() }),
  errors: [...accessErrors, 'CHANNEL_MEMBER_NOT_FOUND', archived],
  auditsDenials: true,
})

export const listAppChannels = operation('GET /chat/channels', {
  ...applicationAccess('chat:messages:view'),
  summary: 'List the channels that the application can access, oldest first',
  description:
    'For the next page, pass `nextAfter` as `after`. A page can have fewer than `limit` items before the last page; `nextAfter` is null on the last page.',
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
  summary: 'Retrieve a channel that the application can access',
  params: channelParams,
  reply: Channel,
  errors: ['CHANNEL_NOT_FOUND'],
})
