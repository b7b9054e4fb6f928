import { approveAgent } from '#contract/chat/agents.ts'
import { proposeAgent, reportAgentExecution } from '#contract/chat/application-agents.ts'
import type { Input, Reply } from '#contract/operation.ts'
import type { Permission } from '#contract/permissions.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import type { Organization, Person, TestServer } from '../test-server.ts'
import { createTestChannel, insertTestGrant } from './chat.ts'

type Proposal = Input<typeof proposeAgent>['body']
type ExecutionReport = Input<typeof reportAgentExecution>['body']

/** A channel with an application and the people who decide on its agents. */
export type AgentFixture = {
  readonly organization: Organization
  readonly channelId: string
  /** Owner of the channel with the permission to manage applications. */
  readonly owner: Person
  /** Member of the channel. */
  readonly member: Person
  readonly source: TestApplication
}

const managerPermissions: Permission[] = [
  'CHAT_USE',
  'CHAT_CHANNELS_CREATE',
  'CHAT_MEMBERS_ADD',
  'CHAT_APPLICATIONS_MANAGE',
]

export async function createAgentFixture(server: TestServer): Promise<AgentFixture> {
  const organization = await server.organization()
  const owner = await organization.person({ permissions: managerPermissions, name: 'Ada Marsh' })
  const member = await organization.person({ permissions: managerPermissions })
  const { id: channelId } = await createTestChannel(owner, { memberIds: [member.id] })
  const source = await addApplication(server, { organization, channelId, owner })
  return { organization, channelId, owner, member, source }
}

/** Adds another application to the channel of a fixture. */
export async function addApplication(
  server: TestServer,
  { organization, channelId, owner }: Pick<AgentFixture, 'organization' | 'channelId' | 'owner'>,
): Promise<TestApplication> {
  const source = await makeApplication(server, organization, {
    principal: owner,
    scopes: ['chat:agents:manage', 'chat:events:subscribe'],
    url: 'http://127.0.0.1:1/',
    events: ['CHAT_AGENT_PENDING_APPROVAL', 'CHAT_AGENT_APPROVED', 'CHAT_AGENT_REJECTED'].concat(
      'CHAT_AGENT_BUDGET_EXCEEDED',
    ),
  })
  await insertTestGrant(server, channelId, source, owner)
  return source
}

export const proposal: Proposal = {
  name: 'Daily summary',
  purpose: 'Summarizes the discussion',
  tasks: [{ name: 'Every morning', schedule: '0 9 * * 1-5', timeZone: 'Europe/Madrid' }],
}

/** Proposes an agent; omitted fields have defaults. */
export function propose(
  { source, channelId }: Pick<AgentFixture, 'source' | 'channelId'>,
  overrides: Partial<Proposal> = {},
): Promise<Reply<typeof proposeAgent>> {
  return source.client.call(proposeAgent, { params: { channelId }, body: { ...proposal, ...overrides } })
}

/** An agent that the owner has approved. */
export async function createActiveAgent(fixture: AgentFixture): Promise<Reply<typeof proposeAgent>> {
  const agent = await propose(fixture)
  await fixture.owner.call(approveAgent, { params: { agentId: agent.id } })
  return agent
}

/** Reports an execution that just ended and returns the full response. */
export function reportExecution(
  source: TestApplication,
  agentId: string,
  overrides: Partial<ExecutionReport> = {},
) {
  const at = new Date().toISOString()
  const body: ExecutionReport = {
    startedAt: at,
    finishedAt: at,
    status: 'SUCCEEDED',
    costMicros: 0,
    ...overrides,
  }
  return source.client.send(reportAgentExecution, { params: { agentId }, body })
}

/** Status and error code of a response. */
export function statusAndCode({ status, body }: { status: number; body: unknown }) {
  return [status, (body as { errorCode?: string } | undefined)?.errorCode]
}

/** The application events about agents, in order. */
export async function agentEvents(server: TestServer, organizationId: string) {
  await server.relayed()
  return server.sql<{ name: string; data: Record<string, unknown>; about: object }>(
    `select name, data, about from event where organization_id = $1 and name like 'CHAT_AGENT_%' order by seq`,
    [organizationId],
  )
}

/** The stream events about agents, in order. */
export async function agentStreamChanges(server: TestServer, organizationId: string) {
  await server.relayed()
  const rows = await server.sql<{ data: { agentId: string; channelId: string } }>(
    `select data from event where organization_id = $1 and name = 'chat.agent.changed' order by seq`,
    [organizationId],
  )
  return rows.map(({ data }) => data)
}

/** The names of the events for which deliveries to an application were written. */
export async function deliveriesTo(
  server: TestServer,
  { id }: Pick<TestApplication, 'id'>,
): Promise<string[]> {
  await server.relayed()
  const rows = await server.sql<{ event: string }>(
    'select event from webhook_delivery where application_id = $1 order by event_seq',
    [id],
  )
  return rows.map(({ event }) => event)
}
