import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { newestFirstQuery } from './shapes.ts'

export const agentStatuses = ['PENDING_APPROVAL', 'ACTIVE', 'PAUSED', 'REJECTED', 'WITHDRAWN'] as const
export type AgentStatus = (typeof agentStatuses)[number]
/** The states of agents that await a decision or may work. */
export const openAgentStatuses = [
  'PENDING_APPROVAL',
  'ACTIVE',
  'PAUSED',
] as const satisfies readonly AgentStatus[]
export type OpenAgentStatus = (typeof openAgentStatuses)[number]
export const AgentStatus = OneOf(agentStatuses)
/** PAUSED has the reason BUDGET or MANUAL; REJECTED has REJECTED or EXPIRED. */
export const agentReasons = ['BUDGET', 'MANUAL', 'REJECTED', 'EXPIRED'] as const
export type AgentReason = (typeof agentReasons)[number]
/** SKIPPED: the task was due and the agent did not run it. */
export const executionStatuses = ['SUCCEEDED', 'FAILED', 'SKIPPED'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
export const ExecutionStatus = OneOf(executionStatuses)

const Task = Type.Object({
  id: Id,
  name: Type.String(),
  schedule: Type.String({ description: 'Cron expression with five fields' }),
  timeZone: Type.String({ description: 'IANA time zone of the schedule' }),
})

const agent = {
  id: Id,
  channelId: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  purpose: Type.String(),
  status: OneOf(agentStatuses),
  statusReason: Nullable(
    OneOf(agentReasons, {
      description: 'BUDGET or MANUAL when the agent is PAUSED; REJECTED or EXPIRED when it is REJECTED',
    }),
  ),
  statusNote: Nullable(Type.String({ description: 'The note of the administrator who rejected the agent' })),
  tasks: Type.Array(Task),
  proposedAt: Time,
  expiresAt: Time,
  decidedAt: Nullable(Time),
  updatedAt: Time,
}

/** An agent, as the application that proposed it reads it. */
export const OwnAgent = Type.Object(agent)
export type OwnAgent = Static<typeof OwnAgent>

/** An agent, as people read it. */
export const Agent = Type.Object({
  ...agent,
  application: Type.Object({ id: Id, slug: Type.String(), name: Type.String() }),
  decidedBy: Nullable(Type.Object({ id: Id, displayName: Type.String() })),
})
export type Agent = Static<typeof Agent>

/** An agent in a list of all channels, with what a decision needs (AGT-12). */
export const ListedAgent = Type.Object({
  ...Agent.properties,
  channel: Type.Object({ id: Id, name: Nullable(Type.String()) }),
  mayDecide: Type.Boolean({ description: 'The caller may approve, reject, pause or resume the agent' }),
  budget: Nullable(
    Type.Object(
      {
        capMicros: Nullable(Type.Integer({ description: 'In millionths of a currency; null means no cap' })),
        spentMicros: Type.Integer({ description: 'By all agents of the application, in this month (UTC)' }),
        executions: Type.Integer({ description: 'Of all agents of the application, in this month (UTC)' }),
      },
      { description: 'null without INTEGRATIONS_MANAGE' },
    ),
  ),
})
export type ListedAgent = Static<typeof ListedAgent>

/** One run of an agent, as its application reported it. */
export const AgentExecution = Type.Object({
  id: Id,
  agentId: Id,
  taskId: Nullable(Type.String()),
  status: OneOf(executionStatuses),
  startedAt: Time,
  finishedAt: Time,
  costMicros: Type.Integer({ description: 'In millionths of the currency of the cap' }),
  summary: Nullable(Type.String()),
  messageId: Nullable(Type.String()),
  recordedAt: Time,
})
export type AgentExecution = Static<typeof AgentExecution>

/** The monthly spending cap of the agents of an application, and their spending in the current calendar month (UTC). */
export const AgentBudget = Type.Object({
  applicationId: Id,
  capMicros: Nullable(Type.Integer({ description: 'In millionths of a currency; null means no cap' })),
  month: Type.String({ description: 'Calendar month in UTC: 2026-11' }),
  spentMicros: Type.Integer(),
  executions: Type.Integer(),
  isExceeded: Type.Boolean({
    description: 'The agents of the application are paused until the cap is raised or the month ends',
  }),
})
export type AgentBudget = Static<typeof AgentBudget>

export const nextPageHint = 'For the next page, pass `nextBefore` as `before`; it is null on the last page.'
export const AgentExecutions = Type.Object({
  items: Type.Array(AgentExecution),
  nextBefore: Nullable(Id),
})

const area = 'chat'
const readAccess = { area, auth: { session: { permission: 'CHAT_USE' } } } as const
const manageAccess = { area, auth: { session: { permission: 'CHAT_APPLICATIONS_MANAGE' } } } as const
const budgetAccess = { area, auth: { session: { permission: 'INTEGRATIONS_MANAGE' } } } as const
const agentParams = { agentId: Id }
const manageErrors = ['AGENT_NOT_FOUND', 'CHANNEL_ROLE_REQUIRED', 'CHANNEL_ARCHIVED'] as const

export const listChannelAgents = operation('GET /channels/:id/agents', {
  ...readAccess,
  summary: 'List the agents of a channel, newest first',
  description: `For members of the channel and for administrators of the organization. ${nextPageHint}`,
  params: { id: Id },
  query: newestFirstQuery,
  reply: Type.Object({ items: Type.Array(Agent), nextBefore: Nullable(Id) }),
  errors: ['CHANNEL_NOT_FOUND'],
})

/** Keeps AGT-12. */
export const listAgents = operation('GET /agents', {
  ...readAccess,
  summary: 'List the agents of all channels, newest first',
  description: `The agents that await approval, are active or are paused, in the channels of the caller; for administrators of the organization, in all channels and groups. ${nextPageHint}`,
  query: { ...newestFirstQuery, status: Type.Optional(OneOf(openAgentStatuses)) },
  reply: Type.Object({ items: Type.Array(ListedAgent), nextBefore: Nullable(Id) }),
})

export const readAgent = operation('GET /agents/:agentId', {
  ...readAccess,
  summary: 'Retrieve an agent',
  params: agentParams,
  reply: Agent,
  errors: ['AGENT_NOT_FOUND'],
})

export const listAgentExecutions = operation('GET /agents/:agentId/executions', {
  ...readAccess,
  summary: 'List the executions of an agent, newest first',
  description: `The executions that its application reported. Only members of the channel may read them; everybody else gets CHANNEL_NOT_FOUND. ${nextPageHint}`,
  params: agentParams,
  query: newestFirstQuery,
  reply: AgentExecutions,
  errors: ['AGENT_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
})

export const approveAgent = operation('POST /agents/:agentId/approve', {
  ...manageAccess,
  summary: 'Approve a proposed agent',
  description:
    'The agent becomes ACTIVE, and its application receives CHAT_AGENT_APPROVED. An expired proposal cannot be approved. ' +
    'If the agents of the application have exceeded their spending cap, the agent is paused at once.',
  params: agentParams,
  reply: Agent,
  errors: [...manageErrors, 'AGENT_NOT_PENDING'],
})

export const rejectAgent = operation('POST /agents/:agentId/reject', {
  ...manageAccess,
  summary: 'Reject a proposed agent',
  description: 'The application receives CHAT_AGENT_REJECTED with the note.',
  params: agentParams,
  body: { note: Type.Optional(Text(limits.agentNote)) },
  bodyOptional: true,
  reply: Agent,
  errors: [...manageErrors, 'AGENT_NOT_PENDING'],
})

export const pauseAgent = operation('POST /agents/:agentId/pause', {
  ...manageAccess,
  summary: 'Pause an agent',
  description:
    'The application cannot report executions of the agent until somebody resumes it. A new month does not resume it.',
  params: agentParams,
  reply: Agent,
  errors: [...manageErrors, 'AGENT_NOT_ACTIVE'],
})

export const resumeAgent = operation('POST /agents/:agentId/resume', {
  ...manageAccess,
  summary: 'Resume a paused agent',
  description: 'An agent cannot be resumed while the agents of its application exceed their spending cap.',
  params: agentParams,
  reply: Agent,
  errors: [...manageErrors, 'AGENT_NOT_PAUSED', 'AGENT_BUDGET_EXCEEDED'],
})

export const readAgentBudget = operation('GET /agents/budgets/:applicationId', {
  ...budgetAccess,
  summary: 'Retrieve the spending cap and the spending of the agents of an application',
  params: { applicationId: Id },
  reply: AgentBudget,
  errors: ['APPLICATION_NOT_FOUND'],
})

export const setAgentBudget = operation('PUT /agents/budgets/:applicationId', {
  announces: { event: 'application.changed', id: 'applicationId' },
  ...budgetAccess,
  summary: 'Set the monthly spending cap of the agents of an application',
  description:
    'The cap is in millionths of the currency in which executions are reported; null removes it. A cap below the spending ' +
    'of the current month pauses the agents at once; a cap above it resumes them.',
  params: { applicationId: Id },
  body: { capMicros: Nullable(Type.Integer({ minimum: 0, maximum: limits.agentCapMicros })) },
  reply: AgentBudget,
  errors: ['APPLICATION_NOT_FOUND'],
})
