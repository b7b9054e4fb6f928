import { afterAll, beforeAll, expect, it } from 'vitest'
import { listOwnAgents, proposeAgent } from '#contract/chat/application-agents.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  type AgentCast,
  agentCast,
  agentChanges,
  agentNotices,
  codeOf,
  newcomer,
  proposal,
  propose,
  toldTo,
} from '#tests/support/chat/agents.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const send = ({ source, channelId }: Pick<AgentCast, 'source' | 'channelId'>, body: object = {}) =>
  source.client.send(proposeAgent, { params: { channelId }, body: { ...proposal, ...body } })

it('a proposal awaits approval for two weeks, and its application alone is told', async () => {
  const cast = await agentCast(server)
  const other = await newcomer(server, cast)
  const agent = await propose(cast, {
    name: ' Daily summary ',
    description: '  ',
    tasks: [
      { name: 'B', schedule: '0 9 * * mon', timeZone: 'Europe/Madrid' },
      { name: 'A', schedule: '*/5 * * * *', timeZone: 'UTC' },
    ],
  })
  expect(agent).toEqual({
    id: expect.any(String),
    channelId: cast.channelId,
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
  expect(await agentNotices(server, cast.organization.id)).toEqual([
    {
      name: 'CHAT_AGENT_PENDING_APPROVAL',
      data: {
        channelId: cast.channelId,
        sequence: 2,
        agentId: agent.id,
        name: 'Daily summary',
        expiresAt: agent.expiresAt,
      },
      about: { applicationId: cast.source.id },
    },
  ])
  expect(await agentChanges(server, cast.organization.id)).toEqual([
    { channelId: cast.channelId, agentId: agent.id },
  ])
  expect(await toldTo(server, cast.source)).toEqual(['CHAT_AGENT_PENDING_APPROVAL'])
  expect(await toldTo(server, other)).toEqual([])
  const [row] = await server.sql(
    'select actor_id, operation, changed from audit where organization_id = $1 and subject = $2',
    [cast.organization.id, agent.id],
  )
  expect(row).toEqual({
    actor_id: cast.source.id,
    operation: 'POST /api/external/v1/chat/channels/:channelId/agents',
    changed: ['name', 'description', 'purpose', 'tasks'],
  })
})

it('refuses schedules and time zones that are none', async () => {
  const cast = await agentCast(server)
  const task = proposal.tasks[0]!
  for (const tasks of [
    [{ ...task, schedule: '0 0 31 2 *' }],
    [{ ...task, timeZone: '+01:00' }],
    Array.from({ length: limits.agentTasks + 1 }, () => task),
  ])
    expect(codeOf(await send(cast, { tasks }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(await agentNotices(server, cast.organization.id)).toEqual([])
})

it('only where the application is, where somebody governs, and while it is open', async () => {
  const cast = await agentCast(server)
  const stranger = await makeApplication(server, cast.organization, { scopes: ['chat:agents:manage'] })
  const elsewhere = await agentCast(server)
  const unknown = await send({ source: cast.source, channelId: newId() })
  expect(codeOf(unknown)).toEqual([404, 'CHANNEL_NOT_FOUND'])
  for (const [source, channelId] of [
    [stranger, cast.channelId],
    [cast.source, elsewhere.channelId],
  ] as const)
    expect((await send({ source, channelId })).body).toEqual(unknown.body)
  await server.sql('update chat_grant set is_member = false where application_id = $1', [cast.source.id])
  expect((await send(cast)).body).toEqual(unknown.body)
  await server.sql('update chat_grant set is_member = true where application_id = $1', [cast.source.id])

  await server.sql('update chat_channel set archived_at = now() where id = $1', [cast.channelId])
  expect(codeOf(await send(cast))).toEqual([409, 'CHANNEL_ARCHIVED'])
  await server.sql(`update chat_channel set archived_at = null, kind = 'CUSTOMER_PORTAL' where id = $1`, [
    cast.channelId,
  ])
  expect(codeOf(await send(cast))).toEqual([403, 'APP_NOT_AUTHORIZED_IN_CHANNEL'])
})

it('needs the scope', async () => {
  const cast = await agentCast(server)
  await server.sql(`update application set scopes = '{chat:messages:view}' where id = $1`, [cast.source.id])
  expect(codeOf(await send(cast))).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

it('has as many agents at a time as it can have, also when it proposes them at once', async () => {
  const cast = await agentCast(server)
  await server.sql(
    `insert into chat_agent (organization_id, id, channel_id, application_id, name, purpose, status, expires_at)
     select $1, 'c' || n, $2, $3, 'n', 'p',
       case when n <= $4 - 1 then 'ACTIVE' when n % 2 = 0 then 'WITHDRAWN' else 'PENDING_APPROVAL' end, now()
     from generate_series(1, $4 + 20) n`,
    [cast.organization.id, cast.channelId, cast.source.id, limits.agentsPerApplication],
  )
  const second = { ...cast.source, client: cast.source.at((await server.anotherApi()).url) }
  const sources = Array.from({ length: 20 }, (_, n) => (n % 2 ? cast.source : second))
  // so that each has a connection by then
  await Promise.all(sources.map(({ client }) => client.call(listOwnAgents)))
  const answers = await Promise.all(sources.map(source => send({ ...cast, source })))
  expect(answers.map(codeOf).sort()).toEqual([
    [201, undefined],
    ...Array.from({ length: 19 }, () => [409, 'TOO_MANY_IN_CHANNEL']),
  ])
})

it('once for an Idempotency-Key', async () => {
  const cast = await agentCast(server)
  const once = () =>
    fetch(`${server.url}/api/external/v1/chat/channels/${cast.channelId}/agents`, {
      method: 'POST',
      headers: { 'x-api-key': cast.source.key, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify(proposal),
    }).then(answer => answer.json() as Promise<{ id: string }>)
  const [a, b] = await Promise.all([once(), once()])
  expect(a!.id).toBe(b!.id)
  expect(await agentNotices(server, cast.organization.id)).toHaveLength(1)
})
