import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptInvitationSignedIn, createInvitation } from '#contract/identity/invitations.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { createStreamToken } from '#contract/identity/sessions.ts'
import { deleteGroup } from '#contract/identity/units.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { listAssets, readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, unarchiveAsset } from '#contract/studio/lifecycle.ts'
import { listByEntity } from '#contract/studio/links.ts'
import { createShare, listShares, removeShare } from '#contract/studio/shares.ts'
import { newId } from '#platform/ids.ts'
import { findIn, firstOf, itemAt, mapAll, only } from '#tests/support/elements.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'
import { plantGroups } from '#tests/support/many-rows.ts'
import { invitationSecret } from '#tests/support/outbox.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { emittedEvents, linkAsset, makeAsset, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { purgeExpiredShares } from './share-purge.sql.ts'

let server: TestServer
let organization: Organization
let author: Person
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  author = await organization.person({ name: 'Ada' })
  admin = await organization.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

type Body = Input<typeof createShare>['body']
const share = (id: string, body: Body, person = author) => person.send(createShare, { params: { id }, body })
const revoke = (id: string, shareId: string, person = author) =>
  person.send(removeShare, { params: { id, shareId } })
const shares = (id: string, person = author, query = {}) => person.send(listShares, { params: { id }, query })
const to = (person: Person) => ({ granteeType: 'USER' as const, granteeId: person.id })
const access = async (id: string, person: Person) => {
  const { status, body } = await person.send(readAsset, { params: { id } })
  return status === 200 ? body.access : status
}
const eventsOf = async (id: string) => (await emittedEvents(server, organization.id, id)).slice(1)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
/** Makes a share expire. */
const expire = (id: string) =>
  server.sql(`update asset_share set expires_at = now() - interval '1 second' where id = $1`, [id])

describe('POST /assets/:id/shares', () => {
  it('shares with a person and emits an event to readers', async () => {
    const [reader, stranger] = [await organization.person({ name: 'Rita' }), await organization.person()]
    const { id, slug } = await makeAsset(author)
    const streams = await mapAll([reader, stranger], async person => {
      const { token } = await person.call(createStreamToken)
      return openStream(`${server.url}/api/studio/events?token=${token}`)
    })
    const expiresAt = inDays(30)
    const { status, body } = await share(id, { ...to(reader), accessLevel: 'EDIT', expiresAt })
    const shown = {
      id: expect.any(String),
      assetId: id,
      ...to(reader),
      granteeName: 'Rita',
      accessLevel: 'EDIT',
      expiresAt,
      sharedBy: { id: author.id, name: 'Ada' },
      createdAt: expect.any(String),
    }
    expect([status, body]).toEqual([201, { ...shown, shares: [shown] }])
    expect((await shares(id)).body).toEqual({ items: [shown], total: 1, limit: 20, offset: 0 })
    expect([await access(id, reader), await access(id, stranger)]).toEqual(['EDIT', 404])
    expect(await eventsOf(id)).toEqual([
      { name: 'ai-asset.shared', actor_id: author.id, data: { assetId: id, slug } },
    ])
    const [audit] = await server.sql(
      'select operation, changed from audit where subject = $1 order by seq desc',
      [id],
    )
    expect(audit).toEqual({ operation: 'POST /api/studio/assets/:id/shares', changed: ['shares'] })

    await streams[0].until(({ event, data }) => event === 'asset-shared' && data?.assetId === id)
    expect((await revoke(id, body.id)).status).toBe(204)
    // A later event that both receive: the other stream got everything before it
    const open = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await Promise.all(streams.map(stream => stream.until(({ data }) => data?.assetId === open.id)))
    const received = streams.map(stream => stream.events().filter(({ data }) => data?.assetId === id).length)
    // Shared, then revoked with the id alone
    expect(received).toEqual([2, 0])
    for (const stream of streams) stream.close()
  })

  it('shares with several grantees at once, including groups and departments', async () => {
    const [one, member, head] = [
      await organization.person(),
      await organization.person(),
      await organization.person(),
    ]
    const group = await makeUnit('GROUP', admin, [member])
    const department = await makeUnit('DEPARTMENT', admin, [head])
    const { id } = await makeAsset(author)
    const grantees = [
      { granteeType: 'DEPARTMENT' as const, granteeId: department },
      to(one),
      { granteeType: 'GROUP' as const, granteeId: group },
      to(one),
    ]
    const { status, body } = await share(id, { grantees })
    expect(status).toBe(201)
    expect(body.shares.map(({ granteeId }) => granteeId)).toEqual([department, one.id, group])
    expect(body).toMatchObject({ ...body.shares[0], accessLevel: 'READ', expiresAt: null })
    const names = await server.sql<{ name: string }>(
      'select name from unit where id = any($1) order by kind',
      [[group, department]],
    )
    expect(body.shares.map(({ granteeName }) => granteeName)).toEqual([
      firstOf(names).name,
      one.name,
      itemAt(names, 1).name,
    ])
    for (const person of [one, member, head]) expect(await access(id, person)).toBe('READ')
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['ai-asset.shared'])
  })

  it('updates level and expiry of an existing share, and emits no event without changes', async () => {
    const [reader, other] = [await organization.person(), await organization.person()]
    const { id } = await makeAsset(author)
    const first = (await share(id, to(reader))).body
    const same = await share(id, { ...to(reader), accessLevel: 'READ', expiresAt: null })
    expect([same.status, same.body]).toEqual([201, first])
    expect(await eventsOf(id)).toHaveLength(1)
    const expiresAt = inDays(1)
    const changed = await share(id, { ...to(reader), accessLevel: 'ADMIN', expiresAt }, admin)
    const { shares: _, ...unchanged } = first
    const now = {
      ...unchanged,
      accessLevel: 'ADMIN',
      expiresAt,
      sharedBy: { id: admin.id, name: admin.name },
    }
    expect(changed.body).toEqual({ ...now, shares: [now] })
    expect(await access(id, reader)).toBe('ADMIN')
    expect((await share(id, { grantees: [to(reader), to(other)] })).body.shares).toHaveLength(2)
    expect(await access(id, reader)).toBe('READ')
    expect((await shares(id)).body.total).toBe(2)
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(Array(3).fill('ai-asset.shared'))
    const rows = await server.sql(
      `select changed from audit where subject = $1 and operation like '%shares' order by seq`,
      [id],
    )
    expect(rows.map(({ changed }) => changed)).toEqual([['shares'], [], ['shares'], ['shares']])
  })

  it('creates one share in concurrent calls, and the shares of all grantees', async () => {
    const { id } = await makeAsset(author)
    const people = await Promise.all(Array.from({ length: 4 }, () => organization.person()))
    const responses = await Promise.all(
      [...people, ...people, ...people].map((person, n) =>
        share(id, { ...to(person), accessLevel: n % 2 ? 'EDIT' : 'READ' }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect((await shares(id)).body.total).toBe(4)
    const groups = await Promise.all(Array.from({ length: 3 }, () => makeUnit('GROUP', admin)))
    const other = await makeAsset(author)
    await Promise.all(groups.map(granteeId => share(other.id, { granteeType: 'GROUP', granteeId })))
    await expectCountersMatch()
  })

  it.each<[string, Body]>([
    ['neither form', {}],
    ['a grantee type without an id', { granteeType: 'USER' }],
    ['a grantee id without a type', { granteeId: 'x' }],
    [
      'both forms',
      { granteeType: 'USER', granteeId: 'x', grantees: [{ granteeType: 'USER', granteeId: 'y' }] },
    ],
    ['a mixture of both forms', { granteeId: 'x', grantees: [{ granteeType: 'USER', granteeId: 'y' }] }],
    ['an empty list', { grantees: [] }],
    ['a workspace', { granteeType: 'WORKSPACE' as never, granteeId: 'x' }],
    ['another level', { granteeType: 'USER', granteeId: 'x', accessLevel: 'OWNER' as never }],
    ['a level that is null', { granteeType: 'USER', granteeId: 'x', accessLevel: null as never }],
    ['an invalid expiry', { granteeType: 'USER', granteeId: 'x', expiresAt: 'tomorrow' }],
    ['an unknown field', { granteeType: 'USER', granteeId: 'x', level: 'READ' } as Body],
    [
      'an unknown field of a grantee',
      { grantees: [{ granteeType: 'USER', granteeId: 'x', level: 'READ' } as never] },
    ],
    [
      'too many grantees',
      {
        grantees: Array.from({ length: limits.granteesPerShare + 1 }, (_, n) => ({
          granteeType: 'USER' as const,
          granteeId: `${n}`,
        })),
      },
    ],
  ])('rejects %s', async (_, body) => {
    const { id } = await makeAsset(author)
    expect(refusalOf(await share(id, body))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await shares(id)).body.total).toBe(0)
  })

  it('rejects an expiry in the past or more than a year ahead, by the clock of the database', async () => {
    const reader = await organization.person()
    const { id } = await makeAsset(author)
    for (const days of [-1, -0.0001, limits.shareDays + 0.001, 100_000]) {
      const response = await share(id, { ...to(reader), expiresAt: inDays(days) })
      expect([...refusalOf(response), (response.body as never as { details: object[] }).details]).toEqual([
        400,
        'VALIDATION_ERROR',
        [{ path: 'expiresAt', code: days < 0 ? 'past' : 'maximum', message: expect.any(String) }],
      ])
    }
    expect((await share(id, { ...to(reader), expiresAt: inDays(limits.shareDays - 0.001) })).status).toBe(201)
    const now = only(await server.sql<{ at: string }>(`select now() + interval '2 seconds' as at`))
    expect((await share(id, { ...to(reader), expiresAt: now.at })).status).toBe(201)
  })

  it('rejects unknown grantees and the author', async () => {
    const outsider = await (await server.organization()).person({ role: 'OWNER' })
    const foreign = await makeUnit('GROUP', outsider)
    const [group, department, workspace] = await Promise.all([
      makeUnit('GROUP', admin),
      makeUnit('DEPARTMENT', admin),
      makeUnit('WORKSPACE', admin),
    ])
    const former = await organization.person()
    await admin.call(removeMember, { params: { personId: former.id } })
    const { id } = await makeAsset(author)
    const unknown: [type: 'USER' | 'GROUP' | 'DEPARTMENT', id: string][] = [
      ['USER', outsider.id],
      ['USER', newId()],
      ['USER', group],
      ['USER', former.id],
      ['GROUP', foreign],
      ['GROUP', department],
      ['GROUP', workspace],
      ['GROUP', admin.id],
      ['DEPARTMENT', group],
    ]
    const responses = []
    for (const [granteeType, granteeId] of unknown)
      responses.push(await share(id, { granteeType, granteeId }))
    expect(responses.map(refusalOf)).toEqual(unknown.map(() => [400, 'GRANTEE_UNKNOWN']))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    // All or nothing
    expect(refusalOf(await share(id, { grantees: [to(admin), to(former)] }))).toEqual([
      400,
      'GRANTEE_UNKNOWN',
    ])
    expect(refusalOf(await share(id, { grantees: [to(admin), to(author)] }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect((await shares(id)).body.total).toBe(0)
    expect(await eventsOf(id)).toEqual([])
  })

  it('requires EDIT access and STUDIO_SHARE, and grants at most the level of the caller', async () => {
    const [reader, editor, owner, other, outsider] = [
      await organization.person(),
      await organization.person(),
      await organization.person(),
      await organization.person(),
      await (await server.organization()).person({ role: 'OWNER' }),
    ]
    const { id } = await makeAsset(author)
    await shareAsset(server, author, id, 'USER', reader.id)
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    await shareAsset(server, author, id, 'USER', owner.id, { level: 'ADMIN' })
    const body = (accessLevel: 'READ' | 'EDIT' | 'ADMIN', person = other) => ({ ...to(person), accessLevel })
    const above = [403, 'SHARE_ABOVE_OWN_LEVEL']
    expect(refusalOf(await share(id, body('READ'), reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await share(id, body('ADMIN'), editor))).toEqual(above)
    // Their own share, and a higher one that they may not lower
    expect(refusalOf(await share(id, body('ADMIN', editor), editor))).toEqual(above)
    expect(refusalOf(await share(id, body('READ', owner), editor))).toEqual(above)
    expect(refusalOf(await share(id, { grantees: [to(other), to(owner)] }, editor))).toEqual(above)
    for (const level of ['READ', 'EDIT'] as const) {
      expect((await share(id, body(level), editor)).body.accessLevel).toBe(level)
    }
    expect((await share(id, body('ADMIN'), owner)).body.accessLevel).toBe('ADMIN')
    expect((await share(id, body('ADMIN'), admin)).status).toBe(201)

    const without = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    expect(refusalOf(await share(id, body('READ'), without))).toEqual([403, 'PERMISSION_DENIED'])
    const stranger = await organization.person()
    const unseen = await Promise.all(
      [stranger, outsider].flatMap(person => [
        share(id, body('READ'), person),
        share(newId(), body('READ'), person),
      ]),
    )
    for (const response of unseen)
      expect([...refusalOf(response), response.text]).toEqual([404, 'ASSET_NOT_FOUND', firstOf(unseen).text])
  })

  it('grants nothing for longer than the caller has it', async () => {
    const [editor, other] = [await organization.person(), await organization.person()]
    const group = await makeUnit('GROUP', admin, [editor])
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const until = inDays(3)
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT', expiresAt: until })
    const above = [403, 'SHARE_ABOVE_OWN_LEVEL']
    for (const person of [other, editor]) {
      for (const expiresAt of [null, inDays(4)]) {
        expect(refusalOf(await share(id, { ...to(person), expiresAt }, editor))).toEqual(above)
      }
    }
    expect((await share(id, { ...to(other), expiresAt: until }, editor)).status).toBe(201)
    // Another share with the same level and without expiry
    await shareAsset(server, author, id, 'GROUP', group, { level: 'READ' })
    expect(refusalOf(await share(id, to(other), editor))).toEqual(above)
    await shareAsset(server, author, id, 'GROUP', group, { level: 'EDIT' })
    expect((await share(id, to(other), editor)).status).toBe(201)
  })

  it('rejects archived assets and more shares than the limit', async () => {
    const { id } = await makeAsset(author)
    const units = await plantGroups(server, organization.id, limits.sharesPerAsset)
    const group = ({ id: granteeId }: { id: string }) => ({ granteeType: 'GROUP' as const, granteeId })
    const most = limits.sharesPerAsset - 1
    for (let at = 0; at < most; at += limits.granteesPerShare) {
      const some = units.slice(at, Math.min(most, at + limits.granteesPerShare))
      expect((await share(id, { grantees: some.map(group) })).status).toBe(201)
    }
    const reader = await organization.person()
    const last = await Promise.all(
      [group(itemAt(units, most)), to(reader), to(admin)].map(body => share(id, body)),
    )
    expect(last.map(refusalOf).sort()).toEqual([
      [201, undefined],
      [409, 'TOO_MANY_SHARES'],
      [409, 'TOO_MANY_SHARES'],
    ])
    const created = findIn(last, ({ status }) => status === 201).body
    await revoke(id, created.id)
    expect((await share(id, group(itemAt(units, most)))).status).toBe(201)
    expect(refusalOf(await share(id, to(reader)))).toEqual([409, 'TOO_MANY_SHARES'])
    expect(await access(id, reader)).toBe(404)
    const again = {
      granteeType: 'GROUP' as const,
      granteeId: firstOf(units).id,
      accessLevel: 'EDIT' as const,
    }
    expect((await share(id, again)).status).toBe(201)
    // An expired share does not count
    const { id: first } = (await share(id, { ...again, expiresAt: inDays(1) })).body
    await expire(first)
    expect((await share(id, to(reader))).status).toBe(201)
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await share(id, to(reader)))).toEqual([409, 'ASSET_ARCHIVED'])
    await expectCountersMatch()
  })
})

describe('GET /assets/:id/shares', () => {
  it('lists shares newest first, in pages, for editors', async () => {
    const people = [await organization.person(), await organization.person(), await organization.person()]
    const { id } = await makeAsset(author)
    const ids: string[] = []
    for (const person of people) ids.unshift(await shareAsset(server, author, id, 'USER', person.id))
    const page = async (query = {}) => {
      const { items, ...rest } = (await shares(id, author, query)).body
      return [items.map(item => item.id), rest]
    }
    expect(await page()).toEqual([ids, { total: 3, limit: 20, offset: 0 }])
    expect(await page({ limit: 1, offset: 1 })).toEqual([[ids[1]], { total: 3, limit: 1, offset: 1 }])
    expect(await page({ offset: 3 })).toEqual([[], { total: 3, limit: 20, offset: 3 }])
    expect(refusalOf(await shares(id, people[0]))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    const stranger = await organization.person()
    expect(refusalOf(await shares(id, stranger))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect((await shares(id, stranger)).text).toBe((await shares(newId(), stranger)).text)
    const without = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    expect(refusalOf(await shares(id, without))).toEqual([403, 'PERMISSION_DENIED'])
    await author.call(archiveAsset, { params: { id } })
    expect((await shares(id)).body.total).toBe(3)
  })
})

describe('DELETE /assets/:id/shares/:shareId', () => {
  it('removes the access immediately and emits events', async () => {
    const reader = await organization.person()
    const { id, slug } = await makeAsset(author)
    const shareId = await shareAsset(server, author, id, 'USER', reader.id, { level: 'EDIT' })
    expect((await revoke(id, shareId)).status).toBe(204)
    expect([await access(id, reader), (await shares(id)).body.total]).toEqual([404, 0])
    expect((await eventsOf(id)).slice(1)).toEqual([
      {
        name: 'ai-asset.updated',
        actor_id: author.id,
        data: { assetId: id, slug, changes: ['shares'] },
      },
      // The former grantee learns no reason
      { name: 'ai-asset.updated', actor_id: author.id, data: { assetId: id } },
    ])
    const [audit] = await server.sql(
      'select operation, changed from audit where subject = $1 order by seq desc',
      [id],
    )
    expect(audit).toEqual({ operation: 'DELETE /api/studio/assets/:id/shares/:shareId', changed: ['shares'] })
    expect(refusalOf(await revoke(id, shareId))).toEqual([404, 'SHARE_NOT_FOUND'])
    expect(await eventsOf(id)).toHaveLength(3)
    const again = await share(id, to(reader))
    expect([again.status, again.body.id === shareId, await access(id, reader)]).toEqual([201, false, 'READ'])
    await expectCountersMatch()
  })

  it('requires EDIT access, the level of the share, and the asset of the share', async () => {
    const [reader, editor, owner] = [
      await organization.person(),
      await organization.person(),
      await organization.person(),
    ]
    const [{ id }, other] = [await makeAsset(author), await makeAsset(author)]
    const read = await shareAsset(server, author, id, 'USER', reader.id)
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    const administer = await shareAsset(server, author, id, 'USER', owner.id, { level: 'ADMIN' })
    const without = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    expect(refusalOf(await revoke(id, read, reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await revoke(id, read, without))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await revoke(other.id, read, reader))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect(refusalOf(await revoke(other.id, read))).toEqual([404, 'SHARE_NOT_FOUND'])
    expect(refusalOf(await revoke(id, administer, editor))).toEqual([403, 'SHARE_ABOVE_OWN_LEVEL'])
    expect((await revoke(id, read, editor)).status).toBe(204)
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await revoke(id, administer))).toEqual([409, 'ASSET_ARCHIVED'])
  })

  it('succeeds once in concurrent calls', async () => {
    const { id } = await makeAsset(author)
    const shareId = await shareAsset(server, author, id, 'USER', (await organization.person()).id)
    const responses = await Promise.all(Array.from({ length: 6 }, () => revoke(id, shareId)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(5).fill(404)])
    // One event for readers, one for the former grantee
    expect((await eventsOf(id)).filter(({ name }) => name === 'ai-asset.updated')).toHaveLength(2)
    await expectCountersMatch()
  })
})

/** Every way to find an asset: by its id, in lists, by search, by an entity, by author. */
async function met(id: string, person: Person): Promise<boolean[]> {
  const listed = async (query: object) => {
    const { items, total } = await person.call(listAssets, { query: { limit: 100, ...query } })
    expect(items).toHaveLength(total)
    return items.some(item => item.id === id)
  }
  const [{ name }] = (await server.sql<{ name: string }>('select name from asset where id = $1', [id])) as [
    { name: string },
  ]
  const linked = await person.call(listByEntity, { query: { entityType: 'met', entityId: id } })
  return [
    (await person.send(readAsset, { params: { id } })).status === 200,
    await listed({}),
    await listed({ visibility: 'PRIVATE', orderBy: 'recent' }),
    await listed({ search: name }),
    await listed({ authorId: author.id }),
    await listed({ entityType: 'met', entityId: id }),
    linked.total === 1,
  ]
}

describe('an expired share', () => {
  it('has no effect anywhere', async () => {
    const [reader, other] = [await organization.person(), await organization.person()]
    const { id } = await makeAsset(author)
    await linkAsset(author, id, 'met', id)
    const shareId = await shareAsset(server, author, id, 'USER', reader.id, { expiresAt: inDays(1) })
    await shareAsset(server, author, id, 'USER', other.id)
    expect(await met(id, reader)).toEqual(Array(7).fill(true))
    await expire(shareId)
    expect(await met(id, reader)).toEqual(Array(7).fill(false))
    expect((await shares(id)).body).toMatchObject({ total: 1, items: [{ granteeId: other.id }] })
    expect(refusalOf(await revoke(id, shareId))).toEqual([404, 'SHARE_NOT_FOUND'])
    const again = await share(id, to(reader))
    expect(again.body.id).not.toBe(shareId)
    expect(await met(id, reader)).toEqual(Array(7).fill(true))
    await expectCountersMatch()
  })

  it('restores its higher level to nobody', async () => {
    const editor = await organization.person()
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await expire(
      await shareAsset(server, author, id, 'USER', editor.id, { level: 'ADMIN', expiresAt: inDays(1) }),
    )
    expect(await access(id, editor)).toBe('READ')
    const body = { tags: ['x'] }
    expect(refusalOf(await editor.send(updateAsset, { params: { id }, body }))).toEqual([
      403,
      'ASSET_ACCESS_DENIED',
    ])
  })
})

describe('shares of people and units that leave', () => {
  it('are lost for a person who leaves the organization and rejoins', async () => {
    const reader = await organization.person()
    const [{ id }, groupShared] = [await makeAsset(author), await makeAsset(author)]
    const group = await makeUnit('GROUP', admin, [reader])
    await linkAsset(author, id, 'met', id)
    const shareId = await shareAsset(server, author, id, 'USER', reader.id, { level: 'ADMIN' })
    await shareAsset(server, author, groupShared.id, 'GROUP', group)
    expect(await met(id, reader)).toEqual(Array(7).fill(true))
    await admin.call(removeMember, { params: { personId: reader.id } })
    expect((await reader.send(readAsset, { params: { id } })).status).toBe(401)
    expect((await shares(id)).body).toMatchObject({ total: 0, items: [] })
    expect(refusalOf(await revoke(id, shareId))).toEqual([404, 'SHARE_NOT_FOUND'])

    await admin.call(createInvitation, { body: { email: reader.email, role: 'MEMBER' } })
    const body = { secret: invitationSecret(server, reader.email) }
    await server.client(await signInToken(server, reader)).call(acceptInvitationSignedIn, { body })
    expect(await met(id, reader)).toEqual(Array(7).fill(false))
    expect(await access(groupShared.id, reader)).toBe(404)
    expect((await shares(id)).body).toMatchObject({ total: 0, items: [] })
    const { token } = await reader.call(createStreamToken)
    const stream = await openStream(`${server.url}/api/studio/events?token=${token}`)
    await author.call(updateAsset, { params: { id }, body: { iconName: 'x' } })
    const open = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await stream.until(({ data }) => data?.assetId === open.id)
    expect(stream.events().filter(({ data }) => data?.assetId === id)).toEqual([])
    stream.close()

    const again = await share(id, to(reader))
    expect([again.status, again.body.id === shareId]).toEqual([201, false])
    expect(await met(id, reader)).toEqual(Array(7).fill(true))
  })

  it('are deleted with a group', async () => {
    const member = await organization.person()
    const [gone, stays] = [await makeUnit('GROUP', admin, [member]), await makeUnit('GROUP', admin)]
    const { id } = await makeAsset(author)
    for (const group of [gone, stays]) await shareAsset(server, author, id, 'GROUP', group)
    await admin.call(deleteGroup, { params: { id: gone } })
    expect(await access(id, member)).toBe(404)
    expect((await shares(id)).body).toMatchObject({ total: 1, items: [{ granteeId: stays }] })
    // Concurrently: the share is rejected, or deleted with its group
    const racing = await makeUnit('GROUP', admin)
    const [created] = await Promise.all([
      share(id, { granteeType: 'GROUP', granteeId: racing }),
      admin.send(deleteGroup, { params: { id: racing } }),
    ])
    expect([201, 400]).toContain(created.status)
    expect((await shares(id)).body.total).toBe(1)
  })

  it('give nothing to a person who leaves while an asset is shared with them', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => organization.person()))
    const { id } = await makeAsset(author)
    const responses = await Promise.all(
      people.flatMap(person => [
        share(id, to(person)),
        admin.send(removeMember, { params: { personId: person.id } }),
      ]),
    )
    expect(responses.every(({ status }) => [201, 204, 400].includes(status))).toBe(true)
    expect((await shares(id)).body.total).toBe(0)
  })
})

it('are removed some time after they expire', async () => {
  const { id } = await makeAsset(author)
  const ended: string[] = []
  for (const days of [limits.expiredShareDays + 1, limits.expiredShareDays - 1]) {
    const reader = await organization.person()
    ended.push(await shareAsset(server, author, id, 'USER', reader.id, { expiresAt: inDays(-days) }))
  }
  expect(await purgeExpiredShares(server.api.services.database)).toBe(1)
  const rows = await server.sql('select id from asset_share where id = any($1)', [ended])
  expect(rows).toEqual([{ id: ended[1] }])
})

describe('a shared asset in lists', () => {
  it('stays listed while the asset changes its bucket, and disappears with it', async () => {
    const [reader, member] = [await organization.person(), await organization.person()]
    const group = await makeUnit('GROUP', admin, [member, reader])
    const { id } = await makeAsset(author)
    const totals = async (query = {}) =>
      Promise.all(
        [reader, member].map(
          async who => (await who.call(listAssets, { query: { authorId: author.id, ...query } })).total,
        ),
      )
    const all = async () =>
      Promise.all(
        [reader, member].map(
          async who => (await who.call(listAssets, {})).items.filter(item => item.id === id).length,
        ),
      )
    const before = await Promise.all(
      [reader, member].map(async who => (await who.call(listAssets, {})).total),
    )
    const expectSeen = async (seen: boolean, query?: object) => {
      expect(await totals({ ...query, visibility: 'PRIVATE' })).toEqual(seen ? [1, 1] : [0, 0])
      await expectCountersMatch()
    }
    await shareAsset(server, author, id, 'GROUP', group)
    await expectSeen(true)
    await shareAsset(server, author, id, 'USER', reader.id)
    await expectSeen(true)
    expect(await all()).toEqual([1, 1])
    const after = await Promise.all([reader, member].map(async who => (await who.call(listAssets, {})).total))
    expect(after).toEqual(before.map(total => total + 1))
    await author.call(updateAsset, { params: { id }, body: { visibility: 'WORKSPACE' } })
    await expectSeen(false)
    expect(await all()).toEqual([1, 1])
    await author.call(updateAsset, { params: { id }, body: { visibility: 'PRIVATE' } })
    await author.call(archiveAsset, { params: { id } })
    await expectSeen(false)
    await expectSeen(true, { status: 'ARCHIVED' })
    await author.call(unarchiveAsset, { params: { id } })
    await expectSeen(true)
    await author.call(removeAsset, { params: { id } })
    await expectSeen(false)
    expect((await reader.call(listAssets, {})).total).toBe(before[0])
  })
})

/** The counters match the shares. Those of deleted units and earlier memberships are never read. */
async function expectCountersMatch(): Promise<void> {
  const rows = (source: string) =>
    server.sql(
      `select t.key, t.grantee_id, t.visibility, t.status_type, t.n from ${source} t
       where t.organization_id = $1 and t.n <> 0 and (
         exists (select from unit u where u.organization_id = t.organization_id and u.id = t.grantee_id)
         or exists (select from membership m where m.organization_id = t.organization_id and m.person_id = t.grantee_id
           and m.created_at = t.since))
       order by 1, 2, 3, 4`,
      [organization.id],
    )
  const counted = `(
    select s.organization_id, k.key, s.grantee_id, s.counted_visibility as visibility, s.counted_status_type as status_type, s.since,
      count(*)::integer as n
    from asset_share s cross join lateral unnest(case when s.counted_key = '' then array[''] else array['', s.counted_key] end) k (key)
    where s.counted_status_type > 0 group by 1, 2, 3, 4, 5, 6)`
  expect(await rows('share_bucket_count')).toEqual(await rows(counted))
  // A share may be counted one by one for longer than necessary, but never the reverse
  const wrong = await server.sql(
    `select s.id from asset_share s where s.counted_status_type > 0 and not (s.counted_status_type = s.status_type
       and s.counted_visibility = s.visibility and s.visibility in ('PRIVATE', 'WORKSPACE', 'DEPARTMENT')
       and s.expires_at is null and (s.unit_id is null or (s.visibility <> 'DEPARTMENT' and not exists (
         select from asset_share o
         where o.organization_id = s.organization_id and o.asset_id = s.asset_id and o.id <> s.id))))`,
  )
  expect(wrong).toEqual([])
}
