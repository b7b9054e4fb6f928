import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listGrants, listPastGrants, putGrant, revokeGrant } from '#contract/chat/grants.ts'
import { joinChannel } from '#contract/chat/members.ts'
import { type GrantCapability, grantCapabilities } from '#contract/chat/shapes.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  auditEntriesOf,
  createTestChannel,
  eventsIn,
  insertGrants,
  insertTestGrant,
} from '#tests/support/chat/chat.ts'
import { insertChannelMembers } from '#tests/support/chat/many-channels.ts'
import { defined, findIn, mapAll, only } from '#tests/support/elements.ts'
import {
  makeApplication,
  plantApplications,
  type TestApplication,
} from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const [organize, members] = grantCapabilities

let server: TestServer
let organization: Organization
let owner: Person
let admin: Person
let app: TestApplication
let channelId: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  admin = await organization.person({ role: 'ADMIN', name: 'Ada Admin' })
  owner = await organization.person({
    permissions: [
      'CHAT_USE',
      'CHAT_CHANNELS_CREATE',
      'CHAT_CHANNELS_EDIT',
      'CHAT_MEMBERS_ADD',
      'CHAT_APPLICATIONS_MANAGE',
    ],
    name: 'Olga Owner',
  })
})
beforeEach(async () => {
  app = await makeApplication(server, organization, { principal: admin, name: 'Bot' })
  channelId = (await createTestChannel(owner, { memberIds: [admin.id] })).id
})
afterAll(() => server.close())

const at = () => ({ id: channelId, applicationId: app.id })
const put = (who: Person, capabilities: GrantCapability[] = [], isMember?: boolean) =>
  who.send(putGrant, { params: at(), body: { capabilities, ...(isMember !== undefined && { isMember }) } })
const listed = async (who = owner) => (await who.call(listGrants, { params: { id: channelId } })).items
const past = (query: { before?: string; limit?: number } = {}) =>
  owner.call(listPastGrants, { params: { id: channelId }, query })

describe('granting', () => {
  it('grants access on behalf of the caller', async () => {
    const granted = await put(owner, [members, organize])
    expect(granted).toMatchObject({
      status: 200,
      body: {
        application: { id: app.id, slug: app.slug, name: 'Bot', status: 'ACTIVE' },
        capabilities: [organize, members],
        isMember: true,
        grantedBy: { id: owner.id, displayName: 'Olga Owner' },
        isEffective: true,
        obstacle: null,
        effectiveCapabilities: [organize, members],
      },
    })
    expect(await listed()).toEqual([granted.body])
    const other = { channelId, application: { id: app.id, slug: app.slug } }
    expect((await eventsIn(server, channelId)).slice(2)).toMatchObject([
      { name: 'chat.application.changed', data: { channelId, applicationId: app.id }, about: null },
      { name: 'CHAT_MEMBER_ADDED', data: other, about: { channelId, applicationId: app.id } },
    ])
    expect((await auditEntriesOf(server, channelId)).at(-1)).toEqual({
      operation: 'PUT /api/chat/channels/:id/applications/:applicationId',
      actor_id: owner.id,
      changed: ['applications'],
      detail: {
        applicationId: app.id,
        before: null,
        after: { grantorId: owner.id, capabilities: [organize, members], isMember: true },
      },
    })
  })

  it('changes nothing and emits nothing for an identical grant', async () => {
    const first = await put(owner, [organize])
    const eventsBefore = (await eventsIn(server, channelId)).length
    expect((await put(owner, [organize])).body).toEqual(first.body)
    expect(await eventsIn(server, channelId)).toHaveLength(eventsBefore)
    expect((await past()).items).toHaveLength(1)
  })

  it('makes the caller the grantor and keeps the previous grant as history', async () => {
    await put(owner, [organize])
    expect((await put(admin, [organize])).body).toMatchObject({
      grantedBy: { id: admin.id },
      isEffective: true,
    })
    expect((await past()).items).toMatchObject([
      { grantedBy: { id: admin.id }, revokedBy: null, revokedAt: null },
      { grantedBy: { id: owner.id }, revokedBy: { id: admin.id, displayName: 'Ada Admin' } },
    ])
    // it had access all the time
    expect(
      (await eventsIn(server, channelId)).filter(({ name }) => name.startsWith('CHAT_MEMBER')),
    ).toHaveLength(1)
  })

  it('removes an application from the channel while it keeps its grant, and adds it again', async () => {
    await put(owner, [organize])
    expect((await put(owner, [organize], false)).body).toMatchObject({
      isMember: false,
      isEffective: false,
      obstacle: 'NOT_A_MEMBER',
      effectiveCapabilities: [organize],
    })
    await put(owner, [organize], true)
    expect(
      (await eventsIn(server, channelId))
        .map(({ name }) => name)
        .filter(name => name.startsWith('CHAT_MEMBER')),
    ).toEqual(['CHAT_MEMBER_ADDED', 'CHAT_MEMBER_REMOVED', 'CHAT_MEMBER_ADDED'])
  })

  it('creates one grant for concurrent requests', async () => {
    const answers = await Promise.all([owner, admin, owner, admin].map(who => put(who, [members])))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await listed()).toHaveLength(1)
  })

  it('refuses unknown, deleted and foreign applications with the same error', async () => {
    const foreign = await makeApplication(server, await server.organization())
    const gone = await makeApplication(server, organization, { principal: admin })
    await admin.call(removeApplication, { params: { id: gone.id } })
    const answers = await mapAll([newId(), foreign.id, gone.id], applicationId =>
      owner.send(putGrant, { params: { id: channelId, applicationId }, body: { capabilities: [] } }),
    )
    for (const { status, body, text } of answers) {
      expect([status, body]).toMatchObject([404, { errorCode: 'APPLICATION_NOT_FOUND' }])
      expect(text).toBe(answers[0].text)
    }
  })

  it('enforces the limit of grants per channel', async () => {
    const applicationIds = await plantApplications(
      server,
      organization.id,
      owner,
      limits.grantsPerChannel - 1,
    )
    await insertGrants(server, organization.id, channelId, applicationIds, owner)
    const more = await Promise.all(
      [1, 2].map(() => makeApplication(server, organization, { principal: admin })),
    )
    const answers = await Promise.all(
      more.map(({ id: applicationId }) =>
        owner.send(putGrant, { params: { id: channelId, applicationId }, body: { capabilities: [] } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(findIn(answers, ({ status }) => status === 409).body).toMatchObject({
      errorCode: 'TOO_MANY_IN_CHANNEL',
    })
  })

  it('refuses archived channels, conversations and organizations without the module', async () => {
    await server.sql('update chat_channel set archived_at = now() where id = $1', [channelId])
    expect(await put(owner)).toMatchObject({ status: 409, body: { errorCode: 'CHANNEL_ARCHIVED' } })
    await server.sql(`update chat_channel set archived_at = null, kind = 'CUSTOMER_PORTAL' where id = $1`, [
      channelId,
    ])
    for (const answer of [
      await put(owner),
      await owner.send(revokeGrant, { params: at() }),
      await owner.send(listPastGrants, { params: { id: channelId } }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { errorCode: 'CHANNEL_NOT_GOVERNED' } })
    expect(await listed()).toEqual([])

    const free = await server.organization({ plan: 'FREE' })
    const administrator = await free.person({ role: 'OWNER' })
    const { id } = await createTestChannel(administrator)
    const params = { id, applicationId: newId() }
    expect(await administrator.send(putGrant, { params, body: { capabilities: [] } })).toMatchObject({
      status: 403,
      body: { errorCode: 'MODULE_NOT_ENABLED' },
    })
    // existing grants can be listed and revoked
    expect(await administrator.send(revokeGrant, { params })).toMatchObject({
      status: 404,
      body: { errorCode: 'GRANT_NOT_FOUND' },
    })
  })
})

describe('authorization', () => {
  it('never grants more than the caller can read: administrators join first, or grant without access to messages', async () => {
    const outside = await organization.person({ role: 'ADMIN' })
    expect(await put(outside, [organize])).toMatchObject({
      status: 403,
      body: { errorCode: 'JOIN_CHANNEL_FIRST' },
    })
    expect((await put(outside, [organize], false)).body).toMatchObject({
      isEffective: false,
      obstacle: 'NOT_A_MEMBER',
      effectiveCapabilities: [organize],
    })
    await outside.call(joinChannel, { params: { id: channelId } })
    expect((await put(outside, [organize])).body).toMatchObject({ isEffective: true, obstacle: null })
  })

  it('requires the permission and the role in the channel', async () => {
    const plain = await organization.person()
    const guest = await organization.person({ permissions: ['CHAT_USE', 'CHAT_APPLICATIONS_MANAGE'] })
    await insertChannelMembers(server, organization.id, [channelId], [plain.id], 'OWNER')
    await insertChannelMembers(server, organization.id, [channelId], [guest.id])
    const calls = (who: Person) =>
      Promise.all([
        put(who),
        who.send(revokeGrant, { params: at() }),
        who.send(listPastGrants, { params: { id: channelId } }),
      ])
    for (const answer of await calls(plain))
      expect(answer).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
    for (const answer of await calls(guest))
      expect(answer).toMatchObject({ status: 403, body: { errorCode: 'CHANNEL_ROLE_REQUIRED' } })
    // members see the grants of the channel
    expect(await listed(guest)).toEqual([])
  })

  it('finds nothing in channels without access', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const outsider = await organization.person()
    await server.sql('update chat_channel set is_discoverable = true where id = $1', [channelId])
    expect(await outsider.send(listGrants, { params: { id: channelId } })).toMatchObject({
      status: 404,
      body: { errorCode: 'CHANNEL_NOT_FOUND' },
    })
    expect(await listed(admin)).toEqual([])
    const calls = (id: string) =>
      Promise.all([
        stranger.send(listGrants, { params: { id } }),
        stranger.send(listPastGrants, { params: { id } }),
        stranger.send(putGrant, { params: { id, applicationId: app.id }, body: { capabilities: [] } }),
        stranger.send(revokeGrant, { params: { id, applicationId: app.id } }),
      ])
    const [foreign, unknown] = await Promise.all([calls(channelId), calls(newId())])
    for (const [n, { status, body, text }] of foreign.entries()) {
      expect([status, body]).toMatchObject([404, { errorCode: 'CHANNEL_NOT_FOUND' }])
      expect(text).toBe(defined(unknown[n]).text)
    }
  })
})

describe('effective rights', () => {
  it('follow the rights of the grantor, with the obstacle if there are none', async () => {
    await put(owner, [organize, members])
    const role = (permissions: string[]) =>
      server.sql(
        `update role set permissions = $2 from membership m
         where m.organization_id = role.organization_id and m.custom_role_id = role.id and m.person_id = $1`,
        [owner.id, permissions],
      )
    const [{ permissions: before }] = (await server.sql<{ permissions: string[] }>(
      `select permissions from role r join membership m on m.organization_id = r.organization_id and m.custom_role_id = r.id
       where m.person_id = $1`,
      [owner.id],
    )) as [{ permissions: string[] }]
    const showEffect = async () => {
      const grant = only(await listed(admin))
      return [grant.isEffective, grant.obstacle, grant.effectiveCapabilities]
    }
    expect(await showEffect()).toEqual([true, null, [organize, members]])
    await role(['CHAT_USE', 'CHAT_CHANNELS_EDIT'])
    expect(await showEffect()).toEqual([true, null, [organize]])
    await role(['CHAT_CHANNELS_EDIT'])
    expect(await showEffect()).toEqual([false, 'GRANTOR_NOT_PERMITTED', []])
    await role(before)
    await server.sql(`update application set status = 'DISABLED' where id = $1`, [app.id])
    expect(await showEffect()).toEqual([false, 'APPLICATION_DISABLED', [organize, members]])
    await server.sql(`update application set status = 'ACTIVE' where id = $1`, [app.id])
    await server.sql(`update chat_member set role = 'MEMBER' where channel_id = $1`, [channelId])
    expect(await showEffect()).toEqual([true, null, []])
    await server.sql('delete from chat_member where channel_id = $1', [channelId])
    expect(await showEffect()).toEqual([false, 'GRANTOR_NOT_IN_CHANNEL', []])
  })

  it('end when the grantor leaves, until another person replaces the grant', async () => {
    const leaver = await organization.person({ role: 'ADMIN' })
    await leaver.call(joinChannel, { params: { id: channelId } })
    await put(leaver, [organize])
    await admin.call(removeMember, { params: { personId: leaver.id } })
    expect(await listed()).toMatchObject([
      { isEffective: false, obstacle: 'GRANTOR_LEFT', effectiveCapabilities: [] },
    ])
    expect((await put(owner, [organize])).body).toMatchObject({ isEffective: true, obstacle: null })
    expect((await eventsIn(server, channelId)).at(-1)).toMatchObject({ name: 'CHAT_MEMBER_ADDED' })
  })
})

describe('revoking', () => {
  it('ends the grant, also in an archived channel, and keeps it as history', async () => {
    await put(owner, [organize])
    await server.sql('update chat_channel set archived_at = now() where id = $1', [channelId])
    expect((await owner.send(revokeGrant, { params: at() })).status).toBe(204)
    expect(await listed()).toEqual([])
    expect((await past()).items).toMatchObject([
      { capabilities: [organize], revokedBy: { id: owner.id, displayName: 'Olga Owner' } },
    ])
    expect((await eventsIn(server, channelId)).slice(-2).map(({ name }) => name)).toEqual([
      'chat.application.changed',
      'CHAT_MEMBER_REMOVED',
    ])
    expect((await auditEntriesOf(server, channelId)).at(-1)).toMatchObject({
      changed: ['applications'],
      detail: { applicationId: app.id, before: { grantorId: owner.id }, after: null },
    })
    expect(await owner.send(revokeGrant, { params: at() })).toMatchObject({
      status: 404,
      body: { errorCode: 'GRANT_NOT_FOUND' },
    })
  })

  it('happens when the application is deleted', async () => {
    await put(owner)
    await admin.call(removeApplication, { params: { id: app.id } })
    expect(await listed()).toEqual([])
    expect((await owner.send(revokeGrant, { params: at() })).status).toBe(404)
    expect((await past()).items).toMatchObject([{ application: { id: app.id } }])
  })

  it('emits one event for concurrent requests', async () => {
    await put(owner)
    const answers = await Promise.all(
      [owner, admin, owner].map(who => who.send(revokeGrant, { params: at() })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    const eventsBefore = await eventsIn(server, channelId)
    expect(eventsBefore.filter(({ name }) => name === 'CHAT_MEMBER_REMOVED')).toHaveLength(1)
  })
})

it('pages the history', async () => {
  for (const isMember of [true, false, true, false, true]) await put(owner, [], isMember)
  const first = await past({ limit: 3 })
  const second = await past({ limit: 3, before: defined(first.nextBefore) })
  expect([first.items.length, second.items.length, second.nextBefore]).toEqual([3, 2, null])
  expect([...first.items, ...second.items].map(({ isMember }) => isMember)).toEqual([
    true,
    false,
    true,
    false,
    true,
  ])
})

it('counts only grants of existing applications', async () => {
  const gone = await makeApplication(server, organization, { principal: admin, status: 'DISABLED' })
  await insertTestGrant(server, channelId, gone, owner)
  await server.sql('update application set deleted_at = now() where id = $1', [gone.id])
  expect(await listed()).toEqual([])
})
