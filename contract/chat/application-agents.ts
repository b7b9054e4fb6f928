import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf, Text, Time } from '../shapes.ts'
import {
  AgentBudget,
  AgentExecution,
  AgentExecutions,
  executionStatuses,
  nextPageHint,
  OwnAgent,
} from './agents.ts'
import { newestFirstQuery } from './shapes.ts'

const agentAccess = {
  area: 'chat',
  module: 'integrations',
  auth: { apiKey: { scope: 'chat:agents:manage' } },
} as const
const agentParams = { agentId: Id }
const NonBlankText = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: '\\S' })

/** An agent that an application proposes awaits approval (AGT-3). */
export const proposeAgent = operation('POST /chat/channels/:channelId/agents', {
  ...agentAccess,
  summary: 'Propose an agent for a channel',
  description:
    'It does nothing before an administrator of the channel has approved it; a proposal that nobody decides on is ' +
    `rejected after ${limits.agentProposalDays} days. The service runs neither model nor schedule: the application ` +
    'does what it proposes, when the schedules say so, and reports each execution. A schedule has the five fields of ' +
    'cron (minute, hour, day of month, month, day of week; lists, ranges, steps, names of months and days) and must ' +
    'come about sometimes; the time zone is one of IANA.',
  params: { channelId: Id },
  body: {
    name: Name(limits.agentName),
    description: Type.Optional(Text(limits.agentDescription)),
    purpose: NonBlankText(limits.agentPurpose),
    tasks: Type.Array(
      Type.Object(
        {
          name: Name(limits.agentName),
          schedule: Text(limits.agentSchedule, 1),
          timeZone: Text(limits.agentTimeZone, 1),
        },
        { additionalProperties: false },
      ),
      { maxItems: limits.agentTasks },
    ),
  },
  reply: OwnAgent,
  status: 201,
  errors: ['CHANNEL_NOT_FOUND', 'APP_NOT_AUTHORIZED_IN_CHANNEL', 'CHANNEL_ARCHIVED', 'TOO_MANY_IN_CHANNEL'],
})

export const listOwnAgents = operation('GET /chat/agents', {
  ...agentAccess,
  summary: 'The agents that this application proposed, the newest first',
  description: nextPageHint,
  query: newestFirstQuery,
  reply: Type.Object({ items: Type.Array(OwnAgent), nextBefore: Nullable(Id) }),
})

export const readOwnAgentBudget = operation('GET /chat/agents/budget', {
  ...agentAccess,
  summary: 'What the agents of this application may cost in this month, and have',
  reply: AgentBudget,
})

export const readOwnAgent = operation('GET /chat/agents/:agentId', {
  ...agentAccess,
  summary: 'One agent that this application proposed',
  params: agentParams,
  reply: OwnAgent,
  errors: ['AGENT_NOT_FOUND'],
})

export const withdrawAgent = operation('DELETE /chat/agents/:agentId', {
  ...agentAccess,
  summary: 'Withdraw an agent, proposed or approved',
  description: 'Also without access to its channel. One that was rejected or withdrawn stays as it is.',
  params: agentParams,
  reply: OwnAgent,
  errors: ['AGENT_NOT_FOUND'],
})

export const reportAgentExecution = operation('POST /chat/agents/:agentId/executions', {
  ...agentAccess,
  summary: 'Report what an agent did',
  description:
    'Of an ACTIVE agent, in a channel where the application is. `messageId` is a visible message that it published ' +
    'there. The cost counts in the calendar month (UTC) in which the execution ended. The execution with which this ' +
    'month exceeds the cap is recorded, and all agents of the application are paused until the cap is raised or the ' +
    'next month begins. SKIPPED says that nothing ran; the others in the channel are not told of it.',
  params: agentParams,
  body: {
    taskId: Type.Optional(Id),
    startedAt: Time,
    finishedAt: Time,
    status: OneOf(executionStatuses),
    costMicros: Type.Integer({ minimum: 0, maximum: limits.agentCostMicros }),
    summary: Type.Optional(Text(limits.agentSummary)),
    messageId: Type.Optional(Id),
  },
  reply: AgentExecution,
  status: 201,
  errors: [
    'AGENT_NOT_FOUND',
    'CHANNEL_NOT_FOUND',
    'AGENT_TASK_NOT_FOUND',
    'MESSAGE_NOT_FOUND',
    'CHANNEL_ARCHIVED',
    'AGENT_NOT_ACTIVE',
  ],
  limit: { bucket: 'agent-executions', times: limits.agentExecutionsPerHour, windowSeconds: 3600 },
})

export const listOwnAgentExecutions = operation('GET /chat/agents/:agentId/executions', {
  ...agentAccess,
  summary: 'What this application reported of an agent, the newest first',
  description: nextPageHint,
  params: agentParams,
  query: newestFirstQuery,
  reply: AgentExecutions,
  errors: ['AGENT_NOT_FOUND'],
})
