import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '#platform/data/db.ts'
import { type AgentFixture, createAgentFixture } from '#tests/support/chat/agents.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { insertMany } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { agentsOfApplication, agentsOfChannel } from './agent.sql.ts'
import { activeAgents } from './budget/agent-budget.sql.ts'
import { executionsOf } from './executions/execution.sql.ts'

// 20,000 agents of one application in one channel, one with 50,000 executions: a page reads only the rows that it shows

let server: TestServer
let plans: Plans
let fixture: AgentFixture
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  fixture = await createAgentFixture(server)
  const { organization, channelId, source } = fixture
  const idOf = (n: number) => `a${String(n).padStart(6, '0')}`
  await insertMany(server, 'chat_agent', 20_000, n => ({
    organization_id: organization.id,
    id: idOf(n),
    channel_id: channelId,
    application_id: source.id,
    status: n <= 50 ? 'ACTIVE' : 'WITHDRAWN',
  }))
  await insertMany(server, 'chat_agent_execution', 50_000, n => ({
    organization_id: organization.id,
    id: `x${String(n).padStart(6, '0')}`,
    agent_id: idOf(1),
    application_id: source.id,
  }))
  await server.sql('vacuum analyze chat_agent, chat_agent_execution')
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

const blocksOf = (read: (db: Tx) => Promise<unknown>) => plans.blocksOf(fixture.organization.id, read)

it.each([null, 'a010000'])('pages of agents before %s', async before => {
  const { channelId, source } = fixture
  expect(await blocksOf(db => agentsOfChannel(db, channelId, before, 21))).toBeLessThan(250)
  expect(await blocksOf(db => agentsOfApplication(db, source.id, before, 21))).toBeLessThan(250)
})

it.each([null, 'x025000'])('a page of executions before %s', async before => {
  expect(await blocksOf(db => executionsOf(db, 'a000001', before, 21))).toBeLessThan(20)
})

it('the active agents of an application, among many in terminal states', async () => {
  expect(await blocksOf(db => activeAgents(db, fixture.source.id))).toBeLessThan(60)
})
