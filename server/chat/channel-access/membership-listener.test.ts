import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approveAgent, listChannelAgents, readAgent } from '#contract/chat/agents.ts'
import {
  createPortalConversation,
  listOwnChannels,
  openDirectConversation,
  readChannel,
} from '#contract/chat/channels.ts'
import { listGrants, listPastGrants, putGrant, revokeGrant } from '#contract/chat/grants.ts'
import { addChannelMember, joinChannel, leaveChannel, removeChannelMember } from '#contract/chat/members.ts'
import { removeMember, updateMember } from '#contract/identity/organization.ts'
import { updateRole } from '#contract/identity/roles.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import type { Permission } from '#contract/permissions.ts'
import { agentStreamChanges, createActiveAgent, propose } from '#tests/support/chat/agents.ts'
import { createTestChannel, eventsIn } from '#tests/support/chat/chat.ts'
import { only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let administrator: Person
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  administrator = await organization.person({ role: 'OWNER' })
  owner = await organization.person({ role: 'ADMIN' })
})
afterAll(() => server?.close())

const leavesOrganization = ({ id: personId }: Person) =>
  administrator.send(removeMember, { params: { personId } })
const returns = ({ id }: Person) =>
  server.sql('update membership set removed_at = null where person_id = $1', [id])
/** The member events of people or of applications in a channel, in order. */
const eventNamesOf = async (channelId: string, of: RegExp) =>
  (await eventsIn(server, channelId)).flatMap(({ name }) => (of.test(name) ? [name] : []))

describe('a person who leaves the organization', () => {
  const personIn = () => organization.person({ permissions: ['CHAT_USE', 'CHAT_CHANNELS_CREATE'] })

  it('leaves channels, groups and portals, and is in none of them after returning', async () => {
    const [leaver, other] = [await personIn(), await organization.person()]
    const memberIds = [leaver.id]
    const { id } = await createTestChannel(owner, { memberIds })
    const group = await createTestChannel(owner, { type: 'GROUP', memberIds })
    const ownChannel = await createTestChannel(leaver)
    const portal = await owner.call(createPortalConversation, {
      body: { customerReference: 'C-1', name: 'Customer', memberIds },
    })
    const direct = await other.call(openDirectConversation, { body: { personIds: memberIds } })
    expect((await leavesOrganization(leaver)).status).toBe(204)
    for (const channelId of [id, group.id, ownChannel.id, portal.id])
      expect((await eventsIn(server, channelId)).at(-1)).toMatchObject({
        name: 'chat.member.removed',
        actor_id: administrator.id,
        data: { channelId, personId: leaver.id },
      })
    expect(await eventNamesOf(direct.id, /removed/)).toEqual([])

    await returns(leaver)
    const { items } = await leaver.call(listOwnChannels, {})
    expect(items.map(channel => channel.id)).toEqual([direct.id])
    expect((await leaver.send(readChannel, { params: { id } })).status).toBe(404)
  })

  it('is in no channel that they created, joined or were added to at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const leaver = await personIn()
      const open = () => createTestChannel(owner, { isDiscoverable: true })
      const [{ id }, { id: joined }] = await Promise.all([open(), open()])
      const [added, entered] = await Promise.all([
        owner.send(addChannelMember, { params: { id }, body: { personId: leaver.id } }),
        leaver.send(joinChannel, { params: { id: joined } }),
        leavesOrganization(leaver),
        createTestChannel(leaver).catch(() => {}),
      ])
      expect([201, 404]).toContain(added.status)
      expect([201, 401, 404]).toContain(entered.status)
      expect(await server.sql('select 1 from chat_member where person_id = $1', [leaver.id])).toEqual([])
      const expected = ['chat.member.added', 'chat.member.removed']
      expect(await eventNamesOf(id, /^chat\.member/)).toEqual(added.status === 201 ? expected : [])
      expect(await eventNamesOf(joined, /^chat\.member/)).toEqual(entered.status === 201 ? expected : [])
    }
  })
})

describe('an application', () => {
  const mayGrant: Permission[] = ['CHAT_USE', 'CHAT_APPLICATIONS_MANAGE']
  let grantor: Person
  let app: TestApplication
  let id: string
  const events = () => eventNamesOf(id, /^CHAT_MEMBER/)
  const at = () => ({ id, applicationId: app.id })
  const grant = (who = grantor) => who.send(putGrant, { params: at(), body: { capabilities: [] } })
  const effective = async () => (await owner.call(listGrants, { params: { id } })).items[0]?.isEffective
  const member = () => ({ id, personId: grantor.id })
  const roleOf = async () =>
    only(
      await server.sql<{ id: string }>('select custom_role_id as id from membership where person_id = $1', [
        grantor.id,
      ]),
    ).id
  const added = () =>
    owner.send(addChannelMember, { params: { id }, body: { personId: grantor.id, role: 'ADMIN' } })
  beforeEach(async () => {
    grantor = await organization.person({ permissions: mayGrant })
    app = await makeApplication(server, organization, {
      principal: administrator,
      scopes: ['chat:agents:manage'],
    })
    id = (await createTestChannel(owner)).id
    await added()
    expect((await grant()).status).toBe(200)
  })

  const endings: [string, () => Promise<unknown>, (() => Promise<unknown>)?][] = [
    ['is removed from the channel', () => owner.call(removeChannelMember, { params: member() }), added],
    ['leaves the channel', () => grantor.call(leaveChannel, { params: { id } }), added],
    ['leaves the organization', () => leavesOrganization(grantor)],
    [
      'has a role that loses permissions',
      async () =>
        administrator.call(updateRole, { params: { id: await roleOf() }, body: { permissions: [] } }),
      async () =>
        administrator.call(updateRole, { params: { id: await roleOf() }, body: { permissions: mayGrant } }),
    ],
    [
      'gets another role',
      async () => {
        const other = await organization.person({ permissions: ['CHAT_CHANNELS_EDIT'] })
        const rows = await server.sql<{ id: string }>(
          'select custom_role_id as id from membership where person_id = $1',
          [other.id],
        )
        await administrator.call(updateMember, {
          params: { personId: grantor.id },
          body: { role: 'CUSTOM', roleId: only(rows).id },
        })
      },
      () => administrator.call(updateMember, { params: { personId: grantor.id }, body: { role: 'ADMIN' } }),
    ],
  ]
  it.each(endings)('loses and regains access when its grantor %s', async (_, end, restore) => {
    expect(await events()).toEqual(['CHAT_MEMBER_ADDED'])
    await end()
    expect([await effective(), await events()]).toEqual([false, ['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED']])
    expect((await eventsIn(server, id)).at(-1)).toMatchObject({
      data: { channelId: id, application: { id: app.id, slug: app.slug } },
      about: { channelId: id, applicationId: app.id },
    })
    if (restore) await restore()
    else expect((await grant(owner)).status).toBe(200)
    const all = ['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED', 'CHAT_MEMBER_ADDED']
    expect([await effective(), await events()]).toEqual([true, all])
  })

  it('that has lost access emits no second event when its grant is revoked', async () => {
    await owner.call(removeChannelMember, { params: member() })
    await owner.call(revokeGrant, { params: at() })
    expect(await events()).toEqual(['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED'])
  })

  it('emits one CHAT_MEMBER_REMOVED for concurrent causes', async () => {
    await Promise.all([
      leavesOrganization(grantor),
      owner.send(removeChannelMember, { params: member() }),
      owner.send(revokeGrant, { params: at() }),
      administrator.send(removeApplication, { params: { id: app.id } }),
    ])
    expect(await events()).toEqual(['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED'])
  })

  it('emits the final state when it gets a grant while its grantor leaves', async () => {
    for (let round = 0; round < 6; round++) {
      const leaver = await organization.person({ role: 'ADMIN' })
      id = (await createTestChannel(owner, { memberIds: [leaver.id] })).id
      const [granted] = await Promise.all([grant(leaver), leavesOrganization(leaver)])
      const expected = ['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED']
      expect(await events()).toEqual(granted.status === 200 ? expected : [])
    }
  })

  it('that is deleted loses its grants and agents, whose history stays readable', async () => {
    const fixture = { organization, channelId: id, owner, member: owner, source: app }
    const [pending, active, late] = [
      await propose(fixture),
      await createActiveAgent(fixture),
      await propose(fixture),
    ]
    await administrator.call(removeApplication, { params: { id: app.id } })
    expect(await events()).toEqual(['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED'])
    expect((await owner.call(listGrants, { params: { id } })).items).toEqual([])
    const past = await owner.call(listPastGrants, { params: { id }, query: { limit: 10 } })
    expect(past.items).toMatchObject([{ application: { id: app.id }, revokedAt: expect.any(String) }])

    const agents = await owner.call(listChannelAgents, { params: { id }, query: { limit: 10 } })
    expect(agents.items.map(({ status }) => status)).toEqual(['WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN'])
    const changed = (await agentStreamChanges(server, organization.id))
      .slice(-3)
      .map(({ agentId }) => agentId)
    expect(changed.sort()).toEqual([pending.id, active.id, late.id].sort())
    const params = { agentId: pending.id }
    expect(await owner.send(approveAgent, { params })).toMatchObject({
      status: 409,
      body: { errorCode: 'AGENT_NOT_PENDING' },
    })
    expect(await owner.call(readAgent, { params })).toMatchObject({ application: { id: app.id } })
  })

  it('that is deleted during proposals and approvals leaves no active agent', async () => {
    const fixture = { organization, channelId: id, owner, member: owner, source: app }
    const { id: agentId } = await propose(fixture)
    await Promise.all([
      propose(fixture).catch(() => {}),
      owner.send(approveAgent, { params: { agentId } }),
      administrator.send(removeApplication, { params: { id: app.id } }),
    ])
    const rows = await server.sql('select distinct status from chat_agent where application_id = $1', [
      app.id,
    ])
    expect(rows).toEqual([{ status: 'WITHDRAWN' }])
  })
})
