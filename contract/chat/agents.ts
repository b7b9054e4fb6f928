import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { newestFirstQuery } from './shapes.ts'

export const agentStatuses = ['PENDING_APPROVAL', 'ACTIVE', 'PAUSED', 'REJECTED', 'WITHDRAWN'] as const
export type AgentStatus = (typeof agentStatuses)[number]
export const AgentStatus = OneOf(agentStatuses)
/** Of PAUSED: BUDGET or MANUAL; of REJECTED: REJECTED or EXPIRED. */
export const agentReasons = ['BUDGET', 'MANUAL', 'REJECTED', 'EXPIRED'] as const
export type AgentReason = (typeof agentReasons)[number]
/** SKIPPED: it was time for the task and the agent did not run it. */
export const executionStatuses = ['SUCCEEDED', 'FAILED', 'SKIPPED'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
export const ExecutionStatus = OneOf(executionStatuses)

const Task = Type.Object({
  id: Id,
  name: Type.String(),
  schedule: Type.String({ description: 'Five fields of cron' }),
  timeZone: Type.String({ description: 'IANA time zone in which the schedule is meant' }),
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
      description: 'Of PAUSED: BUDGET or MANUAL; of REJECTED: REJECTED or EXPIRED',
    }),
  ),
  statusNote: Nullable(Type.String({ description: 'What was written when it was rejected' })),
  tasks: Type.Array(Task),
  proposedAt: Time,
  expiresAt: Time,
  decidedAt: Nullable(Time),
  updatedAt: Time,
}

/** An agent as the application that proposed it reads it. */
export const OwnAgent = Type.Object(agent)
export type OwnAgent = Static<typeof OwnAgent>

/** An agent as people read it. */
export const Agent = Type.Object({
  ...agent,
  application: Type.Object({ id: Id, slug: Type.String(), name: Type.String() }),
  decidedBy: Nullable(Type.Object({ id: Id, displayName: Type.String() })),
})
export type Agent = Static<typeof Agent>

/** What an application reported of one run of its agent. */
export const AgentExecution = Type.Object({
  id: Id,
  agentId: Id,
  taskId: Nullable(Type.String()),
  status: OneOf(executionStatuses),
  startedAt: Time,
  finishedAt: Time,
  costMicros: Type.Integer({ description: 'Millionths of the currency of the cap' }),
  summary: Nullable(Type.String()),
  messageId: Nullable(Type.String()),
  recordedAt: Time,
})
export type AgentExecution = Static<typeof AgentExecution>

/** What the agents of an application may cost in a calendar month (UTC), and what they have cost in this one. */
export const AgentBudget = Type.Object({
  applicationId: Id,
  capMicros: Nullable(Type.Integer({ description: 'Millionths of a currency; null: any amount' })),
  month: Type.String({ description: 'Calendar month in UTC: 2026-11' }),
  spentMicros: Type.Integer(),
  executions: Type.Integer(),
  isExceeded: Type.Boolean({
    description: 'Its agents are paused until the cap is raised or the month ends',
  }),
})
export type AgentBudget = Static<typeof AgentBudget>

export const nextPageHint = 'The next page: `before` = `nextBefore`, until that is null.'
export const AgentExecutions = Type.Object({
  items: Type.Array(AgentExecution),
  nextBefore: Nullable(Id),
})

const area = 'chat'
const readAccess = { area, auth: { session: { permission: 'CHAT_USE' } } } as const
const governAccess = { area, auth: { session: { permission: 'CHAT_APPLICATIONS_MANAGE' } } } as const
const budgetAccess = { area, auth: { session: { permission: 'INTEGRATIONS_MANAGE' } } } as const
const agentParams = { agentId: Id }
const governErrors = ['AGENT_NOT_FOUND', 'CHANNEL_ROLE_REQUIRED', 'CHANNEL_ARCHIVED'] as const

export const listChannelAgents = operation('GET /channels/:id/agents', {
  ...readAccess,
  summary: 'The agents of a channel, the newest first',
  description: `For its members and for administrators of the organization. ${nextPageHint}`,
  params: { id: Id },
  query: newestFirstQuery,
  reply: Type.Object({ items: Type.Array(Agent), nextBefore: Nullable(Id) }),
  errors: ['CHANNEL_NOT_FOUND'],
})

export const readAgent = operation('GET /agents/:agentId', {
  ...readAccess,
  summary: 'One agent of a channel',
  params: agentParams,
  reply: Agent,
  errors: ['AGENT_NOT_FOUND'],
})

export const listAgentExecutions = operation('GET /agents/:agentId/executions', {
  ...readAccess,
  summary: 'What an agent has done, the newest first',
  description: `As its application reported it. For members of the channel: others get CHANNEL_NOT_FOUND. ${nextPageHint}`,
  params: agentParams,
  query: newestFirstQuery,
  reply: AgentExecutions,
  errors: ['AGENT_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
})

export const approveAgent = operation('POST /agents/:agentId/approve', {
  ...governAccess,
  summary: 'Approve an agent that an application proposed',
  description:
    'It becomes ACTIVE, and its application is told. A proposal whose time is over cannot be approved. While the agents of ' +
    'the application have cost more than they may it is paused at once.',
  params: agentParams,
  reply: Agent,
  errors: [...governErrors, 'AGENT_NOT_PENDING'],
})

export const rejectAgent = operation('POST /agents/:agentId/reject', {
  ...governAccess,
  summary: 'Reject an agent that an application proposed',
  description: 'Its application is told, with the note.',
  params: agentParams,
  body: { note: Type.Optional(Text(limits.agentNote)) },
  bodyOptional: true,
  reply: Agent,
  errors: [...governErrors, 'AGENT_NOT_PENDING'],
})

export const pauseAgent = operation('POST /agents/:agentId/pause', {
  ...governAccess,
  summary: 'Pause an agent',
  description: 'Nothing can be reported of it until somebody resumes it, also when the next month begins.',
  params: agentParams,
  reply: Agent,
  errors: [...governErrors, 'AGENT_NOT_ACTIVE'],
})

export const resumeAgent = operation('POST /agents/:agentId/resume', {
  ...governAccess,
  summary: 'Resume an agent that was paused',
  description: 'Not while the agents of its application have cost more than they may.',
  params: agentParams,
  reply: Agent,
  errors: [...governErrors, 'AGENT_NOT_PAUSED', 'AGENT_BUDGET_EXCEEDED'],
})

export const readAgentBudget = operation('GET /agents/budgets/:applicationId', {
  ...budgetAccess,
  summary: 'What the agents of an application may cost in a month, and have',
  params: { applicationId: Id },
  reply: AgentBudget,
  errors: ['APPLICATION_NOT_FOUND'],
})

export const setAgentBudget = operation('PUT /agents/budgets/:applicationId', {
  ...budgetAccess,
  summary: 'Say what the agents of an application may cost in a calendar month',
  description:
    'In millionths of a currency, the same in which executions are reported; null for any amount. A cap below what was ' +
    'spent pauses its agents at once, one above it lets them go on.',
  params: { applicationId: Id },
  body: { capMicros: Nullable(Type.Integer({ minimum: 0, maximum: limits.agentCapMicros })) },
  reply: AgentBudget,
  errors: ['APPLICATION_NOT_FOUND'],
})
