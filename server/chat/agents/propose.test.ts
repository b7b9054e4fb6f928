import { afterAll, beforeAll, expect, it } from 'vitest'
import { listOwnAgents, proposeAgent } from '#contract/chat/application-agents.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  type AgentFixture,
  addApplication,
  agentEvents,
  agentStreamChanges,
  createAgentFixture,
  deliveriesTo,
  proposal,
  propose,
  statusAndCode,
} from '#tests/support/chat/agents.ts'
import { only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { insertMany } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const send = ({ source, channelId }: Pick<AgentFixture, 'source' | 'channelId'>, body: object = {}) =>
  source.client.send(proposeAgent, { params: { channelId }, body: { ...proposal, ...body } })

it('a proposal waits two weeks for approval, and only its application gets the event', async () => {
  const fixture = await createAgentFixture(server)
  const other = await addApplication(server, fixture)
  const agent = await propose(fixture, {
    name: ' Daily summary ',
    description: '  ',
    tasks: [
      { name: 'B', schedule: '0 9 * * mon', timeZone: 'Europe/Madrid' },
      { name: 'A', schedule: '*/5 * * * *', timeZone: 'UTC' },
    ],
  })
  expect(agent).toEqual({
    id: expect.any(String),
    channelId: fixture.channelId,
    name: 'Daily summary',
    description: null,
    purpose: proposal.purpose,
    status: 'PENDING_APPROVAL',
    statusReason: null,
    statusNote: null,
    tasks: [
      { id: expect.any(String), name: 'B', schedule: '0 9 * * MON', timeZone: 'Europe/Madrid' },
      { id: expect.any(String), name: 'A', schedule: '*/5 * * * *', timeZone: 'UTC' },
    ],
    proposedAt: expect.any(String),
    expiresAt: expect.any(String),
    decidedAt: null,
    updatedAt: expect.any(String),
  })
  expect(Date.parse(agent.expiresAt) - Date.parse(agent.proposedAt)).toBe(14 * 86_400_000)
  expect(await agentEvents(server, fixture.organization.id)).toEqual([
    {
      name: 'CHAT_AGENT_PENDING_APPROVAL',
      data: {
        channelId: fixture.channelId,
        sequence: 2,
        agentId: agent.id,
        name: 'Daily summary',
        expiresAt: agent.expiresAt,
      },
      about: { applicationId: fixture.source.id },
    },
  ])
  expect(await agentStreamChanges(server, fixture.organization.id)).toEqual([
    { channelId: fixture.channelId, agentId: agent.id },
  ])
  expect(await deliveriesTo(server, fixture.source)).toEqual(['CHAT_AGENT_PENDING_APPROVAL'])
  expect(await deliveriesTo(server, other)).toEqual([])
  const [row] = await server.sql(
    'select actor_id, operation, changed from audit where organization_id = $1 and subject = $2',
    [fixture.organization.id, agent.id],
  )
  expect(row).toEqual({
    actor_id: fixture.source.id,
    operation: 'POST /api/external/v1/chat/channels/:channelId/agents',
    changed: ['name', 'description', 'purpose', 'tasks'],
  })
})

it('refuses invalid schedules and time zones', async () => {
  const fixture = await createAgentFixture(server)
  const task = only(proposal.tasks)
  for (const tasks of [
    [{ ...task, schedule: '0 0 31 2 *' }],
    [{ ...task, timeZone: '+01:00' }],
    Array.from({ length: limits.agentTasks + 1 }, () => task),
  ])
    expect(statusAndCode(await send(fixture, { tasks }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(await agentEvents(server, fixture.organization.id)).toEqual([])
})

it('requires access to a channel or group that is not archived', async () => {
  const fixture = await createAgentFixture(server)
  const stranger = await makeApplication(server, fixture.organization, { scopes: ['chat:agents:manage'] })
  const elsewhere = await createAgentFixture(server)
  const unknown = await send({ source: fixture.source, channelId: newId() })
  expect(statusAndCode(unknown)).toEqual([404, 'CHANNEL_NOT_FOUND'])
  for (const [source, channelId] of [
    [stranger, fixture.channelId],
    [fixture.source, elsewhere.channelId],
  ] as const)
    expect((await send({ source, channelId })).body).toEqual(unknown.body)
  await server.sql('update chat_grant set is_member = false where application_id = $1', [fixture.source.id])
  expect((await send(fixture)).body).toEqual(unknown.body)
  await server.sql('update chat_grant set is_member = true where application_id = $1', [fixture.source.id])

  await server.sql('update chat_channel set archived_at = now() where id = $1', [fixture.channelId])
  expect(statusAndCode(await send(fixture))).toEqual([409, 'CHANNEL_ARCHIVED'])
  await server.sql(`update chat_channel set archived_at = null, kind = 'CUSTOMER_PORTAL' where id = $1`, [
    fixture.channelId,
  ])
  expect(statusAndCode(await send(fixture))).toEqual([403, 'APP_NOT_AUTHORIZED_IN_CHANNEL'])
})

it('requires the scope', async () => {
  const fixture = await createAgentFixture(server)
  await server.sql(`update application set scopes = '{chat:messages:view}' where id = $1`, [
    fixture.source.id,
  ])
  expect(statusAndCode(await send(fixture))).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

it('limits the agents of an application, also for concurrent proposals', async () => {
  const fixture = await createAgentFixture(server)
  const most = limits.agentsPerApplication - 1
  await insertMany(server, 'chat_agent', most + 21, n => ({
    organization_id: fixture.organization.id,
    channel_id: fixture.channelId,
    application_id: fixture.source.id,
    status: n <= most ? 'ACTIVE' : n % 2 === 0 ? 'WITHDRAWN' : 'PENDING_APPROVAL',
    expires_at: new Date(),
  }))
  const second = { ...fixture.source, client: fixture.source.at((await server.anotherApi()).url) }
  const sources = Array.from({ length: 20 }, (_, n) => (n % 2 ? fixture.source : second))
  // opens a connection for each of the concurrent calls
  await Promise.all(sources.map(({ client }) => client.call(listOwnAgents)))
  const answers = await Promise.all(sources.map(source => send({ ...fixture, source })))
  expect(answers.map(statusAndCode).sort()).toEqual([
    [201, undefined],
    ...Array.from({ length: 19 }, () => [409, 'TOO_MANY_IN_CHANNEL']),
  ])
})

it('proposes once per Idempotency-Key', async () => {
  const fixture = await createAgentFixture(server)
  const once = () =>
    fetch(`${server.url}/api/external/v1/chat/channels/${fixture.channelId}/agents`, {
      method: 'POST',
      headers: {
        'x-api-key': fixture.source.key,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: JSON.stringify(proposal),
    }).then(answer => answer.json() as Promise<{ id: string }>)
  const [a, b] = await Promise.all([once(), once()])
  expect(a.id).toBe(b.id)
  expect(await agentEvents(server, fixture.organization.id)).toHaveLength(1)
})
