import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAgentExecutions } from '#contract/chat/agents.ts'
import { listOwnAgentExecutions } from '#contract/chat/application-agents.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  type AgentFixture,
  addApplication,
  agentEvents,
  createActiveAgent,
  createAgentFixture,
  propose,
  reportExecution,
  statusAndCode,
} from '#tests/support/chat/agents.ts'
import { createTestChannel } from '#tests/support/chat/chat.ts'
import { defined, only } from '#tests/support/elements.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'
import { insertRows } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const minutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()
let seq = 0

async function message(
  channelId: string,
  { organizationId, id }: Pick<TestApplication, 'id' | 'organizationId'>,
  { kind = 'APP', visibility = 'VISIBLE' } = {},
): Promise<string> {
  const messageId = newId()
  await insertRows(server, 'chat_message', [
    {
      organization_id: organizationId,
      id: messageId,
      channel_id: channelId,
      seq: ++seq,
      author_kind: kind,
      author_id: id,
      visibility,
    },
  ])
  return messageId
}

const executed = async ({ organization }: AgentFixture) =>
  (await agentEvents(server, organization.id)).filter(({ name }) => name === 'CHAT_AGENT_TASK_EXECUTED')

it('stores an execution, shows it to the channel and emits the event', async () => {
  const fixture = await createAgentFixture(server)
  const { source, channelId, owner, member } = fixture
  const agent = await createActiveAgent(fixture)
  const [taskId, messageId] = [only(agent.tasks).id, await message(channelId, source)]
  const [startedAt, finishedAt] = [minutes(-1), minutes(0)]
  const report = { startedAt, finishedAt, taskId, messageId, costMicros: 7, summary: ' Said good morning ' }
  const { status, body } = await reportExecution(source, agent.id, report)
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      agentId: agent.id,
      status: 'SUCCEEDED',
      recordedAt: expect.any(String),
      ...report,
      summary: 'Said good morning',
    },
  ])
  const { id: executionId } = body as { id: string }
  expect(await executed(fixture)).toEqual([
    {
      name: 'CHAT_AGENT_TASK_EXECUTED',
      data: {
        channelId,
        sequence: 4,
        agentId: agent.id,
        name: agent.name,
        taskId,
        executionId,
        status: 'SUCCEEDED',
        startedAt,
        finishedAt,
      },
      about: { channelId },
    },
  ])
  // SKIPPED emits no event
  const skipped = await reportExecution(source, agent.id, { status: 'SKIPPED' })
  expect(skipped.body).toMatchObject({ taskId: null, messageId: null, summary: null, costMicros: 0 })
  await reportExecution(source, agent.id, { status: 'FAILED', summary: '  ' })
  expect((await executed(fixture)).map(({ data }) => data.status)).toEqual(['SUCCEEDED', 'FAILED'])

  const params = { agentId: agent.id }
  for (const person of [owner, member]) {
    const { items, nextBefore } = await person.call(listAgentExecutions, { params, query: { limit: 2 } })
    expect(items.map(({ status }) => status)).toEqual(['FAILED', 'SKIPPED'])
    const secondPage = await person.call(listAgentExecutions, {
      params,
      query: { before: defined(nextBefore) },
    })
    expect(secondPage).toEqual({ items: [body], nextBefore: null })
  }
  expect((await source.client.call(listOwnAgentExecutions, { params })).items).toHaveLength(3)
})

it('only members of the channel may read executions, not administrators outside of it', async () => {
  const fixture = await createAgentFixture(server)
  const { organization } = fixture
  const { id: agentId } = await createActiveAgent(fixture)
  const administrator = await organization.person({ role: 'OWNER' })
  const outsider = await organization.person()
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const params = { agentId }
  const read = (person: typeof outsider, id = agentId) =>
    person.send(listAgentExecutions, { params: { agentId: id } })
  expect(statusAndCode(await read(administrator))).toEqual([404, 'CHANNEL_NOT_FOUND'])
  const unknown = await read(outsider, newId())
  expect(statusAndCode(unknown)).toEqual([404, 'AGENT_NOT_FOUND'])
  for (const person of [outsider, stranger]) expect((await read(person)).body).toEqual(unknown.body)
  const other = await addApplication(server, fixture)
  expect((await other.client.send(listOwnAgentExecutions, { params })).body).toEqual(unknown.body)
  expect((await reportExecution(other, agentId)).body).toEqual(unknown.body)
})

it('refuses implausible times', async () => {
  const fixture = await createAgentFixture(server)
  const { id } = await createActiveAgent(fixture)
  const tries: [startedAt: string, finishedAt: string, status: number][] = [
    [minutes(4), minutes(4.5), 201],
    [minutes(0), minutes(6), 400],
    [minutes(0), minutes(-0.1), 400],
    [minutes(-4), minutes(-3), 201],
    // before the approval
    [minutes(-6), minutes(-3), 400],
    ['1000-01-01T00:00:00Z', minutes(0), 400],
    [minutes(0), '2999-12-31T23:59:59Z', 400],
  ]
  for (const [startedAt, finishedAt, status] of tries)
    expect([
      startedAt,
      finishedAt,
      (await reportExecution(fixture.source, id, { startedAt, finishedAt })).status,
    ]).toEqual([startedAt, finishedAt, status])
  expect((await reportExecution(fixture.source, id, { costMicros: limits.agentCostMicros })).status).toBe(201)
  expect((await reportExecution(fixture.source, id, { costMicros: limits.agentCostMicros + 1 })).status).toBe(
    400,
  )
  expect((await reportExecution(fixture.source, id, { costMicros: -1 })).status).toBe(400)
})

it('accepts only tasks of the agent and visible messages of the application in the channel', async () => {
  const fixture = await createAgentFixture(server)
  const { source, channelId, owner } = fixture
  const [agent, twin] = [await createActiveAgent(fixture), await createActiveAgent(fixture)]
  for (const taskId of [only(twin.tasks).id, newId()])
    expect(statusAndCode(await reportExecution(source, agent.id, { taskId }))).toEqual([
      404,
      'AGENT_TASK_NOT_FOUND',
    ])
  const elsewhere = await createAgentFixture(server)
  const deleted = await message(channelId, source)
  await server.sql('update chat_message set deleted_at = now() where id = $1', [deleted])
  const wrong = [
    newId(),
    deleted,
    await message(channelId, source, { visibility: 'INTERNAL' }),
    await message(channelId, await addApplication(server, fixture)),
    await message(channelId, owner, { kind: 'USER' }),
    await message(elsewhere.channelId, elsewhere.source),
    await message((await createTestChannel(owner)).id, source),
  ]
  for (const messageId of wrong)
    expect(statusAndCode(await reportExecution(source, agent.id, { messageId }))).toEqual([
      404,
      'MESSAGE_NOT_FOUND',
    ])
  expect(await executed(fixture)).toEqual([])
})

it('requires an active agent and access to the channel', async () => {
  const fixture = await createAgentFixture(server)
  const { source } = fixture
  const pending = await propose(fixture)
  expect(statusAndCode(await reportExecution(source, pending.id))).toEqual([409, 'AGENT_NOT_ACTIVE'])
  expect(statusAndCode(await reportExecution(source, newId()))).toEqual([404, 'AGENT_NOT_FOUND'])
  const { id } = await createActiveAgent(fixture)
  await server.sql('update chat_grant set revoked_at = now() where application_id = $1', [source.id])
  expect(statusAndCode(await reportExecution(source, id))).toEqual([404, 'CHANNEL_NOT_FOUND'])
  expect(await executed(fixture)).toEqual([])
})

it('limits reports per hour', async () => {
  const fixture = await createAgentFixture(server)
  const { id } = await createActiveAgent(fixture)
  await reportExecution(fixture.source, id)
  await setUsed(server, limits.agentExecutionsPerHour - 1, {
    bucket: 'agent-executions',
    caller: fixture.source.id,
  })
  const answers = await Promise.all([1, 2, 3].map(() => reportExecution(fixture.source, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429])
})
