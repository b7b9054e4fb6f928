import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { approveAgent, listAgents, pauseAgent, rejectAgent, setAgentBudget } from '#contract/chat/agents.ts'
import { archiveChannel } from '#contract/chat/channels.ts'
import type { Input } from '#contract/operation.ts'
import type { Caller } from '#platform/http/caller.ts'
import {
  type AgentFixture,
  createActiveAgent,
  createAgentFixture,
  propose,
  reportExecution,
} from '#tests/support/chat/agents.ts'
import { createTestChannel, insertTestGrant } from '#tests/support/chat/chat.ts'
import { openPlans } from '#tests/support/plans.ts'
import { insertMany } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { openAgents } from './agent-list.sql.ts'

let server: TestServer
let fixture: AgentFixture
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
})
beforeEach(async () => {
  fixture = await createAgentFixture(server)
})
afterAll(() => server.close())

const list = (person: Person, query: Input<typeof listAgents>['query'] = {}) =>
  person.call(listAgents, { query })
const idsOf = async (person: Person, query: Input<typeof listAgents>['query'] = {}) =>
  (await list(person, query)).items.map(({ id }) => id)

it('lists the agents of all channels of the caller, with what a decision needs', async () => {
  const { organization, owner, member, source, channelId } = fixture
  const first = await propose(fixture)
  const other = await createTestChannel(owner, { name: 'Orders' })
  await insertTestGrant(server, other.id, source, owner)
  const second = await propose({ ...fixture, channelId: other.id }, { name: 'Order report' })
  const { items, nextBefore } = await list(owner)
  expect(nextBefore).toBe(null)
  expect(items.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(items[0]).toMatchObject({
    name: 'Order report',
    status: 'PENDING_APPROVAL',
    expiresAt: second.expiresAt,
    tasks: second.tasks,
    application: { id: source.id },
    channel: { id: other.id, name: 'Orders' },
    mayDecide: true,
    budget: null,
  })
  // a member sees the agents of the shared channel and decides on none
  expect((await list(member)).items).toMatchObject([
    { id: first.id, channel: { id: channelId }, mayDecide: false },
  ])
  expect(await idsOf(await organization.person())).toEqual([])
  const admin = await organization.person({ role: 'ADMIN' })
  expect((await list(admin)).items).toMatchObject([
    { id: second.id, mayDecide: true, budget: { capMicros: null, spentMicros: 0, executions: 0 } },
    { id: first.id, mayDecide: true },
  ])
  const page = await list(admin, { limit: 1 })
  expect(page).toMatchObject({ items: [{ id: second.id }], nextBefore: second.id })
  expect(await idsOf(admin, { before: second.id })).toEqual([first.id])
  await organization
    .person({ role: 'OWNER' })
    .then(it => it.call(archiveChannel, { params: { id: other.id } }))
  expect((await list(owner)).items[0]).toMatchObject({ id: second.id, mayDecide: false })
})

it('filters by the current status, and leaves out rejected, expired and withdrawn agents', async () => {
  const { organization, owner, source } = fixture
  const pending = await propose(fixture)
  const active = await createActiveAgent(fixture)
  const paused = await createActiveAgent(fixture)
  await owner.call(pauseAgent, { params: { agentId: paused.id } })
  const rejected = await propose(fixture)
  await owner.call(rejectAgent, { params: { agentId: rejected.id } })
  const expired = await propose(fixture)
  await server.sql(`update chat_agent set expires_at = now() where id = $1`, [expired.id])
  expect(await idsOf(owner)).toEqual([paused.id, active.id, pending.id])
  expect(await idsOf(owner, { status: 'PENDING_APPROVAL' })).toEqual([pending.id])
  expect(await idsOf(owner, { status: 'ACTIVE' })).toEqual([active.id])
  expect(await idsOf(owner, { status: 'PAUSED' })).toEqual([paused.id])

  // over its budget, an active agent is paused
  const admin = await organization.person({ role: 'ADMIN' })
  expect((await reportExecution(source, active.id, { costMicros: 70 })).status).toBe(201)
  await admin.call(setAgentBudget, { params: { applicationId: source.id }, body: { capMicros: 50 } })
  expect(await idsOf(owner, { status: 'ACTIVE' })).toEqual([])
  expect((await list(admin, { status: 'PAUSED' })).items).toMatchObject([
    { id: paused.id, statusReason: 'MANUAL' },
    { id: active.id, statusReason: 'BUDGET', budget: { capMicros: 50, spentMicros: 70, executions: 1 } },
  ])
  await owner.call(approveAgent, { params: { agentId: pending.id } })
  expect(await idsOf(owner, { status: 'PAUSED' })).toEqual([paused.id, active.id, pending.id])
})

it('shows no agent of another organization', async () => {
  await propose(fixture)
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(await list(stranger)).toEqual({ items: [], nextBefore: null })
})

it('reads none of the agents that are rejected or withdrawn', async () => {
  const { organization, channelId, source, owner } = fixture
  await propose(fixture)
  await insertMany(server, 'chat_agent', 20_000, n => ({
    organization_id: organization.id,
    id: `b${String(n).padStart(6, '0')}`,
    channel_id: channelId,
    application_id: source.id,
    status: 'WITHDRAWN',
  }))
  await server.sql('vacuum analyze chat_agent')
  const plans = await openPlans(server.config.databaseUrl)
  try {
    const caller = { personId: owner.id, isAdministrator: false } as Caller
    const blocks = await plans.blocksOf(organization.id, db => openAgents(db, caller, null, null, 21))
    expect(blocks).toBeLessThan(60)
  } finally {
    await plans.close()
  }
})
