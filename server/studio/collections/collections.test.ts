import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import {
  createCollection,
  listCollections,
  readCollection,
  removeCollection,
  updateCollection,
} from '#contract/studio/collections.ts'
import { isId, newId } from '#platform/ids.ts'
import { defined, exactly, findIn, firstOf, lastOf } from '#tests/support/elements.ts'
import { plantCollections } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { makeCollection } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server.close())

type Body = Input<typeof updateCollection>['body']
const create = (body: Input<typeof createCollection>['body'], who = person) =>
  who.send(createCollection, { body })
const read = (id: string, who = person) => who.send(readCollection, { params: { id } })
const patch = (id: string, body: Body, who = person) => who.send(updateCollection, { params: { id }, body })
const remove = (id: string, who = person) => who.send(removeCollection, { params: { id } })
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort()
/** A chain of nested collections. Returns their ids from the top. */
async function chain(length: number, who = person): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < length; at++) ids.push(await makeCollection(who, { parentId: ids.at(-1) ?? null }))
  return ids
}
async function lastAudit(id: string) {
  await server.relayed()
  const [row] = await server.sql(
    'select actor_id, operation, changed from audit where subject = $1 order by seq desc limit 1',
    [id],
  )
  return row
}

describe('POST /collections', () => {
  it('accepts a name alone', async () => {
    const { status, body } = await create({ name: ' Año Nuevo ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Año Nuevo',
      description: '',
      parentId: null,
      iconName: null,
      color: null,
      position: 0,
      ownerId: person.id,
      assetCount: 0,
      childCount: 0,
      path: [{ id: body.id, name: 'Año Nuevo' }],
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    })
    expect(isId(body.id)).toBe(true)
    expect((await read(body.id)).body).toEqual(body)
    expect(await lastAudit(body.id)).toEqual({
      actor_id: person.id,
      operation: 'POST /api/studio/collections',
      changed: [],
    })
  })

  it('stores all fields and returns the path from the top', async () => {
    const [top, middle] = exactly(2, await chain(2))
    const input = { description: 'd'.repeat(2_000), iconName: 'box', color: 'hsl(0 0% 0%)', position: 7 }
    const { body } = await create({ name: 'Deep', parentId: middle, ...input })
    expect(body).toMatchObject({ ...input, parentId: middle })
    expect(body.path.map(({ id }) => id)).toEqual([top, middle, body.id])
    expect([(await read(top)).body.childCount, (await read(middle)).body.childCount]).toEqual([1, 1])
  })

  it('rejects the name of a sibling in any case and accents, and accepts it elsewhere', async () => {
    const name = `Gestión ${newId()}`
    const parentId = (await create({ name })).body.id
    for (const same of [
      name,
      ` ${name}`,
      name.toUpperCase(),
      name.replace('ó', 'o'),
      name.normalize('NFD'),
    ]) {
      expect(refusalOf(await create({ name: same }))).toEqual([409, 'COLLECTION_NAME_TAKEN'])
    }
    expect((await create({ name, parentId })).status).toBe(201)
    expect(refusalOf(await create({ name, parentId }))).toEqual([409, 'COLLECTION_NAME_TAKEN'])
    expect((await create({ name }, stranger)).status).toBe(201)
  })

  it('returns the same error for a parent that does not exist or is foreign', async () => {
    const foreignCollection = await makeCollection(stranger)
    const [unknown, foreign] = [
      await create({ name: 'x', parentId: newId() }),
      await create({ name: 'x', parentId: foreignCollection }),
    ]
    expect(refusalOf(unknown)).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(foreign.text).toBe(unknown.text)
  })

  it('limits the depth', async () => {
    const ids = await chain(limits.collectionDepth)
    expect((await read(lastOf(ids))).body.path).toHaveLength(limits.collectionDepth)
    expect(refusalOf(await create({ name: 'x', parentId: lastOf(ids) }))).toEqual([
      409,
      'COLLECTION_TOO_DEEP',
    ])
  })

  it('limits the number of collections of an organization', async () => {
    const full = await (await server.organization()).person()
    const fill = (n: number) => plantCollections(server, full, n)
    await fill(limits.collectionsPerOrganization - 1)
    expect((await create({ name: 'The last one' }, full)).status).toBe(201)
    expect(refusalOf(await create({ name: 'One too many' }, full))).toEqual([409, 'TOO_MANY_COLLECTIONS'])
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \t' }],
    ['a name of 121', { name: 'x'.repeat(121) }],
    ['a description of 2,001', { name: 'x', description: 'x'.repeat(2_001) }],
    ['an icon name of 65', { name: 'x', iconName: 'x'.repeat(65) }],
    ['a color of 33', { name: 'x', color: 'x'.repeat(33) }],
    ['a position below 0', { name: 'x', position: -1 }],
    ['a position above a million', { name: 'x', position: 1_000_001 }],
    ['a position that is text', { name: 'x', position: '1' }],
    ['a parent that is not a string', { name: 'x', parentId: 1 }],
    ['an unknown field', { name: 'x', ownerId: 'x' }],
  ])('rejects %s', async (_, body) => {
    expect(refusalOf(await create(body as never))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('accepts a name of 120 characters of any kind', async () => {
    for (const letter of ['🦉', 'ﷺ']) expect((await create({ name: letter.repeat(120) })).status).toBe(201)
  })

  it('creates one collection when many with the same name are created concurrently', async () => {
    const parentId = await makeCollection(person)
    const name = 'Same'
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name, parentId })))
    expect(statuses(responses)).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    expect(new Set(responses.map(({ body }) => refusalOf({ status: 409, body })[1]))).toEqual(
      new Set([undefined, 'COLLECTION_NAME_TAKEN']),
    )
    const { body } = await person.send(listCollections, { query: { parentId } })
    expect(body.total).toBe(1)
  })
})

describe('GET /collections/:id', () => {
  it('is available to every member of the organization, and to nobody else', async () => {
    const id = await makeCollection(person)
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect((await read(id, viewer)).body.ownerId).toBe(person.id)
    const [foreign, unknown] = [await read(id, stranger), await read(newId(), stranger)]
    expect(refusalOf(foreign)).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(foreign.text).toBe(unknown.text)
  })
})

describe('PATCH /collections/:id', () => {
  it('changes the given fields only', async () => {
    const id = await makeCollection(person, { description: 'Before', iconName: 'a', color: 'b', position: 1 })
    const before = (await read(id)).body
    const input = { name: `Después ${newId()}`, description: '', iconName: null, color: 'c', position: 2 }
    const { status, body } = await patch(id, input)
    expect(status).toBe(200)
    const path = [{ id, name: input.name }]
    expect(body).toEqual({ ...before, ...input, path, updatedAt: expect.any(String) })
    expect(body.updatedAt > before.updatedAt).toBe(true)
    expect((await read(id)).body).toEqual(body)
    expect(await lastAudit(id)).toEqual({
      actor_id: person.id,
      operation: 'PATCH /api/studio/collections/:id',
      changed: ['name', 'description', 'iconName', 'color', 'position'],
    })
  })

  it('writes nothing without changes', async () => {
    const parentId = await makeCollection(person)
    const id = await makeCollection(person, { parentId })
    const before = (await read(id)).body
    for (const body of [{}, { name: ` ${before.name} ` }, { parentId }, { iconName: null, position: 0 }]) {
      expect(await patch(id, body)).toMatchObject({ status: 200, body: before })
    }
    expect(await lastAudit(id)).toMatchObject({ changed: [] })
  })

  it('accepts its own name in another spelling, but not the name of a sibling', async () => {
    const [one, other] = [`Uno ${newId()}`, `Otro ${newId()}`]
    const { id } = (await create({ name: one })).body
    await create({ name: other })
    expect((await patch(id, { name: one.toUpperCase() })).body.name).toBe(one.toUpperCase())
    expect(refusalOf(await patch(id, { name: other.toUpperCase() }))).toEqual([409, 'COLLECTION_NAME_TAKEN'])
    expect((await read(id)).body.name).toBe(one.toUpperCase())
  })

  it('moves a collection with everything below it, without changing their times', async () => {
    const [top, middle, low] = (await chain(3)) as [string, string, string]
    const target = await makeCollection(person)
    const lowBefore = (await read(low)).body
    const moved = await patch(middle, { parentId: target })
    expect([moved.status, moved.body.parentId]).toEqual([200, target])
    const after = (await read(low)).body
    expect(after.path.map(({ id }) => id)).toEqual([target, middle, low])
    expect(after).toEqual({ ...lowBefore, path: after.path })
    expect((await read(top)).body.childCount).toBe(0)
    expect((await patch(middle, { parentId: null })).body.path.map(({ id }) => id)).toEqual([middle])
    expect(await lastAudit(middle)).toMatchObject({ changed: ['parentId'] })
  })

  it('does not move a collection into itself or below itself', async () => {
    const [top, middle, low] = (await chain(3)) as [string, string, string]
    for (const parentId of [top, middle, low]) {
      expect(refusalOf(await patch(top, { parentId }))).toEqual([409, 'COLLECTION_CYCLE'])
    }
    expect((await read(low)).body.path.map(({ id }) => id)).toEqual([top, middle, low])
  })

  it('does not move a collection where its subtree would be too deep', async () => {
    const half = limits.collectionDepth / 2
    const tall = (await chain(half + 1)) as [string, ...string[]]
    const [low, fits] = [lastOf(await chain(half)), lastOf(await chain(half - 1))]
    expect(refusalOf(await patch(tall[0], { parentId: low }))).toEqual([409, 'COLLECTION_TOO_DEEP'])
    expect((await patch(tall[0], { parentId: fits })).status).toBe(200)
    expect((await read(defined(tall.at(-1)))).body.path).toHaveLength(limits.collectionDepth)
  })

  it('does not move a collection next to one with the same name', async () => {
    const name = `Twin ${newId()}`
    const parentId = await makeCollection(person)
    await create({ name, parentId })
    const { id } = (await create({ name })).body
    expect(refusalOf(await patch(id, { parentId }))).toEqual([409, 'COLLECTION_NAME_TAKEN'])
  })

  it('returns the same error for a collection that does not exist or is foreign', async () => {
    const [id, foreignCollection] = [await makeCollection(person), await makeCollection(stranger)]
    const pairs = [
      {
        unknown: await patch(newId(), { name: 'x' }),
        foreign: await patch(foreignCollection, { name: 'x' }),
      },
      {
        unknown: await patch(id, { parentId: newId() }),
        foreign: await patch(id, { parentId: foreignCollection }),
      },
    ]
    for (const { unknown, foreign } of pairs) {
      expect(refusalOf(unknown)).toEqual([404, 'COLLECTION_NOT_FOUND'])
      expect(foreign.text).toBe(unknown.text)
    }
  })

  it('prevents a cycle when two collections move into each other concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const [a, b] = [await makeCollection(person), await makeCollection(person)]
      const below = await makeCollection(person, { parentId: b })
      const responses = await Promise.all([patch(a, { parentId: below }), patch(b, { parentId: a })])
      expect(statuses(responses)).toEqual([200, 409])
      const loser = findIn(responses, ({ status }) => status === 409)
      expect(refusalOf(loser)).toEqual([409, 'COLLECTION_CYCLE'])
      expect([2, 3]).toContain((await read(below)).body.path.length)
    }
  })

  it('prevents a tree that is too deep when moves and creations run concurrently', async () => {
    const half = limits.collectionDepth / 2
    for (let round = 0; round < 4; round++) {
      const [upper, lower] = [await chain(half), await chain(half)]
      const responses = await Promise.all([
        patch(firstOf(lower), { parentId: lastOf(upper) }),
        create({ name: 'x', parentId: lastOf(lower) }),
      ])
      expect(responses.filter(({ status }) => status === 409).map(refusalOf)).toEqual([
        [409, 'COLLECTION_TOO_DEEP'],
      ])
    }
  })
})

describe('DELETE /collections/:id', () => {
  it('rejects a collection with children and returns their number', async () => {
    const parentId = await makeCollection(person)
    const children = [await makeCollection(person, { parentId }), await makeCollection(person, { parentId })]
    const refused = await remove(parentId)
    expect(refusalOf(refused)).toEqual([409, 'COLLECTION_HAS_CHILDREN'])
    expect(refused.body).toMatchObject({ childCount: 2 })
    for (const id of children) expect((await remove(id)).status).toBe(204)
    expect((await remove(parentId)).status).toBe(204)
    expect(refusalOf(await read(parentId))).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(refusalOf(await remove(parentId))).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(await lastAudit(parentId)).toMatchObject({ operation: 'DELETE /api/studio/collections/:id' })
  })

  it('returns the same error for a foreign collection as for an unknown one', async () => {
    const foreignCollection = await makeCollection(stranger)
    const [foreign, unknown] = [await remove(foreignCollection), await remove(newId())]
    expect(refusalOf(foreign)).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(foreign.text).toBe(unknown.text)
    expect((await read(foreignCollection, stranger)).status).toBe(200)
  })

  it('leaves no orphan when a collection is created in it or moved into it at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const [id, mover] = [await makeCollection(person), await makeCollection(person)]
      const [removed, other] = await Promise.all([
        remove(id),
        round % 2 ? create({ name: 'x', parentId: id }) : patch(mover, { parentId: id }),
      ])
      const [won, lost] =
        removed.status === 204 ? [removed.status, refusalOf(other)] : [other.status, refusalOf(removed)]
      if (won === 204) expect(lost).toEqual([404, 'COLLECTION_NOT_FOUND'])
      else expect(lost).toEqual([409, 'COLLECTION_HAS_CHILDREN'])
    }
  })
})

describe('permissions', () => {
  it('are STUDIO_VIEW, STUDIO_CREATE, STUDIO_EDIT and STUDIO_DELETE, one for each operation', async () => {
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
    const creator = await organization.person({ permissions: ['STUDIO_CREATE'] })
    const editor = await organization.person({ permissions: ['STUDIO_EDIT'] })
    const deleter = await organization.person({ permissions: ['STUDIO_DELETE'] })
    const tried = async (who: Person) => {
      const id = await makeCollection(person)
      const responses = [
        await who.send(listCollections),
        await read(id, who),
        await create({ name: newId() }, who),
        await patch(id, { position: 1 }, who),
        await remove(id, who),
      ]
      for (const { status, body } of responses) {
        if (status >= 400) expect(refusalOf({ status, body })).toEqual([403, 'PERMISSION_DENIED'])
      }
      return responses.map(({ status }) => status)
    }
    expect(await tried(viewer)).toEqual([200, 200, 403, 403, 403])
    expect(await tried(creator)).toEqual([403, 403, 201, 403, 403])
    expect(await tried(editor)).toEqual([403, 403, 403, 200, 403])
    expect(await tried(deleter)).toEqual([403, 403, 403, 403, 204])
  })
})
