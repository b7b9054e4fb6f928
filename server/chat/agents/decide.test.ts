import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  approveAgent,
  listChannelAgents,
  pauseAgent,
  readAgent,
  rejectAgent,
  resumeAgent,
} from '#contract/chat/agents.ts'
import { listOwnAgents, readOwnAgent, withdrawAgent } from '#contract/chat/application-agents.ts'
import { newId } from '#platform/ids.ts'
import {
  addApplication,
  agentEvents,
  agentStreamChanges,
  createActiveAgent,
  createAgentFixture,
  deliveriesTo,
  propose,
  reportExecution,
  statusAndCode,
} from '#tests/support/chat/agents.ts'
import { findIn, itemAt } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const names = async (organizationId: string) =>
  (await agentEvents(server, organizationId)).map(({ name }) => name)
const expire = (id: string) =>
  server.sql(`update chat_agent set expires_at = now() - interval '1 second' where id = $1`, [id])

it('an administrator of the channel approves a proposal once, and the application gets the event without access', async () => {
  const fixture = await createAgentFixture(server)
  const { organization, owner, source } = fixture
  const agent = await propose(fixture)
  await server.sql('update chat_grant set revoked_at = now() where application_id = $1', [source.id])
  const params = { agentId: agent.id }
  const approved = await owner.call(approveAgent, { params })
  expect(approved).toEqual({
    ...agent,
    status: 'ACTIVE',
    decidedAt: expect.any(String),
    updatedAt: expect.any(String),
    application: { id: source.id, slug: source.slug, name: source.name },
    decidedBy: { id: owner.id, displayName: 'Ada Marsh' },
  })
  expect(await source.client.call(readOwnAgent, { params })).toEqual({
    ...agent,
    status: 'ACTIVE',
    decidedAt: approved.decidedAt,
    updatedAt: approved.updatedAt,
  })
  for (const operation of [approveAgent, rejectAgent])
    expect(statusAndCode(await owner.send(operation, { params, body: {} }))).toEqual([
      409,
      'AGENT_NOT_PENDING',
    ])
  const [, notice] = await agentEvents(server, organization.id)
  expect(notice).toEqual({
    name: 'CHAT_AGENT_APPROVED',
    data: {
      channelId: fixture.channelId,
      sequence: 3,
      agentId: agent.id,
      name: agent.name,
      approvedAt: approved.decidedAt,
    },
    about: { applicationId: source.id },
  })
  expect(await deliveriesTo(server, source)).toEqual(['CHAT_AGENT_PENDING_APPROVAL', 'CHAT_AGENT_APPROVED'])
  expect(await agentStreamChanges(server, organization.id)).toHaveLength(2)
})

it('an administrator rejects a proposal with a note for the application', async () => {
  const fixture = await createAgentFixture(server)
  const other = await addApplication(server, fixture)
  const [a, b] = [await propose(fixture), await propose(fixture)]
  const rejected = await fixture.owner.call(rejectAgent, {
    params: { agentId: a.id },
    body: { note: ' Too dear ' },
  })
  expect(rejected).toMatchObject({ status: 'REJECTED', statusReason: 'REJECTED', statusNote: 'Too dear' })
  await fixture.owner.call(rejectAgent, { params: { agentId: b.id } })
  const events = await agentEvents(server, fixture.organization.id)
  expect(events.slice(2).map(({ data }) => data)).toEqual([
    {
      channelId: fixture.channelId,
      sequence: 4,
      agentId: a.id,
      name: a.name,
      reason: 'REJECTED',
      note: 'Too dear',
    },
    {
      channelId: fixture.channelId,
      sequence: 5,
      agentId: b.id,
      name: b.name,
      reason: 'REJECTED',
      note: null,
    },
  ])
  expect(await deliveriesTo(server, other)).toEqual([])
})

it('checks who may see agents and who may decide on them', async () => {
  const fixture = await createAgentFixture(server)
  const { organization, owner, member, source, channelId } = fixture
  await server.sql('update chat_channel set is_discoverable = true where id = $1', [channelId])
  const manager = await organization.person({ permissions: ['CHAT_USE', 'CHAT_APPLICATIONS_MANAGE'] })
  const administrator = await organization.person({ role: 'ADMIN' })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const plain = await organization.person()
  const { id: agentId } = await propose(fixture)
  const params = { agentId }
  const unknown = await manager.send(approveAgent, { params: { agentId: newId() } })
  expect(statusAndCode(unknown)).toEqual([404, 'AGENT_NOT_FOUND'])

  for (const person of [owner, member, administrator]) {
    expect(await person.call(readAgent, { params })).toMatchObject({ id: agentId })
    const { items } = await person.call(listChannelAgents, { params: { id: channelId } })
    expect(items.map(({ id }) => id)).toEqual([agentId])
  }
  // the directory shows the channel without its agents
  for (const person of [manager, stranger, plain]) {
    expect((await person.send(readAgent, { params })).body).toEqual(unknown.body)
    const listed = await person.send(listChannelAgents, { params: { id: channelId } })
    expect(statusAndCode(listed)).toEqual([404, 'CHANNEL_NOT_FOUND'])
  }
  for (const operation of [approveAgent, rejectAgent, pauseAgent, resumeAgent]) {
    for (const person of [manager, stranger])
      expect((await person.send(operation, { params, body: {} })).body).toEqual(unknown.body)
    expect(statusAndCode(await member.send(operation, { params, body: {} }))).toEqual([
      403,
      'CHANNEL_ROLE_REQUIRED',
    ])
    expect(statusAndCode(await plain.send(operation, { params, body: {} }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
  }
  expect(await names(organization.id)).toEqual(['CHAT_AGENT_PENDING_APPROVAL'])
  expect(await administrator.call(approveAgent, { params })).toMatchObject({ status: 'ACTIVE' })

  const other = await addApplication(server, fixture)
  const foreign = await other.client.send(readOwnAgent, { params })
  expect(foreign.body).toEqual(unknown.body)
  expect((await other.client.send(withdrawAgent, { params })).body).toEqual(unknown.body)
  expect((await other.client.call(listOwnAgents)).items).toEqual([])
  expect((await source.client.call(listOwnAgents)).items.map(({ id }) => id)).toEqual([agentId])
})

it('lists are paged, newest first', async () => {
  const fixture = await createAgentFixture(server)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await propose(fixture)).id)
  const listedIds: string[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = await fixture.source.client.call(listOwnAgents, {
      query: { limit: 2, ...(before && { before }) },
    })
    expect(page.items.length).toBeLessThanOrEqual(2)
    listedIds.push(...page.items.map(({ id }) => id))
    before = page.nextBefore
  }
  expect(listedIds).toEqual(ids)
  const query = { before: itemAt(ids, 1) }
  const { items, nextBefore } = await fixture.member.call(listChannelAgents, {
    params: { id: fixture.channelId },
    query,
  })
  expect([items.map(({ id }) => id), nextBefore]).toEqual([ids.slice(2), null])
})

it('of a concurrent approval and rejection, one succeeds', async () => {
  const fixture = await createAgentFixture(server)
  for (let round = 0; round < 5; round++) {
    const params = { agentId: (await propose(fixture)).id }
    const answers = await Promise.all([
      fixture.owner.send(approveAgent, { params }),
      fixture.owner.send(rejectAgent, { params }),
      fixture.owner.send(approveAgent, { params }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const won = findIn(answers, ({ status }) => status === 200).body as { status: string }
    const agent = await fixture.source.client.call(readOwnAgent, { params })
    expect(agent.status).toBe(won.status)
    expect(await names(fixture.organization.id)).toHaveLength(2 * (round + 1))
  }
})

it('an expired proposal reads as rejected and allows no transition', async () => {
  const fixture = await createAgentFixture(server)
  const { id: agentId } = await propose(fixture)
  await expire(agentId)
  const params = { agentId }
  const over = { status: 'REJECTED', statusReason: 'EXPIRED', decidedAt: null }
  expect(await fixture.member.call(readAgent, { params })).toMatchObject(over)
  expect(await fixture.source.client.call(readOwnAgent, { params })).toMatchObject(over)
  expect((await fixture.source.client.call(listOwnAgents)).items).toMatchObject([over])
  for (const operation of [approveAgent, rejectAgent])
    expect(statusAndCode(await fixture.owner.send(operation, { params, body: {} }))).toEqual([
      409,
      'AGENT_NOT_PENDING',
    ])
  expect(await fixture.source.client.call(withdrawAgent, { params })).toMatchObject(over)
})

it('in an archived channel an agent can only be withdrawn', async () => {
  const fixture = await createAgentFixture(server)
  const pending = await propose(fixture)
  const active = await createActiveAgent(fixture)
  const archive = (at: string) =>
    server.sql(`update chat_channel set archived_at = ${at} where id = $1`, [fixture.channelId])
  await archive('now()')
  for (const operation of [approveAgent, rejectAgent, pauseAgent, resumeAgent])
    expect(
      statusAndCode(await fixture.owner.send(operation, { params: { agentId: pending.id }, body: {} })),
    ).toEqual([409, 'CHANNEL_ARCHIVED'])
  expect(statusAndCode(await reportExecution(fixture.source, active.id))).toEqual([409, 'CHANNEL_ARCHIVED'])
  expect(await fixture.source.client.call(withdrawAgent, { params: { agentId: active.id } })).toMatchObject({
    status: 'WITHDRAWN',
  })
  await archive('null')
  expect(await fixture.owner.call(approveAgent, { params: { agentId: pending.id } })).toMatchObject({
    status: 'ACTIVE',
  })
})

it('a paused agent refuses reports until it is resumed', async () => {
  const fixture = await createAgentFixture(server)
  const { id: agentId } = await createActiveAgent(fixture)
  const params = { agentId }
  const { owner } = fixture
  expect(statusAndCode(await owner.send(resumeAgent, { params }))).toEqual([409, 'AGENT_NOT_PAUSED'])
  const paused = await owner.call(pauseAgent, { params })
  expect(paused).toMatchObject({ status: 'PAUSED', statusReason: 'MANUAL', decidedBy: { id: owner.id } })
  expect(statusAndCode(await owner.send(pauseAgent, { params }))).toEqual([409, 'AGENT_NOT_ACTIVE'])
  expect(statusAndCode(await reportExecution(fixture.source, agentId))).toEqual([409, 'AGENT_NOT_ACTIVE'])
  expect(await owner.call(resumeAgent, { params })).toMatchObject({ status: 'ACTIVE', statusReason: null })
  expect((await reportExecution(fixture.source, agentId)).status).toBe(201)
  expect(await agentStreamChanges(server, fixture.organization.id)).toHaveLength(4)
})

it('the application withdraws an agent once', async () => {
  const fixture = await createAgentFixture(server)
  const { source, owner } = fixture
  const [pending, active] = [await propose(fixture), await createActiveAgent(fixture)]
  await server.sql('update chat_grant set revoked_at = now() where application_id = $1', [source.id])
  for (const { id: agentId } of [pending, active]) {
    const withdrawn = await source.client.call(withdrawAgent, { params: { agentId } })
    expect(withdrawn).toMatchObject({ status: 'WITHDRAWN', statusReason: null })
    expect(await source.client.call(withdrawAgent, { params: { agentId } })).toEqual(withdrawn)
  }
  expect(statusAndCode(await owner.send(approveAgent, { params: { agentId: pending.id } }))).toEqual([
    409,
    'AGENT_NOT_PENDING',
  ])
  expect(await names(fixture.organization.id)).toEqual([
    'CHAT_AGENT_PENDING_APPROVAL',
    'CHAT_AGENT_PENDING_APPROVAL',
    'CHAT_AGENT_APPROVED',
  ])
  expect(await agentStreamChanges(server, fixture.organization.id)).toHaveLength(5)
})
