import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { listAssets, readAsset, removeAsset } from '#contract/studio/assets.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { createLink, listByEntity, listLinks, removeLink } from '#contract/studio/links.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { plantAssetLinks } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { emittedEvents, linkAsset, makeAsset, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

type Body = Input<typeof createLink>['body']
const link = (id: string, body: Body, person = author) => person.send(createLink, { params: { id }, body })
const unlink = (id: string, linkId: string, person = author) =>
  person.send(removeLink, { params: { id, linkId } })
const links = (id: string, person = author, query = {}) => person.send(listLinks, { params: { id }, query })
const ofEntity = (entityType: string, entityId: string, person = author, query = {}) =>
  person.call(listByEntity, { query: { entityType, entityId, ...query } })
const events = async (id: string) => (await emittedEvents(server, organization.id, id)).slice(1)
const audited = async (id: string) => {
  await server.relayed()
  return server.sql(
    `select operation, changed from audit where subject = $1 and operation like '%links%' order by seq`,
    [id],
  )
}

describe('POST /assets/:id/links', () => {
  it('links an asset to an entity and emits an event', async () => {
    const { id, slug } = await makeAsset(author)
    const { status, body } = await link(id, { entityType: 'lead', entityId: 'L/1', note: 'For the offer' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        assetId: id,
        entityType: 'lead',
        entityId: 'L/1',
        note: 'For the offer',
        createdBy: { id: author.id, name: author.name },
        createdAt: expect.any(String),
      },
    ])
    expect((await links(id)).body).toEqual({ items: [body], total: 1, limit: 20, offset: 0 })
    const data = { assetId: id, slug, linkId: body.id, entityType: 'lead', entityId: 'L/1' }
    expect(await events(id)).toEqual([{ name: 'ai-asset.linked', actor_id: author.id, data }])
    expect(await audited(id)).toEqual([
      { operation: 'POST /api/studio/assets/:id/links', changed: ['links'] },
    ])
  })

  it('returns an existing link unchanged and emits no event', async () => {
    const { id } = await makeAsset(author)
    const first = await link(id, { entityType: 'lead', entityId: '1' })
    expect(first.body.note).toBeNull()
    const again = await link(id, { entityType: 'lead', entityId: '1', note: 'Another' })
    expect([again.status, again.body]).toEqual([201, first.body])
    // Another entity
    for (const body of [
      { entityType: 'Lead', entityId: '1' },
      { entityType: 'lead', entityId: '1 ' },
    ]) {
      expect((await link(id, body)).body.id).not.toBe(first.body.id)
    }
    expect((await events(id)).map(({ name }) => name)).toEqual(Array(3).fill('ai-asset.linked'))
    expect((await audited(id))[1]).toMatchObject({ changed: [] })
  })

  it('creates one link in concurrent calls', async () => {
    const { id } = await makeAsset(author)
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => link(id, { entityType: 'lead', entityId: 'x', note: `${n}` })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(await events(id)).toHaveLength(1)
  })

  it.each<[string, Body]>([
    ['no kind', { entityId: '1' } as Body],
    ['no id', { entityType: 'lead' } as Body],
    ['an empty kind', { entityType: '', entityId: '1' }],
    ['an empty id', { entityType: 'lead', entityId: '' }],
    ['a kind of 65', { entityType: 'x'.repeat(65), entityId: '1' }],
    ['an id of 256', { entityType: 'lead', entityId: 'x'.repeat(256) }],
    ['a note of 1001', { entityType: 'lead', entityId: '1', note: 'x'.repeat(1_001) }],
    ['a note that is null', { entityType: 'lead', entityId: '1', note: null as never }],
    ['an unknown field', { entityType: 'lead', entityId: '1', x: 1 } as Body],
  ])('rejects %s', async (_, body) => {
    const { id } = await makeAsset(author)
    expect(refusalOf(await link(id, body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('accepts texts of the maximum length', async () => {
    const { id } = await makeAsset(author)
    const body = { entityType: '🦉'.repeat(64), entityId: '日'.repeat(255), note: '🦉'.repeat(1_000) }
    expect((await link(id, body)).body).toMatchObject(body)
    expect((await ofEntity(body.entityType, body.entityId)).total).toBe(1)
  })

  it('requires EDIT access and STUDIO_EDIT', async () => {
    const [reader, editor, stranger, viewer] = [
      await organization.person(),
      await organization.person(),
      await organization.person(),
      await organization.person({ permissions: ['STUDIO_VIEW'] }),
    ]
    const outsider = await (await server.organization()).person({ role: 'OWNER' })
    const { id } = await makeAsset(author)
    await shareAsset(server, author, id, 'USER', reader.id)
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    const body = { entityType: 'lead', entityId: 'access' }
    expect(refusalOf(await link(id, body, reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await link(id, body, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    const unseen = await Promise.all(
      [stranger, outsider].flatMap(person => [link(id, body, person), link(newId(), body, person)]),
    )
    for (const response of unseen)
      expect([...refusalOf(response), response.text]).toEqual([404, 'ASSET_NOT_FOUND', firstOf(unseen).text])
    expect((await links(id)).body.total).toBe(0)
    expect((await link(id, body, editor)).status).toBe(201)
  })

  it('rejects archived assets and more links than the limit', async () => {
    const { id } = await makeAsset(author)
    await plantAssetLinks(server, author, id, limits.linksPerAsset - 1)
    const body = (entityId: string) => ({ entityType: 'lead', entityId })
    const last = await Promise.all(['a', 'b', 'c'].map(entityId => link(id, body(entityId))))
    expect(last.map(refusalOf).sort()).toEqual([
      [201, undefined],
      [409, 'TOO_MANY_LINKS'],
      [409, 'TOO_MANY_LINKS'],
    ])
    expect((await link(id, body('1'))).status).toBe(201)
    expect((await links(id)).body.total).toBe(limits.linksPerAsset)
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await link(id, body('1')))).toEqual([409, 'ASSET_ARCHIVED'])
  })
})

describe('GET /assets/:id/links', () => {
  it('lists links newest first, in pages, for readers', async () => {
    const reader = await organization.person({ permissions: ['STUDIO_VIEW'] })
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const ids: string[] = []
    for (const n of ['1', '2', '3']) ids.unshift(await linkAsset(author, id, 'lead', n))
    const page = async (query = {}) => {
      const { items, ...rest } = (await links(id, reader, query)).body
      return [items.map(item => item.id), rest]
    }
    expect(await page()).toEqual([ids, { total: 3, limit: 20, offset: 0 }])
    expect(await page({ limit: 1, offset: 1 })).toEqual([[ids[1]], { total: 3, limit: 1, offset: 1 }])
    expect(await page({ offset: 3 })).toEqual([[], { total: 3, limit: 20, offset: 3 }])
    const secret = await makeAsset(author)
    expect(refusalOf(await links(secret.id, reader))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect((await links(secret.id, reader)).text).toBe((await links(newId(), reader)).text)
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    expect(refusalOf(await links(id, limited))).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('DELETE /assets/:id/links/:linkId', () => {
  it('deletes the link and emits an event', async () => {
    const { id, slug } = await makeAsset(author)
    const linkId = await linkAsset(author, id, 'lead', 'gone')
    expect([(await unlink(id, linkId)).status, (await links(id)).body.total]).toEqual([204, 0])
    expect((await events(id)).slice(1)).toEqual([
      {
        name: 'ai-asset.updated',
        actor_id: author.id,
        data: { assetId: id, slug, changes: ['links'] },
      },
    ])
    expect((await audited(id))[1]).toEqual({
      operation: 'DELETE /api/studio/assets/:id/links/:linkId',
      changed: ['links'],
    })
    expect(refusalOf(await unlink(id, linkId))).toEqual([404, 'LINK_NOT_FOUND'])
    expect(await events(id)).toHaveLength(2)
  })

  it('requires EDIT access to the linked asset', async () => {
    const [reader, viewer] = [
      await organization.person(),
      await organization.person({ permissions: ['STUDIO_VIEW'] }),
    ]
    const [one, other] = [await makeAsset(author, { visibility: 'ORGANIZATION' }), await makeAsset(author)]
    const linkId = await linkAsset(author, one.id, 'lead', 'kept')
    expect(refusalOf(await unlink(one.id, linkId, reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await unlink(one.id, linkId, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await unlink(other.id, linkId, reader))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect(refusalOf(await unlink(other.id, linkId))).toEqual([404, 'LINK_NOT_FOUND'])
    await author.call(archiveAsset, { params: { id: one.id } })
    expect(refusalOf(await unlink(one.id, linkId))).toEqual([409, 'ASSET_ARCHIVED'])
    expect((await links(one.id)).body.total).toBe(1)
  })

  it('succeeds once in concurrent calls', async () => {
    const { id } = await makeAsset(author)
    const linkId = await linkAsset(author, id, 'lead', 'race')
    const responses = await Promise.all(Array.from({ length: 6 }, () => unlink(id, linkId)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(5).fill(404)])
    expect((await events(id)).filter(({ name }) => name === 'ai-asset.updated')).toHaveLength(1)
  })
})

describe('GET /links/by-entity', () => {
  it('lists the linked assets, newest link first, as in lists', async () => {
    const assets = [await makeAsset(author), await makeAsset(author), await makeAsset(author)]
    const ids: string[] = []
    for (const { id } of assets) ids.push(await linkAsset(author, id, 'ticket', 'T-1'))
    await linkAsset(author, firstOf(assets).id, 'ticket', 'T-2')
    const { items, ...rest } = await ofEntity('ticket', 'T-1')
    expect(rest).toEqual({ total: 3, limit: 20, offset: 0 })
    expect(items.map(({ linkId }) => linkId)).toEqual([...ids].reverse())
    const shown = await author.call(readAsset, { params: { id: itemAt(assets, 2).id } })
    const { bodyMarkdown, frontmatter, frontmatterText, ...asset } = shown
    expect(items[0]).toEqual({ linkId: ids[2], note: null, linkedAt: expect.any(String), asset })
    expect(only((await ofEntity('ticket', 'T-1', author, { limit: 1, offset: 2 })).items).linkId).toBe(ids[0])
    expect(await ofEntity('ticket', 'T-1', author, { offset: 3 })).toMatchObject({ items: [], total: 3 })
    expect(await ofEntity('ticket', 'T-3')).toMatchObject({ items: [], total: 0 })
    expect(await ofEntity('Ticket', 'T-1')).toMatchObject({ items: [], total: 0 })
  })

  it('lists and counts the assets that the caller may read, including archived but not deleted ones', async () => {
    const admin = await organization.person({ role: 'ADMIN' })
    const [inDepartment, shared, nobody] = [
      await organization.person(),
      await organization.person(),
      await organization.person(),
    ]
    const departments = [await makeUnit('DEPARTMENT', admin, [inDepartment])]
    const newLink = {
      secret: await makeAsset(author),
      department: await makeAsset(author, { visibility: 'DEPARTMENT', departments }),
      open: await makeAsset(author, { visibility: 'ORGANIZATION' }),
      archived: await makeAsset(author, { visibility: 'ORGANIZATION' }),
      deleted: await makeAsset(author, { visibility: 'ORGANIZATION' }),
    }
    for (const { id } of Object.values(newLink)) await linkAsset(author, id, 'ticket', 'access')
    await shareAsset(server, author, newLink.secret.id, 'USER', shared.id)
    await author.call(archiveAsset, { params: { id: newLink.archived.id } })
    await author.call(removeAsset, { params: { id: newLink.deleted.id } })
    const visible = async (person: Person) => {
      const { items, total } = await ofEntity('ticket', 'access', person)
      expect(items).toHaveLength(total)
      return items.map(({ asset }) => asset.id)
    }
    const { secret, department, open, archived } = newLink
    expect(await visible(nobody)).toEqual([archived.id, open.id])
    expect(await visible(inDepartment)).toEqual([archived.id, open.id, department.id])
    expect(await visible(shared)).toEqual([archived.id, open.id, secret.id])
    for (const person of [author, admin]) {
      expect(await visible(person)).toEqual([archived.id, open.id, department.id, secret.id])
    }
    const outsider = await (await server.organization()).person({ role: 'OWNER' })
    expect(await visible(outsider)).toEqual([])
    // The filter of the asset list omits archived assets, like every list
    const query = { entityType: 'ticket', entityId: 'access', orderBy: 'recent' as const }
    expect((await nobody.call(listAssets, { query })).items.map(({ id }) => id)).toEqual([open.id])
  })

  it.each([
    {},
    { entityType: 'ticket' },
    { entityId: 'T-1' },
    { entityType: '', entityId: 'T-1' },
    { entityType: 'x'.repeat(65), entityId: '1' },
    { entityType: 'ticket', entityId: 'x'.repeat(256) },
    { entityType: 'ticket', entityId: '1', limit: 101 },
    { entityType: 'ticket', entityId: '1', offset: 10_001 },
  ])('rejects %o', async query => {
    expect(refusalOf(await author.send(listByEntity, { query: query as never }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  it('requires STUDIO_VIEW', async () => {
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    const query = { entityType: 'ticket', entityId: '1' }
    expect(refusalOf(await limited.send(listByEntity, { query }))).toEqual([403, 'PERMISSION_DENIED'])
  })
})
