import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { createAsset, readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import {
  addToCollection,
  readCollection,
  removeCollection,
  removeFromCollection,
} from '#contract/studio/collections.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { newId } from '#platform/ids.ts'
import { streamToken } from '#tests/invariants/home.ts'
import { blocked } from '#tests/support/blocked.ts'
import { firstOf, makeAll } from '#tests/support/elements.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertCopies, insertMany } from '#tests/support/rows.ts'
import { emittedEvents, makeAsset, makeCollection, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
let colleague: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
  colleague = await organization.person()
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server.close())

const add = (id: string, assetId: string, who = person) =>
  who.send(addToCollection, { params: { id }, body: { assetId } })
const takeOut = (id: string, assetId: string, who = person) =>
  who.send(removeFromCollection, { params: { id, assetId } })
const count = async (id: string, who = person) =>
  (await who.call(readCollection, { params: { id } })).assetCount
const filedIn = async (assetId: string, who = person) =>
  (await who.call(readAsset, { params: { id: assetId } })).collectionIds
const changes = async (assetId: string) =>
  (await emittedEvents(server, organization.id, assetId)).map(({ name, data }) => [name, data.changes])
const unfilings = ['ai-asset.updated', ['collectionIds']]
async function lastAudit(id: string) {
  await server.relayed()
  const [row] = await server.sql(
    'select operation, changed from audit where subject = $1 order by seq desc limit 1',
    [id],
  )
  return row
}

describe('POST /collections/:id/assets', () => {
  it('adds an asset once and emits one event', async () => {
    const [id, asset] = [await makeCollection(person), await makeAsset(person)]
    const first = await add(id, asset.id)
    expect([first.status, first.body]).toEqual([
      201,
      { collectionId: id, assetId: asset.id, addedAt: expect.any(String) },
    ])
    const changed = [`assets.${asset.id}`]
    expect(await lastAudit(id)).toEqual({ operation: 'POST /api/studio/collections/:id/assets', changed })
    const again = await add(id, asset.id)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await lastAudit(id)).toMatchObject({ changed: [] })
    expect(await emittedEvents(server, organization.id, asset.id)).toEqual([
      expect.objectContaining({ name: 'ai-asset.created' }),
      {
        name: 'ai-asset.updated',
        actor_id: person.id,
        data: { assetId: asset.id, slug: asset.slug, changes: ['collectionIds'] },
      },
    ])
    expect([await count(id), await filedIn(asset.id)]).toEqual([1, [id]])
  })

  it('adds it once in concurrent calls', async () => {
    const [id, asset] = [await makeCollection(person), await makeAsset(person)]
    const responses = await Promise.all(Array.from({ length: 8 }, () => add(id, asset.id)))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect([await count(id), (await changes(asset.id)).length]).toEqual([1, 2])
  })

  it('counts an asset in the right bucket when its visibility changes at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const [id, asset] = [await makeCollection(person), await makeAsset(person)]
      const params = { id: asset.id }
      const opened = person.send(updateAsset, { params, body: { visibility: 'ORGANIZATION' } })
      const responses = await Promise.all([opened, add(id, asset.id)])
      expect(responses.map(({ status }) => status)).toEqual([200, 201])
      expect(await count(id, colleague)).toBe(1)
    }
  })

  it('requires READ access and STUDIO_EDIT, also for archived assets, and does not change the asset', async () => {
    const id = await makeCollection(person)
    const asset = await makeAsset(person, { visibility: 'ORGANIZATION' })
    await person.call(archiveAsset, { params: { id: asset.id } })
    const before = await person.call(readAsset, { params: { id: asset.id } })
    expect((await add(id, asset.id, colleague)).status).toBe(201)
    const after = await person.call(readAsset, { params: { id: asset.id } })
    expect(after).toEqual({ ...before, collectionIds: [id] })
    const viewer = await organization.person({
      permissions: ['STUDIO_VIEW', 'STUDIO_CREATE', 'STUDIO_DELETE'],
    })
    expect(refusalOf(await add(id, asset.id, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await takeOut(id, asset.id, viewer))).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('returns the same error for missing and unreadable assets', async () => {
    const [id, foreignCollection] = [await makeCollection(person), await makeCollection(stranger)]
    const [mine, foreign] = [
      await makeAsset(person),
      await makeAsset(stranger, { visibility: 'ORGANIZATION' }),
    ]
    const hidden = await makeAsset(colleague)
    const deleted = await makeAsset(person)
    await person.call(removeAsset, { params: { id: deleted.id } })
    for (const operation of [add, takeOut]) {
      const unknown = await operation(id, newId())
      expect(refusalOf(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
      for (const { id: assetId } of [foreign, hidden, deleted])
        expect((await operation(id, assetId)).text).toBe(unknown.text)
      const nowhere = await operation(newId(), mine.id)
      expect(refusalOf(nowhere)).toEqual([404, 'COLLECTION_NOT_FOUND'])
      expect((await operation(foreignCollection, mine.id)).text).toBe(nowhere.text)
      expect(refusalOf(await operation(newId(), newId()))).toEqual([404, 'COLLECTION_NOT_FOUND'])
    }
    expect(
      await server.sql('select 1 from collection_asset where collection_id = any($1)', [
        [id, foreignCollection],
      ]),
    ).toEqual([])
  })

  it.each([
    ['no asset', {}],
    ['an asset that is a number', { assetId: 1 }],
    ['an unknown field', { assetId: 'x', position: 1 }],
  ])('rejects %s', async (_, body) => {
    const response = await person.send(addToCollection, {
      params: { id: await makeCollection(person) },
      body: body as never,
    })
    expect(refusalOf(response)).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('limits the collections of an asset, also in concurrent calls', async () => {
    const ids = await Promise.all(
      Array.from({ length: limits.assetCollections + 2 }, () => makeCollection(person)),
    )
    const asset = await makeAsset(person, { collectionIds: ids.slice(0, limits.assetCollections - 1) })
    const responses = await Promise.all(ids.slice(-3).map(id => add(id, asset.id)))
    expect(responses.map(refusalOf).sort()).toEqual([
      [201, undefined],
      [409, 'TOO_MANY_COLLECTIONS'],
      [409, 'TOO_MANY_COLLECTIONS'],
    ])
    expect((await add(firstOf(ids), asset.id)).status).toBe(201)
    expect(await filedIn(asset.id)).toHaveLength(limits.assetCollections)
    const body = {
      type: 'PROMPT' as const,
      name: 'x',
      collectionIds: ids.slice(0, limits.assetCollections + 1),
    }
    expect(refusalOf(await person.send(createAsset, { body }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('DELETE /collections/:id/assets/:assetId', () => {
  it('removes the asset, and does nothing if it is not in the collection', async () => {
    const [id, other, asset] = [
      await makeCollection(person),
      await makeCollection(person),
      await makeAsset(person),
    ]
    await add(id, asset.id)
    await add(other, asset.id)
    const first = await takeOut(id, asset.id)
    expect([first.status, first.text]).toEqual([204, ''])
    const operation = 'DELETE /api/studio/collections/:id/assets/:assetId'
    expect(await lastAudit(id)).toEqual({ operation, changed: [`assets.${asset.id}`] })
    expect((await takeOut(id, asset.id)).status).toBe(204)
    expect(await lastAudit(id)).toEqual({ operation, changed: [] })
    expect([await count(id), await count(other), await filedIn(asset.id)]).toEqual([0, 1, [other]])
    expect((await changes(asset.id)).slice(1)).toEqual([unfilings, unfilings, unfilings])
  })

  it('counts correctly when assets are added and removed concurrently', async () => {
    const [id, asset] = [await makeCollection(person), await makeAsset(person)]
    for (let round = 0; round < 5; round++) {
      await Promise.all([add(id, asset.id), takeOut(id, asset.id), add(id, asset.id), takeOut(id, asset.id)])
      expect(await count(id)).toBe((await filedIn(asset.id)).length)
    }
  })
})

describe('deleting a collection', () => {
  it('removes the assets from it and emits an event for each', async () => {
    const id = await makeCollection(person)
    const assets = await makeAll(3, () => makeAsset(person, { collectionIds: [id] }))
    await person.call(removeAsset, { params: { id: assets[2].id } })
    await person.call(removeCollection, { params: { id } })
    for (const asset of assets.slice(0, 2)) {
      expect(await filedIn(asset.id)).toEqual([])
      expect((await changes(asset.id)).slice(1)).toEqual([unfilings])
    }
    expect((await changes(assets[2].id)).at(-1)).toEqual(['ai-asset.deleted', undefined])
    expect(await server.sql('select 1 from collection_bucket_count where collection_id = $1', [id])).toEqual(
      [],
    )
  })

  it('emits a limited number of events for a large collection', async () => {
    const id = await makeCollection(person)
    const asset = await makeAsset(person)
    await insertCopies(server, 'asset', { id: asset.id }, limits.unfiledAnnounced + 1, n => ({
      id: `${asset.id}${n}`,
      slug: `${asset.slug}${n}`,
    }))
    await insertMany(server, 'collection_asset', limits.unfiledAnnounced + 1, n => ({
      organization_id: organization.id,
      collection_id: id,
      asset_id: `${asset.id}${n}`,
      added_by: person.id,
    }))
    await person.call(removeCollection, { params: { id } })
    const events = (await emittedEvents(server, organization.id)).filter(({ data }) =>
      String(data.assetId).startsWith(`${asset.id}`),
    )
    expect(events.length).toBe(1 + limits.unfiledAnnounced)
    expect(await server.sql('select 1 from collection_asset where collection_id = $1', [id])).toEqual([])
  })

  it('does not break concurrent changes of its assets', async () => {
    const id = await makeCollection(person)
    const asset = await makeAsset(person, { collectionIds: [id] })
    const deleter = new pg.Client({ connectionString: server.config.databaseUrl })
    await deleter.connect()
    await deleter.query('begin')
    await deleter.query('delete from collection where id = $1', [id])
    const moving = person.send(updateAsset, {
      params: { id: asset.id },
      body: { visibility: 'ORGANIZATION' },
    })
    await blocked(server)
    await deleter.query('commit')
    await deleter.end()
    expect((await moving).body).toMatchObject({ visibility: 'ORGANIZATION', collectionIds: [] })
  })

  it('leaves nothing behind when an asset is added at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const [id, asset] = [await makeCollection(person), await makeAsset(person)]
      const filing = await makeAsset(person, { collectionIds: [id] })
      const [removed, added, made, moved, taken] = await Promise.all([
        person.send(removeCollection, { params: { id } }),
        add(id, asset.id),
        person.send(createAsset, { body: { type: 'PROMPT', name: 'x', collectionIds: [id] } }),
        person.send(updateAsset, { params: { id: filing.id }, body: { visibility: 'ORGANIZATION' } }),
        takeOut(id, filing.id),
      ])
      expect([removed.status, moved.status]).toEqual([204, 200])
      for (const response of [added, made]) {
        if (response.status !== 201) expect(refusalOf(response)).toEqual([404, 'COLLECTION_NOT_FOUND'])
      }
      if (taken.status !== 204) expect(refusalOf(taken)).toEqual([404, 'COLLECTION_NOT_FOUND'])
      for (const table of ['collection_asset', 'collection_bucket_count']) {
        expect(await server.sql(`select 1 from ${table} where collection_id = $1`, [id])).toEqual([])
      }
    }
  })
})

it('emits events to the readers of the asset only', async () => {
  const [id, asset] = [await makeCollection(person), await makeAsset(person)]
  await shareAsset(server, person, asset.id, 'USER', colleague.id)
  const outsider = await organization.person()
  await server.relayed()
  const open = async (who: Person) =>
    openStream(`${server.url}/api/studio/events?token=${await streamToken(server, who)}`)
  const [reading, other] = [await open(colleague), await open(outsider)]
  await Promise.all([reading, other].map(stream => stream.until(({ event }) => event === 'connected')))
  await add(id, asset.id)
  const last = await makeAsset(person, { visibility: 'ORGANIZATION' })
  for (const stream of [reading, other]) await stream.until(({ data }) => data?.assetId === last.id)
  const received = (stream: typeof reading) =>
    stream.events().filter(({ data }) => data?.assetId === asset.id)
  expect(received(reading)).toMatchObject([{ event: 'asset-updated', data: { changes: ['collectionIds'] } }])
  expect(received(other)).toEqual([])
  for (const stream of [reading, other]) stream.close()
})
