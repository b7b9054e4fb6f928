import { afterAll, beforeAll, expect, it } from 'vitest'
import { approveAgent } from '#contract/chat/agents.ts'
import { readOwnAgent } from '#contract/chat/application-agents.ts'
import {
  agentEvents,
  agentStreamChanges,
  createActiveAgent,
  createAgentFixture,
  deliveriesTo,
  propose,
} from '#tests/support/chat/agents.ts'
import { firstOf } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { expireProposals } from './agent-expiry.sql.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const expire = (ids: string[]) =>
  server.sql(`update chat_agent set expires_at = now() - interval '1 second' where id = any($1)`, [ids])

it('rejects an expired proposal and emits one event, even with several workers', async () => {
  const fixture = await createAgentFixture(server)
  const over = [await propose(fixture), await propose(fixture), await propose(fixture)]
  const [pending, active] = [await propose(fixture), await createActiveAgent(fixture)]
  await expire([...over, active].map(({ id }) => id))
  const { database } = server.api.services
  const before = (await agentStreamChanges(server, fixture.organization.id)).length
  // in addition to the worker of the test server
  expect(await expireProposals(database, 1)).toBeLessThanOrEqual(1)
  await Promise.all([1, 2, 3].map(() => expireProposals(database)))
  expect(await expireProposals(database)).toBe(0)

  const events = (await agentEvents(server, fixture.organization.id)).filter(
    ({ name }) => name === 'CHAT_AGENT_REJECTED',
  )
  const notice = (agent: (typeof over)[number]) => ({
    name: 'CHAT_AGENT_REJECTED',
    data: {
      channelId: fixture.channelId,
      sequence: expect.any(Number),
      agentId: agent.id,
      name: agent.name,
      reason: 'EXPIRED',
      note: null,
    },
    about: { applicationId: fixture.source.id },
  })
  expect(events).toHaveLength(3)
  expect(events).toEqual(expect.arrayContaining(over.map(notice)))
  expect(await agentStreamChanges(server, fixture.organization.id)).toHaveLength(before + 3)
  expect(
    (await deliveriesTo(server, fixture.source)).filter(name => name === 'CHAT_AGENT_REJECTED'),
  ).toHaveLength(3)
  const statuses = await Promise.all(
    [firstOf(over), pending, active].map(({ id }) =>
      fixture.source.client.call(readOwnAgent, { params: { agentId: id } }),
    ),
  )
  expect(statuses.map(({ status, statusReason }) => [status, statusReason])).toEqual([
    ['REJECTED', 'EXPIRED'],
    ['PENDING_APPROVAL', null],
    ['ACTIVE', null],
  ])
})

it('the worker emits the event within 15 seconds', async () => {
  const fixture = await createAgentFixture(server)
  await expire([(await propose(fixture)).id])
  const isEmitted = async () => (await deliveriesTo(server, fixture.source)).includes('CHAT_AGENT_REJECTED')
  await until('the event is emitted', isEmitted)
})

it('a proposal that is approved at the last moment is not rejected too', async () => {
  const fixture = await createAgentFixture(server)
  const agents = await Promise.all(Array.from({ length: 12 }, () => propose(fixture)))
  await server.sql(
    `update chat_agent set expires_at = now() + make_interval(secs => case when n < 10 then (n - 4) * 0.02 else 3600 end)
     from unnest($1::text[]) with ordinality g (of, n) where id = of`,
    [agents.map(({ id }) => id)],
  )
  const { database } = server.api.services
  let isDone = false
  const ending = (async () => {
    while (!isDone) await expireProposals(database)
  })()
  for (const { id: agentId } of agents) await fixture.owner.send(approveAgent, { params: { agentId } })
  isDone = true
  await ending
  await expireProposals(database)
  const events = (await agentEvents(server, fixture.organization.id)).filter(({ name }) =>
    ['CHAT_AGENT_APPROVED', 'CHAT_AGENT_REJECTED'].includes(name),
  )
  expect(events.map(({ data }) => data.agentId).sort()).toEqual(agents.map(({ id }) => id).sort())
  expect(new Set(events.map(({ name }) => name)).size).toBe(2)
})
