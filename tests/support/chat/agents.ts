import { approveAgent } from '#contract/chat/agents.ts'
import { proposeAgent, reportAgentExecution } from '#contract/chat/application-agents.ts'
import type { Input, Reply } from '#contract/operation.ts'
import type { Permission } from '#contract/permissions.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import type { Organization, Person, TestServer } from '../test-server.ts'
import { makeChannel, plantGrant } from './chat.ts'

type Proposal = Input<typeof proposeAgent>['body']
type Report = Input<typeof reportAgentExecution>['body']

/** A channel with an application in it, and everybody who may have a word about its agents. */
export type AgentCast = {
  readonly organization: Organization
  readonly channelId: string
  /** Owner of the channel who may manage applications. */
  readonly owner: Person
  /** In the channel, without a role there. */
  readonly member: Person
  readonly source: TestApplication
}

const mayManage: Permission[] = [
  'CHAT_USE',
  'CHAT_CHANNELS_CREATE',
  'CHAT_MEMBERS_ADD',
  'CHAT_APPLICATIONS_MANAGE',
]

export async function agentCast(server: TestServer): Promise<AgentCast> {
  const organization = await server.organization()
  const owner = await organization.person({ permissions: mayManage, name: 'Ada Marsh' })
  const member = await organization.person({ permissions: mayManage })
  const { id: channelId } = await makeChannel(owner, { memberIds: [member.id] })
  const source = await newcomer(server, { organization, channelId, owner })
  return { organization, channelId, owner, member, source }
}

/** One more application in the channel of a cast. */
export async function newcomer(
  server: TestServer,
  { organization, channelId, owner }: Pick<AgentCast, 'organization' | 'channelId' | 'owner'>,
): Promise<TestApplication> {
  const source = await makeApplication(server, organization, {
    principal: owner,
    scopes: ['chat:agents:manage', 'chat:events:subscribe'],
    url: 'http://127.0.0.1:1/',
    events: ['CHAT_AGENT_PENDING_APPROVAL', 'CHAT_AGENT_APPROVED', 'CHAT_AGENT_REJECTED'].concat(
      'CHAT_AGENT_BUDGET_EXCEEDED',
    ),
  })
  await plantGrant(server, channelId, source, owner)
  return source
}

export const proposal: Proposal = {
  name: 'Daily summary',
  purpose: 'Sums up what was said',
  tasks: [{ name: 'Every morning', schedule: '0 9 * * 1-5', timeZone: 'Europe/Madrid' }],
}

/** A proposal of the application; what is left out is invented. */
export function propose(
  { source, channelId }: Pick<AgentCast, 'source' | 'channelId'>,
  given: Partial<Proposal> = {},
): Promise<Reply<typeof proposeAgent>> {
  return source.client.call(proposeAgent, { params: { channelId }, body: { ...proposal, ...given } })
}

/** The same, approved by the owner. */
export async function activeAgent(cast: AgentCast): Promise<Reply<typeof proposeAgent>> {
  const agent = await propose(cast)
  await cast.owner.call(approveAgent, { params: { agentId: agent.id } })
  return agent
}

/** Whole answer to the report of an execution that just ended. */
export function report(source: TestApplication, agentId: string, given: Partial<Report> = {}) {
  const at = new Date().toISOString()
  const body: Report = { startedAt: at, finishedAt: at, status: 'SUCCEEDED', costMicros: 0, ...given }
  return source.client.send(reportAgentExecution, { params: { agentId }, body })
}

/** Status and code of an answer. */
export function codeOf({ status, body }: { status: number; body: unknown }) {
  return [status, (body as { errorCode?: string } | undefined)?.errorCode]
}

/** What was announced of agents, in order, without what the stream says. */
export async function agentNotices(server: TestServer, organizationId: string) {
  await server.relayed()
  return server.sql<{ name: string; data: Record<string, unknown>; about: object }>(
    `select name, data, about from event where organization_id = $1 and name like 'CHAT_AGENT_%' order by seq`,
    [organizationId],
  )
}

/** What the stream said of agents, in order. */
export async function agentChanges(server: TestServer, organizationId: string) {
  await server.relayed()
  const rows = await server.sql<{ data: { agentId: string; channelId: string } }>(
    `select data from event where organization_id = $1 and name = 'chat.agent.changed' order by seq`,
    [organizationId],
  )
  return rows.map(({ data }) => data)
}

/** Which notices were written for an application. */
export async function toldTo(server: TestServer, { id }: Pick<TestApplication, 'id'>): Promise<string[]> {
  await server.relayed()
  const rows = await server.sql<{ event: string }>(
    'select event from webhook_delivery where application_id = $1 order by event_seq',
    [id],
  )
  return rows.map(({ event }) => event)
}
