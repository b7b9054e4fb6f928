import { approveAgent, pauseAgent } from '#contract/chat/agents.ts'
import { proposeAgent, reportAgentExecution } from '#contract/chat/application-agents.ts'
import { newId } from '#platform/ids.ts'
import { createTestChannel, insertTestGrant } from '#tests/support/chat/chat.ts'
import { only } from '#tests/support/elements.ts'
import type { TestApplication } from '#tests/support/integrations/applications.ts'
import { insertRows } from '#tests/support/rows.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** The calling application of the home, and a channel to which it has access. */
async function inChannel(home: Home): Promise<{ source: TestApplication; channelId: string }> {
  const { server, owner, secret } = home
  const source = await ownApplication(server, owner)
  const { id: channelId } = await createTestChannel(owner, { name: `Channel ${secret}` })
  await insertTestGrant(server, channelId, source, owner)
  // withdraws the oldest agents, because their number is limited
  await server.sql(
    `update chat_agent set status = 'WITHDRAWN' where application_id = $1 and id in (
       select id from chat_agent where application_id = $1 order by id desc offset 50)`,
    [source.id],
  )
  return { source, channelId }
}

async function proposed(home: Home) {
  const { source, channelId } = await inChannel(home)
  const text = `For ${home.secret}`
  const { id: agentId, tasks } = await source.client.call(proposeAgent, {
    params: { channelId },
    body: {
      name: `Agent ${home.secret}`,
      description: text,
      purpose: text,
      tasks: [{ name: `Task ${home.secret}`, schedule: '0 9 * * 1-5', timeZone: 'Europe/Madrid' }],
    },
  })
  return { source, channelId, agentId, taskId: only(tasks).id }
}

// a fixed time, because different times would distinguish two organizations
const times = { startedAt: '2026-01-05T09:00:00.000Z', finishedAt: '2026-01-05T09:00:04.000Z' }

async function active(home: Home) {
  const made = await proposed(home)
  const { agentId } = made
  await home.owner.call(approveAgent, { params: { agentId } })
  await home.server.sql(`update chat_agent set decided_at = '2026-01-01' where id = $1`, [agentId])
  return made
}

async function executed(home: Home) {
  const { source, agentId } = await active(home)
  await source.client.call(reportAgentExecution, {
    params: { agentId },
    body: { ...times, status: 'FAILED', costMicros: 10, summary: `For ${home.secret}` },
  })
  return { agentId }
}

/** A message that the application published in the channel. */
async function published(
  { server, secret }: Home,
  { id, organizationId }: TestApplication,
  channelId: string,
) {
  const messageId = newId()
  await insertRows(server, 'chat_message', [
    {
      organization_id: organizationId,
      id: messageId,
      channel_id: channelId,
      seq: 1,
      author_kind: 'APP',
      author_id: id,
      content: `For ${secret}`,
    },
  ])
  return messageId
}

const onProposal: Fixture = async home => ({ params: { agentId: (await proposed(home)).agentId } })
// sorts after every id, and is the same in every home
const before = `c${'z'.repeat(24)}`
const pages = (params: Record<string, unknown> = {}): Call[] => [
  { params, query: { limit: 100 } },
  { params, query: { limit: 100, before } },
]

/** Valid calls of the agent operations; see fixtures.ts. */
export const chatAgentFixtures: Record<string, Fixture> = {
  proposeAgent: async home => ({
    params: { channelId: (await inChannel(home)).channelId },
    body: {
      name: home.name('Agent'),
      description: `For ${home.mark}`,
      purpose: `It works for ${home.mark}`,
      tasks: [{ name: home.name('Task'), schedule: '*/15 * * * *', timeZone: 'UTC' }],
    },
  }),
  listOwnAgents: async home => {
    await proposed(home)
    return pages()
  },
  readOwnAgentBudget: async home => {
    await executed(home)
    return {}
  },
  readOwnAgent: onProposal,
  withdrawAgent: onProposal,
  reportAgentExecution: async home => {
    const { source, channelId, agentId, taskId } = await active(home)
    const messageId = await published(home, source, channelId)
    const body = { ...times, status: 'SUCCEEDED', costMicros: 10, summary: `For ${home.mark}` }
    return { params: { agentId }, body: { ...body, taskId, messageId } }
  },
  listOwnAgentExecutions: async home => pages(await executed(home)),
  listChannelAgents: async home => {
    const { channelId: id } = await proposed(home)
    return pages({ id })
  },
  listAgents: async home => {
    await proposed(home)
    return [{ query: { limit: 100, before, status: 'PENDING_APPROVAL' } }]
  },
  readAgent: onProposal,
  listAgentExecutions: async home => pages(await executed(home)),
  approveAgent: onProposal,
  rejectAgent: async home => ({
    params: { agentId: (await proposed(home)).agentId },
    body: { note: `Not for ${home.mark}` },
  }),
  pauseAgent: async home => ({ params: { agentId: (await active(home)).agentId } }),
  resumeAgent: async home => {
    const { agentId } = await active(home)
    await home.owner.call(pauseAgent, { params: { agentId } })
    return { params: { agentId } }
  },
  readAgentBudget: async home => ({ params: { applicationId: (await inChannel(home)).source.id } }),
  setAgentBudget: async home => ({
    params: { applicationId: (await inChannel(home)).source.id },
    body: { capMicros: 1_000_000 },
  }),
}
