import type { TProperties, TSchema } from 'typebox'
import { event, type ForApplications, forApplications } from '../event.ts'
import { Id, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { ChannelSequence } from './shapes.ts'

/** Version of the data of chat events (CEV-1). */
const schemaVersion = '2026-07'

function applicationEvent<const Data extends TProperties>(
  reaches: ForApplications['reaches'],
  includesActor: boolean,
  data: Data,
) {
  return forApplications({
    schemaVersion,
    scope: 'chat:events:subscribe',
    reaches,
    includesActor,
    data: Type.Object(data),
  })
}

const channelPosition = { channelId: Id, sequence: ChannelSequence }
// message events carry ids only: applications read the text through the API, which checks access
const messageData = { messageId: Id, ...channelPosition, parentMessageId: Nullable(Id) }
const channelData = {
  ...channelPosition,
  type: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  isDiscoverable: Type.Boolean(),
}
const applicationData = { ...channelPosition, application: Type.Object({ id: Id, slug: Type.String() }) }
const agentData = { ...channelPosition, agentId: Id, name: Type.String() }

/** The fourteen chat events for applications (CEV-3). */
export const chatApplicationEvents = {
  CHAT_MESSAGE_CREATED: applicationEvent('channel', false, messageData),
  CHAT_MESSAGE_UPDATED: applicationEvent('channel', false, messageData),
  CHAT_MESSAGE_DELETED: applicationEvent('channel', false, messageData),
  CHAT_CHANNEL_CREATED: applicationEvent('channel', true, channelData),
  CHAT_CHANNEL_UPDATED: applicationEvent('channel', true, {
    ...channelData,
    changes: Type.Array(Type.String()),
  }),
  CHAT_CHANNEL_ARCHIVED: applicationEvent('channel', true, { ...channelData, archivedAt: Time }),
  CHAT_MEMBER_ADDED: applicationEvent('channel-others', true, applicationData),
  CHAT_MEMBER_REMOVED: applicationEvent('channel-others', true, applicationData),
  CHAT_APP_MENTIONED: applicationEvent('channel-subject', false, messageData),
  CHAT_AGENT_TASK_EXECUTED: applicationEvent('channel', true, {
    ...agentData,
    taskId: Nullable(Id),
    executionId: Id,
    status: Type.String(),
    startedAt: Time,
    finishedAt: Time,
  }),
  CHAT_AGENT_PENDING_APPROVAL: applicationEvent('subject', true, { ...agentData, expiresAt: Time }),
  CHAT_AGENT_APPROVED: applicationEvent('subject', true, { ...agentData, approvedAt: Time }),
  CHAT_AGENT_REJECTED: applicationEvent('subject', true, {
    ...agentData,
    reason: Type.String({ description: 'REJECTED or EXPIRED' }),
    note: Nullable(Type.String()),
  }),
  CHAT_AGENT_BUDGET_EXCEEDED: applicationEvent('subject', true, {
    month: Type.String({ description: 'Calendar month in UTC: 2026-11' }),
    capMicros: Type.Integer(),
    spentMicros: Type.Integer(),
    agentIds: Type.Array(Id),
  }),
} as const

function streamEvent<const Data extends TSchema>(frame: string, data: Data) {
  return event({ stream: 'chat', frame, audience: 'channel-members', data })
}
/** Only for the other devices of the person. */
function ownDevicesEvent<const Data extends TSchema>(frame: string, data: Data) {
  return event({ stream: 'chat', frame, audience: 'named', data })
}
const MessageFrame = Type.Object({
  channelId: Id,
  messageId: Id,
  seq: Type.Integer(),
  parentMessageId: Nullable(Id),
})
const ChannelFrame = Type.Object({ channelId: Id })
const MemberFrame = Type.Object({ channelId: Id, personId: Id })

/** The event stream of people: channels of the person, and messages that the person may read. */
export const chatStreamEvents = {
  'chat.message.created': streamEvent('message-created', MessageFrame),
  'chat.message.updated': streamEvent('message-updated', MessageFrame),
  'chat.message.deleted': streamEvent('message-deleted', MessageFrame),
  'chat.channel.created': streamEvent('channel-created', ChannelFrame),
  'chat.channel.updated': streamEvent('channel-updated', ChannelFrame),
  'chat.channel.archived': streamEvent('channel-archived', ChannelFrame),
  'chat.member.added': streamEvent('member-added', MemberFrame),
  'chat.member.removed': streamEvent('member-removed', MemberFrame),
  'chat.member.changed': streamEvent('member-changed', MemberFrame),
  'chat.application.changed': streamEvent(
    'application-changed',
    Type.Object({ channelId: Id, applicationId: Id }),
  ),
  'chat.agent.changed': streamEvent('agent-changed', Type.Object({ channelId: Id, agentId: Id })),
  'chat.read.moved': ownDevicesEvent('read-moved', Type.Object({ channelId: Id, readSeq: Type.Integer() })),
  'chat.notification.changed': ownDevicesEvent('notification-changed', Type.Object({ channelId: Id })),
} as const
