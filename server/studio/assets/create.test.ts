import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAsset, readAsset } from '#contract/studio/assets.ts'
import { isId, newId } from '#platform/ids.ts'
import { emittedEvents, makeAsset, makeCollection, makeUnit } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
  admin = await organization.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

describe('POST /assets', () => {
  it('accepts the required fields alone and returns the create reply', async () => {
    const { status, body } = await person.send(createAsset, {
      body: { type: 'SKILL', name: 'Año Nuevo, Œuvre!' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      type: 'SKILL',
      slug: 'ano-nuevo-oeuvre',
      name: 'Año Nuevo, Œuvre!',
      status: 'DRAFT',
      visibility: 'PRIVATE',
      currentVersionId: expect.any(String),
      currentVersion: { version: '1.0.0', publishedAt: null },
      createdAt: expect.any(String),
    })
    expect([isId(body.id), isId(body.currentVersionId)]).toEqual([true, true])
    expect(await emittedEvents(server, organization.id, body.id)).toEqual([
      { name: 'ai-asset.created', actor_id: person.id, data: { assetId: body.id, slug: body.slug } },
    ])
  })

  it('stores all fields', async () => {
    const departments = [await makeUnit('DEPARTMENT', admin), await makeUnit('DEPARTMENT', admin)]
    const collectionIds = [await makeCollection(admin)]
    const given = {
      type: 'AGENT' as const,
      name: 'Everything',
      description: 'When to use it',
      bodyMarkdown: '# Body\n\n- [x] emoji 🦉 \t',
      frontmatter: { z: 1, a: { list: [1, 'two', null] }, 'clé €': true },
      iconName: 'owl',
      color: 'hsl(210 40% 50%)',
      visibility: 'DEPARTMENT' as const,
      departments,
      collectionIds,
      version: '2.1.0-beta.1',
    }
    const { id } = await makeAsset(person, { ...given, tags: [' Sales ', 'SALES', 'año'] })
    const { body, text } = await person.send(readAsset, { params: { id } })
    expect(body).toMatchObject({
      ...given,
      departments: [...departments].sort(),
      tags: ['sales', 'año'],
      currentVersion: { version: '2.1.0-beta.1', publishedAt: null },
      publishedVersion: null,
      author: { id: person.id, name: person.name },
      usageCount: 0,
      thumbsUp: 0,
      thumbsDown: 0,
      myReaction: null,
      access: 'ADMIN',
      verified: false,
    })
    // The front matter keeps the order of its fields
    expect(text).toContain('"frontmatter":{"z":1,"a":')
  })

  it.each([
    ['no type', { name: 'x' }],
    ['no name', { type: 'PROMPT' }],
    ['an unknown type', { type: 'prompt', name: 'x' }],
    ['an empty name', { type: 'PROMPT', name: '' }],
    ['a blank name', { type: 'PROMPT', name: ' \t ' }],
    ['a name of 256', { type: 'PROMPT', name: 'x'.repeat(256) }],
    ['a name that is a number', { type: 'PROMPT', name: 1 }],
    ['an icon name of 65', { type: 'PROMPT', name: 'x', iconName: 'x'.repeat(65) }],
    ['a color of 33', { type: 'PROMPT', name: 'x', color: 'x'.repeat(33) }],
    ['an unknown visibility', { type: 'PROMPT', name: 'x', visibility: 'PUBLIC' }],
    ['front matter that is a list', { type: 'PROMPT', name: 'x', frontmatter: [] }],
    ['front matter that is text', { type: 'PROMPT', name: 'x', frontmatter: 'a: 1' }],
    ['front matter that is null', { type: 'PROMPT', name: 'x', frontmatter: null }],
    ['tags that are text', { type: 'PROMPT', name: 'x', tags: 'a' }],
    ['an empty tag', { type: 'PROMPT', name: 'x', tags: [' '] }],
    ['a version of two numbers', { type: 'PROMPT', name: 'x', version: '1.0' }],
    ['a version with a v', { type: 'PROMPT', name: 'x', version: 'v1.0.0' }],
    ['a version with a leading zero', { type: 'PROMPT', name: 'x', version: '1.01.0' }],
    ['a version with build metadata', { type: 'PROMPT', name: 'x', version: '1.0.0+a' }],
    ['an unknown field', { type: 'PROMPT', name: 'x', status: 'PUBLISHED' }],
    ['departments that are text', { type: 'PROMPT', name: 'x', departments: 'a' }],
  ])('rejects %s', async (_, body) => {
    const response = await person.send(createAsset, { body: body as never })
    expect([response.status, (response.body as unknown as { errorCode: string }).errorCode]).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  it('accepts a name of 255 characters of any kind', async () => {
    const long = await makeAsset(person, { name: '🦉'.repeat(255) })
    expect(long.slug).toMatch(/^prompt(-\d+)?$/)
    const expanding = await makeAsset(person, { name: 'ﷺ'.repeat(255) })
    expect(expanding.name).toHaveLength(255)
    expect((await makeAsset(person, { name: `${'long '.repeat(51)}` })).slug).toHaveLength(64)
  })

  it('rejects departments that do not exist in the organization', async () => {
    const other = await (await server.organization()).person({ role: 'OWNER' })
    const [here, elsewhere] = [await makeUnit('DEPARTMENT', admin), await makeUnit('DEPARTMENT', other)]
    const group = await makeUnit('GROUP', admin)
    for (const departments of [[elsewhere], [here, newId()], [group]]) {
      const { status, body } = await person.send(createAsset, {
        body: { type: 'PROMPT', name: 'x', departments },
      })
      expect([status, body]).toEqual([400, expect.objectContaining({ errorCode: 'DEPARTMENT_UNKNOWN' })])
    }
    const twice = await makeAsset(person, { visibility: 'DEPARTMENT', departments: [here, here] })
    expect((await person.call(readAsset, { params: { id: twice.id } })).departments).toEqual([here])
  })

  it('rejects a collection that does not exist, and stores nothing', async () => {
    const other = await (await server.organization()).person({ role: 'OWNER' })
    const name = `Refused ${newId()}`
    for (const collectionId of [newId(), await makeCollection(other)]) {
      const { status, body } = await person.send(createAsset, {
        body: { type: 'PROMPT', name, collectionIds: [await makeCollection(admin), collectionId] },
      })
      expect([status, body]).toEqual([404, expect.objectContaining({ errorCode: 'COLLECTION_NOT_FOUND' })])
    }
    expect(await server.sql('select 1 from asset where name = $1', [name])).toEqual([])
    expect(await server.sql('select 1 from asset_slug where slug like $1', ['refused-%'])).toEqual([])
  })

  it('requires STUDIO_CREATE', async () => {
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    const { status, body } = await viewer.send(createAsset, { body: { type: 'PROMPT', name: 'x' } })
    expect([status, body]).toEqual([403, expect.objectContaining({ errorCode: 'PERMISSION_DENIED' })])
  })
})

describe('slugs', () => {
  it('get numbers for equal names, also in concurrent creations', async () => {
    const created = await Promise.all(
      Array.from({ length: 12 }, () => makeAsset(person, { name: 'Same name' })),
    )
    const expected = ['same-name', ...Array.from({ length: 11 }, (_, n) => `same-name-${n + 2}`)]
    expect(created.map(({ slug }) => slug).sort()).toEqual(expected.sort())
  })

  it('skip a number that another slug has', async () => {
    await makeAsset(person, { name: 'Stepping 2' })
    await makeAsset(person, { name: 'Stepping' })
    expect((await makeAsset(person, { name: 'Stepping' })).slug).toBe('stepping-3')
  })

  it('are unique per organization', async () => {
    const other = await (await server.organization()).person()
    await makeAsset(person, { name: 'Here and there' })
    expect((await makeAsset(other, { name: 'Here and there' })).slug).toBe('here-and-there')
  })
})
