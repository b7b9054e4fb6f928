import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '#contract/operation.ts'
import { readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset, unarchiveAsset, verifyAsset } from '#contract/studio/lifecycle.ts'
import { newId } from '#platform/ids.ts'
import { lastOf } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let author: Person
let verifier: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  author = await organization.person()
  verifier = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_VERIFY'] })
})
afterAll(() => server.close())

type Action = typeof publishAsset | typeof archiveAsset | typeof unarchiveAsset | typeof verifyAsset
const act = (person: Person, action: Action, id: string) =>
  person.send(action as Operation<{ params: { id: string } }, Record<string, unknown>>, { params: { id } })
const names = async (id: string) =>
  (await emittedEvents(server, organization.id, id)).map(({ name }) => name.slice(9))

describe('POST /assets/:id/publish', () => {
  it('publishes the active version once', async () => {
    const { id, slug } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const first = await act(author, publishAsset, id)
    expect(first.status).toBe(201)
    const publishedAt = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(first.body).toMatchObject({
      status: 'PUBLISHED',
      publishedVersion: '1.0.0',
      currentVersion: { version: '1.0.0', publishedAt },
    })
    expect(first.body).toEqual(await author.call(readAsset, { params: { id } }))
    const again = await act(author, publishAsset, id)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await emittedEvents(server, organization.id, id)).at(-1)).toMatchObject({
      name: 'ai-asset.published',
      data: { assetId: id, slug, version: '1.0.0' },
    })
    expect(await names(id)).toEqual(['created', 'published'])
    const [version] = await server.sql('select published_by from asset_version where asset_id = $1', [id])
    expect(version).toEqual({ published_by: author.id })
  })

  it('publishes a later version too, and once in concurrent calls', async () => {
    const { id } = await makeAsset(author)
    await act(author, publishAsset, id)
    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'more' } })
    const responses = await Promise.all(Array.from({ length: 6 }, () => act(author, publishAsset, id)))
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect((await author.call(readAsset, { params: { id } })).publishedVersion).toBe('1.0.1')
    expect(await names(id)).toEqual(['created', 'published', 'updated', 'version-created', 'published'])
  })

  it('requires STUDIO_PUBLISH and EDIT access, and rejects archived assets', async () => {
    const other = await organization.person()
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    expect(refusalOf(await act(other, publishAsset, id))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    await shareAsset(server, author, id, 'USER', other.id, { level: 'EDIT' })
    const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    expect(refusalOf(await act(limited, publishAsset, id))).toEqual([403, 'PERMISSION_DENIED'])
    await act(author, archiveAsset, id)
    expect(refusalOf(await act(other, publishAsset, id))).toEqual([409, 'ASSET_ARCHIVED'])
    expect(refusalOf(await act(other, publishAsset, newId()))).toEqual([404, 'ASSET_NOT_FOUND'])
  })
})

describe('POST /assets/:id/archive and /unarchive', () => {
  it('archive an asset and restore its former status', async () => {
    const [draft, published] = [await makeAsset(author), await makeAsset(author)]
    await act(author, publishAsset, published.id)
    for (const [{ id }, status] of [
      [draft, 'DRAFT'],
      [published, 'PUBLISHED'],
    ] as const) {
      expect((await act(author, archiveAsset, id)).body).toMatchObject({ id, status: 'ARCHIVED' })
      expect(await act(author, archiveAsset, id)).toMatchObject({ status: 201, body: { status: 'ARCHIVED' } })
      expect((await act(author, unarchiveAsset, id)).body).toMatchObject({ id, status })
      expect(await act(author, unarchiveAsset, id)).toMatchObject({ status: 201, body: { status } })
    }
    expect(await names(draft.id)).toEqual(['created', 'archived', 'unarchived'])
    expect(await names(published.id)).toEqual(['created', 'published', 'archived', 'unarchived'])
  })

  it('restore PUBLISHED for an asset with unpublished changes that was published before', async () => {
    const { id } = await makeAsset(author)
    await act(author, publishAsset, id)
    await author.call(updateAsset, { params: { id }, body: { description: 'changed' } })
    await act(author, archiveAsset, id)
    expect((await act(author, unarchiveAsset, id)).body).toMatchObject({
      status: 'PUBLISHED',
      currentVersion: { version: '1.0.1', publishedAt: null },
    })
  })

  it('require STUDIO_EDIT and ADMIN access', async () => {
    const editor = await organization.person()
    const { id } = await makeAsset(author)
    for (const action of [archiveAsset, unarchiveAsset]) {
      expect(refusalOf(await act(editor, action, id))).toEqual([404, 'ASSET_NOT_FOUND'])
    }
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_DELETE'] })
    for (const action of [archiveAsset, unarchiveAsset]) {
      expect(refusalOf(await act(editor, action, id))).toEqual([403, 'ASSET_ACCESS_DENIED'])
      expect(refusalOf(await act(limited, action, id))).toEqual([403, 'PERMISSION_DENIED'])
    }
    const admin = await organization.person({ role: 'ADMIN' })
    expect((await act(admin, archiveAsset, id)).status).toBe(201)
  })
})

describe('POST /assets/:id/verify', () => {
  it('verifies the active version and returns who did it and when', async () => {
    const { id, slug } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const { status, body } = await act(verifier, verifyAsset, id)
    expect(status).toBe(201)
    expect(body).toEqual({
      id,
      verified: true,
      verifiedVersion: '1.0.0',
      verifiedAt: expect.any(String),
      verifiedBy: { id: verifier.id, name: verifier.name },
    })
    const second = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_VERIFY'] })
    expect((await act(second, verifyAsset, id)).body).toEqual(body)
    expect((await author.call(readAsset, { params: { id } })).verified).toBe(true)
    expect(await names(id)).toEqual(['created', 'verified'])
    expect(lastOf(await emittedEvents(server, organization.id, id)).data).toEqual({
      assetId: id,
      slug,
      version: '1.0.0',
    })

    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'new' } })
    expect((await act(second, verifyAsset, id)).body).toMatchObject({
      verifiedVersion: '1.0.1',
      verifiedBy: { id: second.id },
    })
  })

  it('requires STUDIO_VERIFY, which no built-in role has, and READ access', async () => {
    const owner = await organization.person({ role: 'OWNER' })
    const { id } = await makeAsset(author)
    expect(refusalOf(await act(owner, verifyAsset, id))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await act(verifier, verifyAsset, id))).toEqual([404, 'ASSET_NOT_FOUND'])
    await shareAsset(server, author, id, 'USER', verifier.id)
    await act(author, archiveAsset, id)
    expect(refusalOf(await act(verifier, verifyAsset, id))).toEqual([409, 'ASSET_ARCHIVED'])
    await author.call(removeAsset, { params: { id } })
    expect(refusalOf(await act(verifier, verifyAsset, id))).toEqual([404, 'ASSET_NOT_FOUND'])
  })

  it('counts one verification in concurrent calls', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const responses = await Promise.all(Array.from({ length: 5 }, () => act(verifier, verifyAsset, id)))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(await names(id)).toEqual(['created', 'verified'])
  })
})
