import Type, { type TProperties, type TSchema } from 'typebox'
import { event, type ForApplications, forApplications } from '../event.ts'
import { Id, Nullable, Time } from '../shapes.ts'
import { ChannelSequence } from './shapes.ts'

/** Version of what chat events carry (CEV-1). */
const schemaVersion = '2026-07'

function told<const Data extends TProperties>(
  reaches: ForApplications['reaches'],
  isToldToActor: boolean,
  data: Data,
) {
  return forApplications({
    schemaVersion,
    scope: 'chat:events:subscribe',
    reaches,
    isToldToActor,
    data: Type.Object(data),
  })
}

const ofChannel = { channelId: Id, sequence: ChannelSequence }
// events of messages carry ids alone: the text is read through the filter
const message = { messageId: Id, ...ofChannel, parentMessageId: Nullable(Id) }
const channel = {
  ...ofChannel,
  type: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  isDiscoverable: Type.Boolean(),
}
const application = { ...ofChannel, application: Type.Object({ id: Id, slug: Type.String() }) }
const agent = { ...ofChannel, agentId: Id, name: Type.String() }

/** The fourteen events of chat for applications (CEV-3). */
export const chatNotices = {
  CHAT_MESSAGE_CREATED: told('channel', false, message),
  CHAT_MESSAGE_UPDATED: told('channel', false, message),
  CHAT_MESSAGE_DELETED: told('channel', false, message),
  CHAT_CHANNEL_CREATED: told('channel', true, channel),
  CHAT_CHANNEL_UPDATED: told('channel', true, { ...channel, changes: Type.Array(Type.String()) }),
  CHAT_CHANNEL_ARCHIVED: told('channel', true, { ...channel, archivedAt: Time }),
  CHAT_MEMBER_ADDED: told('channel-others', true, application),
  CHAT_MEMBER_REMOVED: told('channel-others', true, application),
  CHAT_APP_MENTIONED: told('channel-subject', false, message),
  CHAT_AGENT_TASK_EXECUTED: told('channel', true, {
    ...agent,
    taskId: Nullable(Id),
    executionId: Id,
    status: Type.String(),
    startedAt: Time,
    finishedAt: Time,
  }),
  CHAT_AGENT_PENDING_APPROVAL: told('subject', true, { ...agent, expiresAt: Time }),
  CHAT_AGENT_APPROVED: told('subject', true, { ...agent, approvedAt: Time }),
  CHAT_AGENT_REJECTED: told('subject', true, {
    ...agent,
    reason: Type.String({ description: 'REJECTED or EXPIRED' }),
    note: Nullable(Type.String()),
  }),
  CHAT_AGENT_BUDGET_EXCEEDED: told('subject', true, {
    month: Type.String({ description: 'Calendar month in UTC: 2026-11' }),
    capMicros: Type.Integer(),
    spentMicros: Type.Integer(),
    agentIds: Type.Array(Id),
  }),
} as const

function onStream<const Data extends TSchema>(frame: string, data: Data) {
  return event({ stream: 'chat', frame, audience: 'channel-members', data })
}
const posted = Type.Object({
  channelId: Id,
  messageId: Id,
  seq: Type.Integer(),
  parentMessageId: Nullable(Id),
})
const OfChannel = Type.Object({ channelId: Id })
const OfMember = Type.Object({ channelId: Id, personId: Id })

/** The live stream of people: of the channels that they are in, and of messages that they may read. */
export const chatStream = {
  'chat.message.created': onStream('message-created', posted),
  'chat.message.updated': onStream('message-updated', posted),
  'chat.message.deleted': onStream('message-deleted', posted),
  'chat.channel.created': onStream('channel-created', OfChannel),
  'chat.channel.updated': onStream('channel-updated', OfChannel),
  'chat.channel.archived': onStream('channel-archived', OfChannel),
  'chat.member.added': onStream('member-added', OfMember),
  'chat.member.removed': onStream('member-removed', OfMember),
  'chat.member.changed': onStream('member-changed', OfMember),
  'chat.application.changed': onStream(
    'application-changed',
    Type.Object({ channelId: Id, applicationId: Id }),
  ),
  'chat.agent.changed': onStream('agent-changed', Type.Object({ channelId: Id, agentId: Id })),
  // to the person alone, on their other devices
  'chat.read.moved': event({
    stream: 'chat',
    frame: 'read-moved',
    audience: 'named',
    data: Type.Object({ channelId: Id, readSeq: Type.Integer() }),
  }),
} as const
