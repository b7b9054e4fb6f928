import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
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

/** A proposed agent needs approval before it may run (AGT-3). */
export const proposeAgent = operation('POST /chat/channels/:channelId/agents', {
  ...agentAccess,
  summary: 'Propose an agent for a channel',
  description:
    'The agent may run once an administrator of the channel has approved it. A proposal without a decision is ' +
    `rejected after ${limits.agentProposalDays} days. Patio runs neither the model nor the schedule: the application ` +
    'runs the tasks on schedule and reports each execution. A schedule is a cron expression with five fields (minute, ' +
    'hour, day of month, month, day of week; lists, ranges, steps and names of months and days are allowed) that ' +
    'occurs at least once. The time zone is an IANA name.',
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
  summary: 'List the agents that this application proposed, newest first',
  description: nextPageHint,
  query: newestFirstQuery,
  reply: Type.Object({ items: Type.Array(OwnAgent), nextBefore: Nullable(Id) }),
})

export const readOwnAgentBudget = operation('GET /chat/agents/budget', {
  ...agentAccess,
  summary: 'Retrieve the spending cap and the spending of the agents of this application',
  reply: AgentBudget,
})

export const readOwnAgent = operation('GET /chat/agents/:agentId', {
  ...agentAccess,
  summary: 'Retrieve an agent that this application proposed',
  params: agentParams,
  reply: OwnAgent,
  errors: ['AGENT_NOT_FOUND'],
})

export const withdrawAgent = operation('DELETE /chat/agents/:agentId', {
  ...agentAccess,
  summary: 'Withdraw an agent',
  description:
    'Works for proposed and approved agents, also without access to the channel. A rejected or withdrawn agent stays unchanged.',
  params: agentParams,
  reply: OwnAgent,
  errors: ['AGENT_NOT_FOUND'],
})

export const reportAgentExecution = operation('POST /chat/agents/:agentId/executions', {
  ...agentAccess,
  summary: 'Report an execution of an agent',
  description:
    'The agent must be ACTIVE, and the application must have access to the channel. `messageId` is a visible message ' +
    'that the application published there. The cost counts in the calendar month (UTC) in which the execution ended. ' +
    'The execution that exceeds the cap of the current month is recorded; then all agents of the application are paused ' +
    'until the cap is raised or the next month begins. SKIPPED means that nothing ran, and emits no event.',
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
  summary: 'List the executions that this application reported, newest first',
  description: nextPageHint,
  params: agentParams,
  query: newestFirstQuery,
  reply: AgentExecutions,
  errors: ['AGENT_NOT_FOUND'],
})
