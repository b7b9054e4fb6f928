import type { EventData, EventName } from '../events.ts'
import type { chatApplicationEvents } from './events.ts'

type ChatEventName = keyof typeof chatApplicationEvents & EventName

const position = { channelId: 'cmhz3k8q1c7v2b5n9m4d6f8gh', sequence: 17 } as const
const message = { messageId: 'cmhz3k8q1m7v2b5n9m4d6f8gh', ...position, parentMessageId: null } as const
const channel = {
  ...position,
  type: 'CHANNEL',
  name: 'Launch',
  description: 'Everything about the launch',
  isDiscoverable: true,
} as const
const otherApplication = {
  ...position,
  application: { id: 'cmhz3k8q1p7v2b5n9m4d6f8gh', slug: 'status-board' },
} as const
const agent = { ...position, agentId: 'cmhz3k8q1g7v2b5n9m4d6f8gh', name: 'Daily summary' } as const

/** When each event is emitted, with an example of its data (CEV-3). */
export const chatEventExamples: { [Name in ChatEventName]: { when: string; example: EventData<Name> } } = {
  CHAT_MESSAGE_CREATED: { when: 'A visible message is published in the channel', example: message },
  CHAT_MESSAGE_UPDATED: { when: 'The text of a visible message changes', example: message },
  CHAT_MESSAGE_DELETED: {
    when: 'A visible message is deleted or becomes hidden',
    example: message,
  },
  CHAT_CHANNEL_CREATED: {
    when: 'A channel is created to which the application has access',
    example: channel,
  },
  CHAT_CHANNEL_UPDATED: {
    when: 'The name, description or directory visibility of the channel changes',
    example: { ...channel, changes: ['name'] },
  },
  CHAT_CHANNEL_ARCHIVED: {
    when: 'The channel is archived',
    example: { ...channel, archivedAt: '2026-11-21T20:15:00.000Z' },
  },
  CHAT_MEMBER_ADDED: { when: 'Another application gets access to the channel', example: otherApplication },
  CHAT_MEMBER_REMOVED: { when: 'Another application loses access to the channel', example: otherApplication },
  CHAT_APP_MENTIONED: {
    when: 'A visible message mentions the application for the first time',
    example: message,
  },
  CHAT_AGENT_TASK_EXECUTED: {
    when: 'An agent in the channel has run a scheduled task',
    example: {
      ...agent,
      taskId: 'cmhz3k8q1t7v2b5n9m4d6f8gh',
      executionId: 'cmhz3k8q1x7v2b5n9m4d6f8gh',
      status: 'SUCCEEDED',
      startedAt: '2026-11-21T20:15:00.000Z',
      finishedAt: '2026-11-21T20:15:04.000Z',
    },
  },
  CHAT_AGENT_PENDING_APPROVAL: {
    when: 'An agent that the application proposed awaits approval',
    example: { ...agent, expiresAt: '2026-12-05T20:15:00.000Z' },
  },
  CHAT_AGENT_APPROVED: {
    when: 'An administrator of the channel approves the agent',
    example: { ...agent, approvedAt: '2026-11-21T20:15:00.000Z' },
  },
  CHAT_AGENT_REJECTED: {
    when: 'The agent is rejected or its proposal expires',
    example: { ...agent, reason: 'REJECTED', note: null },
  },
  CHAT_AGENT_BUDGET_EXCEEDED: {
    when: 'The agents of the application exceed their monthly spending cap and are paused',
    example: {
      month: '2026-11',
      capMicros: 50_000_000,
      spentMicros: 50_120_000,
      agentIds: [agent.agentId],
    },
  },
}
