import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input } from '#contract/operation.ts'
import { listAssets, readAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset, verifyAsset } from '#contract/studio/lifecycle.ts'
import { createVersion, listVersions, readVersion } from '#contract/studio/versions.ts'
import { newId } from '#platform/ids.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { attachFile, emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

type Body = Input<typeof createVersion>['body']
const create = (id: string, body: Body = {}, person = author) =>
  person.send(createVersion, { params: { id }, body })
const asset = (id: string) => author.call(readAsset, { params: { id } })
const files = (versionId: string) =>
  server.sql<{ path: string; sha256: string; created_by: string }>(
    'select path, sha256, created_by from asset_file where version_id = $1 order by path',
    [versionId],
  )

describe('POST /assets/:id/versions', () => {
  it('creates a version from the given fields and the active version, and makes it active', async () => {
    const { id, slug, currentVersionId } = await makeAsset(author, {
      name: 'Explicit',
      description: 'd',
      bodyMarkdown: 'one',
      frontmatter: { z: 1, a: 2 },
    })
    const frontmatterText = 'z: 1 # first\na: 2\n'
    await server.sql('update asset_version set frontmatter_text = $1 where id = $2', [
      frontmatterText,
      currentVersionId,
    ])
    await attachFile(server, author, id, currentVersionId, { path: 'b/c', sha256: 's2' })
    await attachFile(server, author, id, currentVersionId, { path: 'a', sha256: 's1' })
    const before = await asset(id)
    const editor = await organization.person()
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })

    const { status, body } = await create(
      id,
      { description: 'quokka', bump: 'minor', changelog: 'Why' },
      editor,
    )
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      assetId: id,
      version: '1.1.0',
      changelog: 'Why',
      description: 'quokka',
      bodyMarkdown: 'one',
      frontmatter: { z: 1, a: 2 },
      frontmatterText: 'z: 1\na: 2\n',
      contentHash: expect.any(String),
      filesCount: 2,
      totalBytes: 2,
      isCurrent: true,
      createdBy: { id: editor.id, name: editor.name },
      createdAt: expect.any(String),
      publishedAt: null,
      publishedBy: null,
      restoredFrom: null,
    })
    expect(body).toEqual(await author.call(readVersion, { params: { id, version: 'current' } }))
    expect(await files(body.id)).toEqual([
      { path: 'a', sha256: 's1', created_by: author.id },
      { path: 'b/c', sha256: 's2', created_by: author.id },
    ])
    const [text] = await server.sql('select frontmatter_text from asset_version where id = $1', [body.id])
    expect(text).toEqual({ frontmatter_text: frontmatterText })

    const after = await asset(id)
    expect(after).toEqual({
      ...before,
      description: 'quokka',
      version: '1.1.0',
      currentVersionId: body.id,
      updatedAt: after.updatedAt,
      currentVersion: { version: '1.1.0', publishedAt: null },
    })
    expect(after.updatedAt > before.updatedAt).toBe(true)
    const matches = await author.call(listAssets, { query: { search: 'quokka' } })
    expect(matches.items.map(item => item.id)).toEqual([id])
    // Created and shared
    expect((await emittedEvents(server, organization.id, id)).slice(2)).toEqual([
      {
        name: 'ai-asset.updated',
        actor_id: editor.id,
        data: { assetId: id, slug, changes: ['description', 'version'] },
      },
      {
        name: 'ai-asset.version-created',
        actor_id: editor.id,
        data: { assetId: id, slug, version: '1.1.0' },
      },
    ])
    const [audit] = await server.sql(
      'select actor_id, operation, changed from audit where subject = $1 order by seq desc limit 1',
      [id],
    )
    expect(audit).toEqual({
      actor_id: editor.id,
      operation: 'POST /api/studio/assets/:id/versions',
      changed: ['description', 'version'],
    })
  })

  it('omits the attachments with copyFiles: false', async () => {
    const { id, currentVersionId } = await makeAsset(author)
    await attachFile(server, author, id, currentVersionId, { path: 'a' })
    expect((await create(id, { copyFiles: false })).body.filesCount).toBe(0)
    expect(await files(currentVersionId)).toHaveLength(1)
  })

  it('creates a version beside the active one and emits an event without changing the asset', async () => {
    const { id, slug } = await makeAsset(author, { description: 'stays', frontmatter: { a: 1 } })
    const before = await asset(id)
    const input = { description: 'beside', frontmatter: { b: 2 }, version: '2.0.0-beta.1' }
    const { body } = await create(id, { ...input, setCurrent: false })
    expect(body).toMatchObject({ ...input, isCurrent: false })
    expect(await asset(id)).toEqual(before)
    expect((await author.call(listAssets, { query: { search: 'beside' } })).items).toEqual([])
    expect((await emittedEvents(server, organization.id, id)).slice(1)).toMatchObject([
      { name: 'ai-asset.version-created', data: { assetId: id, slug, version: '2.0.0-beta.1' } },
    ])
  })

  it('accepts content that equals the active one, and keeps published versions', async () => {
    const { id } = await makeAsset(author, { bodyMarkdown: 'same' })
    const published = await author.call(publishAsset, { params: { id } })
    const first = await author.call(readVersion, { params: { id, version: '1.0.0' } })
    const { body } = await create(id)
    expect(body).toMatchObject({ version: '1.0.1', contentHash: first.contentHash, publishedAt: null })
    expect(await asset(id)).toMatchObject({
      status: 'PUBLISHED',
      publishedVersion: '1.0.0',
      version: '1.0.1',
      currentVersion: { version: '1.0.1', publishedAt: null },
    })
    expect(published.currentVersion.publishedAt).toEqual(first.publishedAt)
  })

  it('removes the verification of the asset, because other content is active', async () => {
    const verifier = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_VERIFY'] })
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await verifier.call(verifyAsset, { params: { id } })
    await create(id, { setCurrent: false })
    expect((await asset(id)).verified).toBe(true)
    await create(id)
    expect((await asset(id)).verified).toBe(false)
  })

  it('bumps the highest version of the release line of the active one', async () => {
    const { id } = await makeAsset(author, { version: '1.2.3' })
    const next = async (body: Body) => (await create(id, { ...body, setCurrent: false })).body.version
    expect(await next({})).toBe('1.2.4')
    expect(await next({})).toBe('1.2.5')
    expect(await next({ bump: 'minor' })).toBe('1.3.0')
    expect(await next({ bump: 'minor' })).toBe('1.4.0')
    expect(await next({ version: '1.4.1-rc.1' })).toBe('1.4.1-rc.1')
    expect(await next({ bump: 'patch' })).toBe('1.2.6')
    expect(await next({ bump: 'minor' })).toBe('1.5.0')
    expect(await next({ version: '3.0.0-alpha' })).toBe('3.0.0-alpha')
    expect(await next({ bump: 'major' })).toBe('3.0.0')
    expect(await next({ bump: 'major' })).toBe('4.0.0')
    expect(await next({ version: '0.1.0', bump: 'major' })).toBe('0.1.0')
    expect((await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'x' } })).version).toBe(
      '1.2.7',
    )
    expect((await create(id, { version: '999999999.999999999.999999999' })).status).toBe(201)
    expect((await create(id)).body.version).toBe('999999999.999999999.1000000000')
  })

  it('never uses a number twice, and returns a free one', async () => {
    const { id } = await makeAsset(author, { bodyMarkdown: 'one' })
    const first = await author.call(readVersion, { params: { id, version: '1.0.0' } })
    await create(id, { version: '1.0.7', setCurrent: false })
    const refused = await create(id, { version: '1.0.0', bodyMarkdown: 'two' })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        errorCode: 'VERSION_EXISTS',
        version: '1.0.0',
        contentHash: first.contentHash,
        nextVersion: '1.0.8',
      },
    })
    expect(await author.call(readVersion, { params: { id, version: '1.0.0' } })).toEqual(first)
    const { nextVersion } = refused.body as unknown as { nextVersion: string }
    expect((await create(id, { version: nextVersion })).status).toBe(201)
    expect(
      (await emittedEvents(server, organization.id, id)).filter(({ name }) => /version/.test(name)),
    ).toHaveLength(2)
  })

  it('gives a number to one of many concurrent calls, and each of them its own', async () => {
    const { id } = await makeAsset(author)
    const same = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create(id, { version: '1.5.0', bodyMarkdown: `${n}` })),
    )
    expect(same.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(same.filter(({ status }) => status === 409).map(refusalOf)).toEqual(
      Array(7).fill([409, 'VERSION_EXISTS']),
    )
    const own = await Promise.all(Array.from({ length: 8 }, () => create(id)))
    expect(own.map(({ body }) => body.version).sort()).toEqual(
      Array.from({ length: 8 }, (_, n) => `1.5.${n + 1}`),
    )
    const history = await author.call(listVersions, { params: { id } })
    expect(history.total).toBe(10)
    const current = history.items.filter(({ isCurrent }) => isCurrent)
    expect(current.map(({ version }) => version)).toEqual(['1.5.8'])
    const times = history.items.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    expect((await asset(id)).version).toBe('1.5.8')
  })

  it.each([
    ['a number with build metadata', { version: '1.0.1+build' }],
    ['a number with a v', { version: 'v2.0.0' }],
    ['a number with leading zeros', { version: '1.02.0' }],
    ['two numbers', { version: '1.2' }],
    ['a number of 65 characters', { version: `1.0.0-${'a'.repeat(59)}` }],
    ['a word', { version: 'latest' }],
    ['another bump', { bump: 'prerelease' }],
    ['an unknown field', { publish: true }],
    ['null', { description: null }],
    ['a changelog of 4001', { changelog: 'x'.repeat(4_001) }],
    ['a description of 4001', { description: 'x'.repeat(4_001) }],
    ['a body of 500001', { bodyMarkdown: 'x'.repeat(500_001) }],
    ['front matter that is a list', { frontmatter: [] }],
    ['a flag as text', { setCurrent: 'false' }],
  ])('rejects %s', async (_, body) => {
    const { id } = await makeAsset(author)
    expect(refusalOf(await create(id, body as never))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('requires STUDIO_EDIT and EDIT access, and rejects archived assets', async () => {
    const { id } = await makeAsset(author)
    const [reader, stranger] = [await organization.person(), await organization.person()]
    const foreign = await (await server.organization()).person({ role: 'OWNER' })
    const limited = await organization.person({
      permissions: ['STUDIO_VIEW', 'STUDIO_CREATE', 'STUDIO_PUBLISH'],
    })
    await shareAsset(server, author, id, 'USER', reader.id)
    const unknown = await create(newId(), {}, stranger)
    expect(refusalOf(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
    for (const person of [stranger, foreign]) expect((await create(id, {}, person)).text).toBe(unknown.text)
    expect(refusalOf(await create(id, { version: '1.0.0' }, reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await create(id, {}, limited))).toEqual([403, 'PERMISSION_DENIED'])
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await create(id, { version: '1.0.0' }))).toEqual([409, 'ASSET_ARCHIVED'])
    expect((await author.call(listVersions, { params: { id } })).total).toBe(1)
  })
})
