import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedDemo } from '#server/identity/area.ts'
import { integrationArea } from '#server/integrations/area.ts'
import { eventsIn } from '#tests/support/chat/chat.ts'
import { exactly, findIn, firstOf, only } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { chatArea } from './area.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

it('seeds channels, a thread, a mention and, if the plan includes it, an application with an agent', async () => {
  const { services, identity } = server.api
  const seeds = [integrationArea, chatArea].flatMap(({ seed }) => (seed ? [seed(services)] : []))
  const { organizations } = await seedDemo(services.database, identity.signIn, seeds)
  const channels = await server.sql<{ id: string; name: string; of: string; people: number }>(
    `select c.id, c.name, c.organization_id as of, count(*)::int as people
     from chat_channel c join chat_member m on m.organization_id = c.organization_id and m.channel_id = c.id
     group by c.id, c.name, c.organization_id order by c.id`,
  )
  const [acme, borealis] = exactly(2, organizations)
  const namesOf = (of: string) =>
    channels.flatMap(channel => (channel.of === of ? [channel.name] : [])).sort()
  expect([namesOf(acme.id), namesOf(borealis.id)]).toEqual([
    ['General', 'Launch', 'Support'],
    ['General', 'Launch'],
  ])
  expect(findIn(channels, ({ of }) => of === acme.id).people).toBe(acme.people.length)
  expect(await server.sql('select reply_count from chat_message where reply_count > 0')).toEqual([
    { reply_count: 2 },
    { reply_count: 2 },
  ])
  const mentioned = await server.sql('select distinct kind from chat_mention order by 1')
  expect(mentioned).toEqual([{ kind: 'APP' }, { kind: 'USER' }])
  const agent = only(
    await server.sql<{ channel_id: string; application_id: string; status: string }>(
      'select channel_id, application_id, status from chat_agent',
    ),
  )
  expect(agent).toMatchObject({ application_id: firstOf(acme.applications).id, status: 'PENDING_APPROVAL' })
  const names = (await eventsIn(server, agent.channel_id)).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['CHAT_MEMBER_ADDED', 'CHAT_AGENT_PENDING_APPROVAL']))
})
