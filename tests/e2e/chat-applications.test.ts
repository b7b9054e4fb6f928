import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addAppChannelMember,
  archiveAppChannel,
  createAppChannel,
  listAppChannels,
  readAppChannel,
  removeAppChannelMember,
  updateAppChannel,
} from '#contract/chat/application-channels.ts'
import { putGrant, revokeGrant } from '#contract/chat/grants.ts'
import { type GrantCapability, grantCapabilities } from '#contract/chat/shapes.ts'
import { listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { updateApplication } from '#contract/integrations/applications.ts'
import { limits } from '#contract/limits.ts'
import type { Permission, Scope } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import {
  auditEntriesOf,
  createTestChannel,
  eventsIn,
  insertTestGrant,
  sendMessage,
} from '#tests/support/chat/chat.ts'
import { defined, firstOf, lastOf, mapAll, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

/** All chat operations of applications, with their scopes and the table of errors. */

const chatScopes: Scope[] = [
  'chat:channels:create',
  'chat:channels:manage',
  'chat:members:manage',
  'chat:messages:view',
]
const all: Permission[] = [
  'CHAT_USE',
  'CHAT_CHANNELS_CREATE',
  'CHAT_CHANNELS_EDIT',
  'CHAT_MEMBERS_ADD',
  'CHAT_MEMBERS_REMOVE',
  'CHAT_APPLICATIONS_MANAGE',
  'INTEGRATIONS_MANAGE',
]
const [organize, manageMembers] = grantCapabilities

let server: TestServer
let organization: Organization
let administrator: Person
let grantor: Person
let app: TestApplication
let channelId: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  administrator = await organization.person({ role: 'OWNER' })
})
beforeEach(async () => {
  grantor = await organization.person({ permissions: all })
  app = await makeApplication(server, organization, { principal: grantor, scopes: chatScopes })
  channelId = (await createTestChannel(grantor, { name: 'Launch', description: 'All of it' })).id
  await grant([organize, manageMembers])
})
afterAll(() => server.close())

const grant = (capabilities: GrantCapability[], isMember = true, by = grantor) =>
  by.call(putGrant, { params: { id: channelId, applicationId: app.id }, body: { capabilities, isMember } })
const setPermissions = (permissions: Permission[], who = grantor) =>
  server.sql(
    `update role set permissions = $2 from membership m
     where m.organization_id = role.organization_id and m.custom_role_id = role.id and m.person_id = $1`,
    [who.id, permissions],
  )
const without = (permission: Permission) => all.filter(name => name !== permission)
const createGrantedApplication = async (overrides: { scopes?: Scope[] } = {}) =>
  makeApplication(server, organization, { principal: grantor, scopes: chatScopes, ...overrides })

/** The operations of applications on a channel. */
const operations = {
  edit: (by: TestApplication, id = channelId) =>
    by.client.send(updateAppChannel, { params: { channelId: id }, body: { name: 'Other' } }),
  archive: (by: TestApplication, id = channelId) =>
    by.client.send(archiveAppChannel, { params: { channelId: id } }),
  add: (by: TestApplication, id = channelId, userId = 'nobody') =>
    by.client.send(addAppChannelMember, { params: { channelId: id }, body: { userId } }),
  remove: (by: TestApplication, id = channelId, userId = 'nobody') =>
    by.client.send(removeAppChannelMember, { params: { channelId: id, userId } }),
}
const operationCases = Object.entries(operations)
const create = (by: TestApplication, body: Record<string, unknown> = { name: 'Made by it' }) =>
  by.client.send(createAppChannel, { body: body as never })

const errorReply = (status: number, errorCode: string) => ({
  status,
  body: { statusCode: status, errorCode },
})
const forbidden = errorReply(403, 'APP_NOT_AUTHORIZED_IN_CHANNEL')
const notFound = errorReply(404, 'CHANNEL_NOT_FOUND')

describe('POST /chat/channels', () => {
  it('creates a channel of the principal with access for the application', async () => {
    const channel = await create(app, { name: ' News ', description: 'For all', isDiscoverable: true })
    expect(channel.status).toBe(201)
    const { id, createdAt, updatedAt } = channel.body
    expect(channel.body).toEqual({
      id,
      type: 'CHANNEL',
      name: 'News',
      description: 'For all',
      isDiscoverable: true,
      isArchived: false,
      archivedAt: null,
      createdAt,
      updatedAt,
      lastMessageAt: null,
    })
    expect(await app.client.call(readAppChannel, { params: { channelId: id } })).toEqual(channel.body)
    expect(await server.sql('select person_id, role from chat_member where channel_id = $1', [id])).toEqual([
      { person_id: grantor.id, role: 'OWNER' },
    ])
    const columns = 'granted_by, can_organize, can_manage_members, is_member'
    expect(await server.sql(`select ${columns} from chat_grant where channel_id = $1`, [id])).toEqual([
      { granted_by: grantor.id, can_organize: true, can_manage_members: true, is_member: true },
    ])
    expect(await eventsIn(server, id)).toMatchObject([
      { name: 'chat.channel.created' },
      { name: 'CHAT_CHANNEL_CREATED', about: { channelId: id } },
      { name: 'chat.application.changed' },
    ])
    expect(await auditEntriesOf(server, id)).toEqual([
      {
        operation: 'POST /api/external/v1/chat/channels',
        actor_id: app.id,
        changed: ['name', 'description', 'isDiscoverable'],
        detail: {
          grantorId: grantor.id,
          before: null,
          after: {
            name: 'News',
            description: 'For all',
            isDiscoverable: true,
            capabilities: [organize, manageMembers],
          },
        },
      },
    ])
  })

  it('grants rights limited to the scopes, and none without a matching scope', async () => {
    const grantOf = async (scopes: Scope[]) => {
      const { body } = await create(
        await createGrantedApplication({ scopes: ['chat:channels:create', ...scopes] }),
      )
      const [row] = await server.sql(
        'select can_organize, can_manage_members, is_member from chat_grant where channel_id = $1',
        [body.id],
      )
      return row && Object.values(row)
    }
    expect(await grantOf([])).toBeUndefined()
    expect(await grantOf(['chat:channels:manage'])).toEqual([true, false, false])
    expect(await grantOf(['chat:members:manage'])).toEqual([false, true, false])
    for (const scope of ['chat:messages:view', 'chat:messages:send', 'chat:events:subscribe'] as const)
      expect(await grantOf([scope])).toEqual([false, false, true])
    expect(await grantOf(['studio:assets:read'])).toBeUndefined()
  })

  it('grants rights limited to the permissions of the principal', async () => {
    await setPermissions(['CHAT_USE', 'CHAT_CHANNELS_CREATE', 'CHAT_MEMBERS_REMOVE'])
    const { body } = await create(app)
    const columns = 'can_organize, can_manage_members, is_member'
    expect(await server.sql(`select ${columns} from chat_grant where channel_id = $1`, [body.id])).toEqual([
      { can_organize: false, can_manage_members: true, is_member: true },
    ])
  })

  it('requires a principal with the permission to create channels', async () => {
    for (const permission of ['CHAT_USE', 'CHAT_CHANNELS_CREATE'] as const) {
      await setPermissions(without(permission))
      expect(await create(app)).toMatchObject(forbidden)
    }
    await setPermissions(all)
    expect((await create(app)).status).toBe(201)
    await administrator.call(removeMember, { params: { personId: grantor.id } })
    expect(await create(app)).toMatchObject(forbidden)
    await administrator.call(updateApplication, {
      params: { id: app.id },
      body: { principalId: administrator.id },
    })
    expect((await create(app)).status).toBe(201)
  })

  it('refuses a name or description of the wrong length', async () => {
    const [name, description] = [
      'x'.repeat(limits.channelName + 1),
      'x'.repeat(limits.channelDescription + 1),
    ]
    for (const body of [{}, { name: '' }, { name: ' ' }, { name }, { name: 'x', description }, { name: 1 }])
      expect(await create(app, body)).toMatchObject(errorReply(400, 'VALIDATION_ERROR'))
    const longest = { name: name.slice(1), description: description.slice(1) }
    expect((await create(app, longest)).status).toBe(201)
    for (const more of [{ organizationId: organization.id }, { type: 'GROUP' }, { memberIds: [] }])
      expect(await create(app, { name: 'x', ...more })).toMatchObject(errorReply(400, 'VALIDATION_ERROR'))
  })

  it('creates one channel per Idempotency-Key', async () => {
    const send = () =>
      fetch(`${server.url}/api/external/v1/chat/channels`, {
        method: 'POST',
        headers: {
          'x-api-key': app.key,
          'content-type': 'application/json',
          'idempotency-key': `once-${app.id}`,
        },
        body: JSON.stringify({ name: 'Once' }),
      })
    const answers = await Promise.all([send(), send()])
    const bodies = (await Promise.all(answers.map(answer => answer.json()))) as { id: string }[]
    expect(bodies[0]).toEqual(bodies[1])
    expect(
      (await eventsIn(server, firstOf(bodies).id)).filter(({ name }) => name.startsWith('CHAT')),
    ).toHaveLength(1)
  })
})

describe('PATCH /chat/channels/:channelId', () => {
  const edit = (body: Record<string, unknown>) =>
    app.client.send(updateAppChannel, { params: { channelId }, body: body as never })

  it('updates name and description and emits the changed fields', async () => {
    const before = (await eventsIn(server, channelId)).length
    const edited = await edit({ name: ' Later ', description: '' })
    expect(edited).toMatchObject({ status: 200, body: { id: channelId, name: 'Later', description: null } })
    expect(await edit({ name: 'Later' })).toMatchObject({ status: 200, body: edited.body })
    expect((await eventsIn(server, channelId)).slice(before)).toMatchObject([
      { name: 'chat.channel.updated' },
      {
        name: 'CHAT_CHANNEL_UPDATED',
        data: { channelId, name: 'Later', description: null, changes: ['name', 'description'] },
        about: { channelId },
      },
    ])
    expect((await auditEntriesOf(server, channelId)).slice(-2)).toEqual([
      {
        operation: 'PATCH /api/external/v1/chat/channels/:channelId',
        actor_id: app.id,
        changed: ['name', 'description'],
        detail: {
          grantorId: grantor.id,
          before: { name: 'Launch', description: 'All of it' },
          after: { name: 'Later', description: null },
        },
      },
      expect.objectContaining({ changed: [] }),
    ])
  })

  it('requires a field and refuses unknown ones', async () => {
    expect(await edit({})).toMatchObject(errorReply(422, 'VALIDATION_ERROR'))
    const unscoped = await fetch(`${server.url}/api/external/v1/chat/channels/${channelId}`, {
      method: 'PATCH',
      headers: { 'x-api-key': app.key },
    })
    expect([unscoped.status, await unscoped.json()]).toMatchObject([422, { errorCode: 'VALIDATION_ERROR' }])
    for (const body of [
      { isDiscoverable: true },
      { name: 'x', isDiscoverable: true },
      { name: '' },
      { name: 'x'.repeat(limits.channelName + 1) },
      { description: 'x'.repeat(limits.channelDescription + 1) },
    ])
      expect(await edit(body)).toMatchObject(errorReply(400, 'VALIDATION_ERROR'))
  })

  it('refuses an archived channel', async () => {
    await operations.archive(app)
    expect(await operations.edit(app)).toMatchObject(errorReply(409, 'CHANNEL_ARCHIVED'))
  })
})

describe('POST /chat/channels/:channelId/archive', () => {
  it('archives once and emits one event', async () => {
    const answers = await Promise.all([operations.archive(app), operations.archive(app)])
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([
        200,
        { id: channelId, isArchived: true, archivedAt: expect.any(String) },
      ])
    expect(answers[0].body).toEqual(answers[1].body)
    const archiveEvents = (await eventsIn(server, channelId)).filter(({ name }) => name.includes('ARCHIVED'))
    expect(archiveEvents).toMatchObject([
      { data: { channelId, type: 'CHANNEL', archivedAt: answers[0].body.archivedAt } },
    ])
    expect(await server.sql('select archived_by from chat_channel where id = $1', [channelId])).toEqual([
      { archived_by: grantor.id },
    ])
    // the channel is still readable
    expect((await app.client.send(readAppChannel, { params: { channelId } })).status).toBe(200)
  })
})

describe('members', () => {
  it('are added as MEMBER and removed', async () => {
    const user = await organization.person({ name: 'Una User' })
    const member = { kind: 'USER', id: user.id, displayName: 'Una User', role: 'MEMBER' }
    expect(await operations.add(app, channelId, user.id)).toMatchObject({ status: 201, body: member })
    expect(await operations.add(app, channelId, user.id)).toMatchObject(
      errorReply(409, 'CHANNEL_MEMBER_EXISTS'),
    )
    expect(await operations.remove(app, channelId, user.id)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await operations.remove(app, channelId, user.id)).toMatchObject(
      errorReply(404, 'CHANNEL_MEMBER_NOT_FOUND'),
    )
    const data = { channelId, personId: user.id }
    expect((await eventsIn(server, channelId)).slice(-2)).toMatchObject([
      { name: 'chat.member.added', data, about: null },
      { name: 'chat.member.removed', data, about: null },
    ])
    expect((await auditEntriesOf(server, channelId)).slice(-2)).toMatchObject([
      {
        operation: 'POST /api/external/v1/chat/channels/:channelId/members',
        detail: { grantorId: grantor.id, before: null, after: { userId: user.id, role: 'MEMBER' } },
      },
      { changed: ['members'], detail: { before: { userId: user.id, role: 'MEMBER' }, after: null } },
    ])
  })

  it('must belong to the organization; the request cannot set a role', async () => {
    const stranger = await (await server.organization()).person()
    const leaver = await organization.person()
    await administrator.call(removeMember, { params: { personId: leaver.id } })
    const answers = await mapAll([newId(), stranger.id, leaver.id], id => operations.add(app, channelId, id))
    for (const answer of answers) {
      expect(answer).toMatchObject(errorReply(404, 'MEMBER_NOT_FOUND'))
      expect(answer.text).toBe(answers[0].text)
    }
    const request = { params: { channelId }, body: { userId: administrator.id, role: 'OWNER' } as never }
    expect(await app.client.send(addAppChannelMember, request)).toMatchObject(
      errorReply(400, 'VALIDATION_ERROR'),
    )
  })

  it('with a role in the channel cannot be removed by an application', async () => {
    const other = await organization.person()
    await operations.add(app, channelId, other.id)
    expect(await operations.remove(app, channelId, grantor.id)).toMatchObject(forbidden)
    await server.sql(`update chat_member set role = 'ADMIN' where person_id = $1`, [other.id])
    expect(await operations.remove(app, channelId, other.id)).toMatchObject(forbidden)
    await operations.archive(app)
    for (const change of [operations.add, operations.remove])
      expect(await change(app, channelId, other.id)).toMatchObject(errorReply(409, 'CHANNEL_ARCHIVED'))
  })

  it('are added once for concurrent requests', async () => {
    const user = await organization.person()
    const answers = await Promise.all([1, 2, 3].map(() => operations.add(app, channelId, user.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('the order of the three checks', () => {
  it('the key: 401 without an errorCode', async () => {
    const answer = await fetch(`${server.url}/api/external/v1/chat/channels`, {
      headers: { 'x-api-key': 'wrong' },
    })
    expect(answer.status).toBe(401)
    expect(await answer.json()).not.toHaveProperty('errorCode')
  })

  it.each(operationCases)(
    '%s: the scope is checked first, also for an unknown channel',
    async (_, operation) => {
      const unscoped = await createGrantedApplication({ scopes: ['chat:messages:view'] })
      await insertTestGrant(server, channelId, unscoped, grantor)
      for (const id of [channelId, newId()])
        expect(await operation(unscoped, id)).toMatchObject(errorReply(403, 'INSUFFICIENT_SCOPE'))
      expect(await create(unscoped)).toMatchObject(errorReply(403, 'INSUFFICIENT_SCOPE'))
    },
  )

  it.each(operationCases)(
    '%s: a channel without a grant gets the same answer as an unknown one',
    async (_, operation) => {
      const outside = await createGrantedApplication()
      const foreign = await makeApplication(server, await server.organization(), { scopes: chatScopes })
      const unknown = await operation(app, newId())
      expect(unknown).toMatchObject(notFound)
      for (const by of [outside, foreign]) {
        const answer = await operation(by)
        expect(answer).toMatchObject(notFound)
        expect(answer.text).toBe(unknown.text)
      }
      await grantor.call(revokeGrant, { params: { id: channelId, applicationId: app.id } })
      expect((await operation(app)).text).toBe(unknown.text)
    },
  )

  it.each(operationCases)('%s: the capability is checked second', async (name, operation) => {
    await grant([name === 'add' || name === 'remove' ? organize : manageMembers])
    expect(await operation(app)).toMatchObject(forbidden)
    await grant([])
    expect(await operation(app)).toMatchObject(forbidden)
  })

  it.each(operationCases)('%s: only channels and groups can be managed', async (_, operation) => {
    for (const kind of ['CUSTOMER_PORTAL', 'DIRECT']) {
      const direct = kind === 'DIRECT' ? channelId : null
      await server.sql(
        `update chat_channel set kind = $2, direct_key = $3, name = case when $3::text is null then 'Portal' end
         where id = $1`,
        [channelId, kind, direct],
      )
      expect(await operation(app)).toMatchObject(forbidden)
    }
    await server.sql(
      `update chat_channel set kind = 'GROUP', direct_key = null, name = 'Group' where id = $1`,
      [channelId],
    )
    expect((await operation(app)).status).not.toBe(403)
  })

  const needed: Record<string, Permission> = {
    edit: 'CHAT_CHANNELS_EDIT',
    archive: 'CHAT_CHANNELS_EDIT',
    add: 'CHAT_MEMBERS_ADD',
    remove: 'CHAT_MEMBERS_REMOVE',
  }
  it.each(operationCases)(
    '%s: the current permissions of the grantor are checked third',
    async (name, operation) => {
      const role = (role: string) =>
        server.sql('update chat_member set role = $2 where channel_id = $1', [channelId, role])
      await setPermissions(without(defined(needed[name])))
      expect(await operation(app)).toMatchObject(forbidden)
      await setPermissions(without('CHAT_USE'))
      expect(await operation(app)).toMatchObject(forbidden)
      await setPermissions(all)
      await role('MEMBER')
      expect(await operation(app)).toMatchObject(forbidden)
      await role('ADMIN')
      // adding and removing are checked separately
      const other: Record<string, Permission> = { add: 'CHAT_MEMBERS_REMOVE', remove: 'CHAT_MEMBERS_ADD' }
      if (other[name]) await setPermissions(without(other[name]))
      expect((await operation(app)).status).not.toBe(403)
      await administrator.call(removeMember, { params: { personId: grantor.id } })
      expect(await operation(app)).toMatchObject(forbidden)
      await server.sql('update chat_channel set archived_at = null where id = $1', [channelId])
      // replaces the grantor with a person who manages the channel without being in it
      await grant([organize, manageMembers], false, administrator)
      expect((await operation(app)).status).not.toBe(403)
    },
  )
})

describe('reading channels', () => {
  it('lists the channels with access, in pages', async () => {
    const own = await createGrantedApplication()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      const { id } = await createTestChannel(grantor)
      ids.push(id)
      await insertTestGrant(server, id, own, grantor)
    }
    await server.sql('update chat_grant set is_member = false where channel_id = $1', [ids[1]])
    const page = (query: object) => own.client.call(listAppChannels, { query: query as never })
    const first = await page({ limit: 3 })
    expect([first.items.map(({ id }) => id), first.nextAfter]).toEqual([[ids[0], ids[2]], ids[2]])
    const second = await page({ limit: 3, after: first.nextAfter })
    expect([second.items.map(({ id }) => id), second.nextAfter]).toEqual([[ids[3], ids[4]], null])
    expect((await page({})).items[0]).toEqual(
      await own.client.call(readAppChannel, { params: { channelId: firstOf(ids) } }),
    )
  })

  it('does not reveal the time of a hidden message', async () => {
    await grant([])
    const last = async () => (await app.client.call(readAppChannel, { params: { channelId } })).lastMessageAt
    await sendMessage(grantor, channelId, { visibility: 'INTERNAL' })
    expect(await last()).toBeNull()
    const { createdAt } = await sendMessage(grantor, channelId, 'Seen')
    await sendMessage(grantor, channelId, { visibility: 'INTERNAL' })
    expect(await last()).toBe(createdAt)
  })

  it('requires access to the channel and the scope', async () => {
    const read = (by: TestApplication, id = channelId) =>
      by.client.send(readAppChannel, { params: { channelId: id } })
    const unknown = await read(app, newId())
    expect(unknown).toMatchObject(notFound)
    await grant([organize], false)
    expect((await read(app)).text).toBe(unknown.text)
    // it can still use its capabilities
    expect((await operations.edit(app)).status).toBe(200)
    await grant([])
    await server.sql('delete from chat_member where person_id = $1', [grantor.id])
    expect((await read(app)).text).toBe(unknown.text)
    const unscoped = await createGrantedApplication({ scopes: ['chat:channels:manage'] })
    expect(await read(unscoped)).toMatchObject(errorReply(403, 'INSUFFICIENT_SCOPE'))
    expect(await unscoped.client.send(listAppChannels, {})).toMatchObject(
      errorReply(403, 'INSUFFICIENT_SCOPE'),
    )
  })
})

describe('the audit log', () => {
  it('records refused calls with the failed check', async () => {
    const events = async (operation: () => Promise<unknown>, subject = channelId) => {
      await operation()
      const { detail } = lastOf(await auditEntriesOf(server, subject))
      return (detail as { check: string }).check
    }
    const unscoped = await createGrantedApplication({ scopes: [] })
    expect(await events(() => operations.edit(unscoped))).toBe('scope')
    expect(await events(async () => operations.edit(await createGrantedApplication()))).toBe('grant')
    await grant([organize])
    expect(await events(() => operations.add(app))).toBe('capability')
    await setPermissions(without('CHAT_CHANNELS_EDIT'))
    expect(await events(() => operations.archive(app))).toBe('grantor')
    const last = (await auditEntriesOf(server, channelId)).at(-1)
    expect(last).toEqual({
      operation: 'POST /api/external/v1/chat/channels/:channelId/archive',
      actor_id: app.id,
      changed: [],
      detail: { refused: 'APP_NOT_AUTHORIZED_IN_CHANNEL', check: 'grantor' },
    })
    const unknown = newId()
    expect(await events(() => operations.remove(app, unknown), unknown)).toBe('grant')
    await setPermissions(without('CHAT_CHANNELS_CREATE'))
    await create(app)
    await server.relayed()
    const { items } = await administrator.call(listAudit, { query: { limit: 1, actorId: app.id } })
    expect(items).toMatchObject([
      {
        operation: 'POST /api/external/v1/chat/channels',
        subject: null,
        detail: { refused: 'APP_NOT_AUTHORIZED_IN_CHANNEL', check: 'principal' },
      },
    ])
  })

  it('verifies with its details, and detects a change of them', async () => {
    await operations.edit(app)
    await server.relayed()
    expect(await administrator.call(verifyAudit, {})).toMatchObject({ valid: true })
    const row = only(
      await server.sql<{ seq: number; detail: object }>(
        'select seq, detail from audit where subject = $1 order by seq desc limit 1',
        [channelId],
      ),
    )
    const set = (detail: object) =>
      server.sql('update audit set detail = $3 where organization_id = $1 and seq = $2', [
        organization.id,
        row.seq,
        JSON.stringify(detail),
      ])
    await set({ ...row.detail, grantorId: administrator.id })
    expect(await administrator.call(verifyAudit, {})).toMatchObject({ valid: false, brokenAt: row.seq })
    await set(row.detail)
    expect(await administrator.call(verifyAudit, {})).toMatchObject({ valid: true })
  })
})
