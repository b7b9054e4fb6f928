import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  approveAgent,
  pauseAgent,
  readAgent,
  readAgentBudget,
  resumeAgent,
  setAgentBudget,
} from '#contract/chat/agents.ts'
import { readOwnAgent, readOwnAgentBudget } from '#contract/chat/application-agents.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  type AgentFixture,
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
import { inTurn, only } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const thisMonth = () => new Date().toISOString().slice(0, 7)

/** A fixture with a person who sets the cap. */
async function withCap(capMicros: number | null) {
  const fixture = await createAgentFixture(server)
  const treasurer = await fixture.organization.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  const params = { applicationId: fixture.source.id }
  const setCap = (capMicros: number | null) => treasurer.call(setAgentBudget, { params, body: { capMicros } })
  await setCap(capMicros)
  const statusOf = async (agentId: string) => {
    const { status, statusReason } = await fixture.source.client.call(readOwnAgent, { params: { agentId } })
    return statusReason ? `${status} ${statusReason}` : status
  }
  const exceeded = async () =>
    (await agentEvents(server, fixture.organization.id))
      .filter(({ name }) => name === 'CHAT_AGENT_BUDGET_EXCEEDED')
      .map(({ data }) => data)
  return { ...fixture, treasurer, params, setCap, statusOf, exceeded }
}
/** Moves the recorded month back, as if the next month had started. */
async function nextMonth({ source }: Pick<AgentFixture, 'source'>): Promise<void> {
  const months = await server.sql<{ month: string; previous: string }>(
    `select month, to_char((month || '-01')::date - interval '1 month', 'YYYY-MM') as previous
     from chat_agent_month where application_id = $1`,
    [source.id],
  )
  const { month, previous } = only(months)
  await server.sql('update chat_agent_month set month = $3 where application_id = $1 and month = $2', [
    source.id,
    month,
    previous,
  ])
}

it('records the execution that exceeds the cap, pauses all agents and emits one event', async () => {
  const fixture = await withCap(100)
  const { source, organization, statusOf, exceeded, treasurer, params } = fixture
  const other = await addApplication(server, fixture)
  const [a, b, pending] = [
    await createActiveAgent(fixture),
    await createActiveAgent(fixture),
    await propose(fixture),
  ]
  const others = await createActiveAgent({ ...fixture, source: other })
  expect((await reportExecution(source, a.id, { costMicros: 60 })).status).toBe(201)
  // spending equal to the cap does not exceed it
  expect((await reportExecution(source, b.id, { costMicros: 40 })).status).toBe(201)
  expect([await statusOf(a.id), await exceeded()]).toEqual(['ACTIVE', []])
  const before = (await agentStreamChanges(server, organization.id)).length
  expect((await reportExecution(source, b.id, { costMicros: 5 })).status).toBe(201)

  for (const { id } of [a, b]) {
    expect(await statusOf(id)).toBe('PAUSED BUDGET')
    expect(statusAndCode(await reportExecution(source, id))).toEqual([409, 'AGENT_NOT_ACTIVE'])
    expect(statusAndCode(await fixture.owner.send(resumeAgent, { params: { agentId: id } }))).toEqual([
      409,
      'AGENT_BUDGET_EXCEEDED',
    ])
  }
  expect(await statusOf(pending.id)).toBe('PENDING_APPROVAL')
  expect((await reportExecution(other, others.id, { costMicros: 1_000 })).status).toBe(201)
  expect(await exceeded()).toEqual([
    { month: thisMonth(), capMicros: 100, spentMicros: 105, agentIds: [a.id, b.id] },
  ])
  expect(
    (await deliveriesTo(server, source)).filter(name => name === 'CHAT_AGENT_BUDGET_EXCEEDED'),
  ).toHaveLength(1)
  expect(await deliveriesTo(server, other)).not.toContain('CHAT_AGENT_BUDGET_EXCEEDED')
  const changed = (await agentStreamChanges(server, organization.id)).slice(before)
  expect(changed.map(({ agentId }) => agentId)).toEqual([a.id, b.id])
  const budget = {
    applicationId: source.id,
    capMicros: 100,
    month: thisMonth(),
    spentMicros: 105,
    executions: 3,
    isExceeded: true,
  }
  expect(await treasurer.call(readAgentBudget, { params })).toEqual(budget)
  // approved while the cap is exceeded
  expect(await fixture.owner.call(approveAgent, { params: { agentId: pending.id } })).toMatchObject({
    status: 'PAUSED',
    statusReason: 'BUDGET',
  })
  expect(await source.client.call(readOwnAgentBudget)).toEqual(budget)
})

it('a higher cap resumes the agents and emits another event when it is exceeded', async () => {
  const fixture = await withCap(100)
  const { source, setCap, statusOf, exceeded, organization } = fixture
  const { id } = await createActiveAgent(fixture)
  await reportExecution(source, id, { costMicros: 101 })
  // still below the spending
  await setCap(101 - 1)
  expect(await statusOf(id)).toBe('PAUSED BUDGET')
  expect(await setCap(101)).toMatchObject({ isExceeded: false, spentMicros: 101 })
  expect(await statusOf(id)).toBe('ACTIVE')
  await reportExecution(source, id, { costMicros: 1 })
  expect(await statusOf(id)).toBe('PAUSED BUDGET')
  expect((await exceeded()).map(({ capMicros, spentMicros }) => [capMicros, spentMicros])).toEqual([
    [100, 101],
    [101, 102],
  ])
  await setCap(null)
  expect(await statusOf(id)).toBe('ACTIVE')
  // a lower cap pauses them at once, without a second event for the same cap
  await setCap(50)
  expect(await statusOf(id)).toBe('PAUSED BUDGET')
  expect(await exceeded()).toHaveLength(2)
  // approved, exceeded, raised, exceeded, no cap, lowered; and proposed
  expect(await agentStreamChanges(server, organization.id)).toHaveLength(7)
})

it('a first cap below the spending emits the event at once', async () => {
  const fixture = await withCap(null)
  const { id } = await createActiveAgent(fixture)
  await reportExecution(fixture.source, id, { costMicros: 9 })
  expect(await fixture.setCap(9)).toMatchObject({ isExceeded: false })
  expect(await fixture.exceeded()).toEqual([])
  expect(await fixture.setCap(0)).toMatchObject({ isExceeded: true })
  expect(await fixture.exceeded()).toEqual([
    { month: thisMonth(), capMicros: 0, spentMicros: 9, agentIds: [id] },
  ])
})

it('the next month resumes the agents, except those that a person paused', async () => {
  const fixture = await withCap(100)
  const { source, statusOf, exceeded, owner } = fixture
  const [a, b] = [await createActiveAgent(fixture), await createActiveAgent(fixture)]
  await reportExecution(source, a.id, { costMicros: 200 })
  const paused = await owner.call(pauseAgent, { params: { agentId: b.id } })
  expect(paused).toMatchObject({ status: 'PAUSED', statusReason: 'MANUAL' })
  await nextMonth(fixture)
  expect(await Promise.all([a, b].map(({ id }) => statusOf(id)))).toEqual(['ACTIVE', 'PAUSED MANUAL'])
  expect(await source.client.call(readOwnAgentBudget)).toMatchObject({ spentMicros: 0, isExceeded: false })
  expect((await reportExecution(source, a.id, { costMicros: 100 })).status).toBe(201)
  expect(await owner.call(resumeAgent, { params: { agentId: b.id } })).toMatchObject({ status: 'ACTIVE' })
  expect(await exceeded()).toHaveLength(1)
  // the same cap emits an event in another month
  await reportExecution(source, a.id, { costMicros: 1 })
  expect(await exceeded()).toHaveLength(2)
})

it('an execution of a past month counts there and pauses nothing now', async () => {
  const fixture = await withCap(100)
  const { source, exceeded, statusOf } = fixture
  const { id } = await createActiveAgent(fixture)
  await server.sql(`update chat_agent set decided_at = now() - interval '100 days' where id = $1`, [id])
  const at = new Date(Date.now() - 60 * 86_400_000).toISOString()
  expect((await reportExecution(source, id, { startedAt: at, finishedAt: at, costMicros: 500 })).status).toBe(
    201,
  )
  expect([await statusOf(id), await exceeded()]).toEqual(['ACTIVE', []])
  const rows = await server.sql(
    `select month, spent_micros::int from chat_agent_month
     where application_id = $1 and spent_micros > 0`,
    [source.id],
  )
  expect(rows).toEqual([{ month: at.slice(0, 7), spent_micros: 500 }])
  expect(await source.client.call(readOwnAgentBudget)).toMatchObject({ spentMicros: 0 })
})

it('concurrent reports at two processes are counted exactly and exceed the cap once', async () => {
  const fixture = await withCap(10_000)
  const { source, exceeded } = fixture
  const second = { ...source, client: source.at((await server.anotherApi()).url) }
  const agents = await Promise.all([1, 2, 3, 4].map(() => createActiveAgent(fixture)))
  const many = (count: number, costMicros: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        reportExecution(n % 2 ? source : second, inTurn(agents, n).id, { costMicros }),
      ),
    )
  const within = await many(40, 101)
  expect(within.every(({ status }) => status === 201)).toBe(true)
  expect(await source.client.call(readOwnAgentBudget)).toMatchObject({ spentMicros: 4_040, executions: 40 })
  // of two concurrent reports that exceed the cap, one is recorded and the other is refused
  const crossing = await many(2, 9_000)
  expect(crossing.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(await exceeded()).toHaveLength(1)
  expect(await source.client.call(readOwnAgentBudget)).toMatchObject({ spentMicros: 13_040, executions: 41 })
})

it('a cap that is set during reports emits at most one event', async () => {
  for (let round = 0; round < 5; round++) {
    const fixture = await withCap(null)
    const { source, setCap, exceeded, statusOf } = fixture
    const { id } = await createActiveAgent(fixture)
    const [, ...reports] = await Promise.all([
      setCap(25),
      ...Array.from({ length: 6 }, () => reportExecution(source, id, { costMicros: 10 })),
    ])
    const { spentMicros } = await source.client.call(readOwnAgentBudget)
    expect(spentMicros).toBe(10 * reports.filter(({ status }) => status === 201).length)
    expect(spentMicros).toBeGreaterThan(25)
    expect(await exceeded()).toHaveLength(1)
    expect(await statusOf(id)).toBe('PAUSED BUDGET')
  }
})

it('requires the permission to manage applications of the organization', async () => {
  const { params, owner, treasurer, organization, setCap } = await withCap(5)
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const body = { capMicros: 7 }
  const sends = [
    (person: typeof owner, applicationId: string) =>
      person.send(readAgentBudget, { params: { applicationId } }),
    (person: typeof owner, applicationId: string) =>
      person.send(setAgentBudget, { params: { applicationId }, body }),
  ]
  for (const send of sends) {
    expect(statusAndCode(await send(owner, params.applicationId))).toEqual([403, 'PERMISSION_DENIED'])
    const unknown = await send(treasurer, newId())
    expect(statusAndCode(unknown)).toEqual([404, 'APPLICATION_NOT_FOUND'])
    expect((await send(stranger, params.applicationId)).body).toEqual(unknown.body)
  }
  for (const capMicros of [-1, 1.5, limits.agentCapMicros + 1])
    expect((await treasurer.send(setAgentBudget, { params, body: { capMicros } })).status).toBe(400)
  await setCap(5)
  await setCap(limits.agentCapMicros)
  await server.relayed()
  const audit = await server.sql<{ changed: string[] }>(
    'select changed from audit where organization_id = $1 and subject = $2 order by seq',
    [organization.id, params.applicationId],
  )
  expect(audit.map(({ changed }) => changed)).toEqual([['capMicros'], [], ['capMicros']])
})

it('everybody who may see an agent sees why it is paused', async () => {
  const fixture = await withCap(1)
  const { id } = await createActiveAgent(fixture)
  await reportExecution(fixture.source, id, { costMicros: 2 })
  expect(await fixture.member.call(readAgent, { params: { agentId: id } })).toMatchObject({
    status: 'PAUSED',
    statusReason: 'BUDGET',
  })
})
