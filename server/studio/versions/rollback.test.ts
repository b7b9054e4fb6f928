import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input } from '#contract/operation.ts'
import { listAssets, readAsset, updateAsset } from '#contract/studio/assets.ts'
import { uploadFiles } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { createVersion, listVersions, readVersion, rollbackVersion } from '#contract/studio/versions.ts'
import { newId } from '#platform/ids.ts'
import { findIn, firstOf, lastOf } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { attachFile, emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

type Body = Input<typeof rollbackVersion>['body']
const rollback = (id: string, version: string, body: Body = {}, person = author) =>
  person.send(rollbackVersion, { params: { id, version }, body })
const asset = (id: string) => author.call(readAsset, { params: { id } })
const read = (id: string, version: string) => author.call(readVersion, { params: { id, version } })
const patch = (id: string, body: Input<typeof updateAsset>['body']) =>
  author.call(updateAsset, { params: { id }, body })
const names = async (id: string) =>
  (await emittedEvents(server, organization.id, id)).map(({ name }) => name.slice(9))
const rows = (id: string) =>
  server.sql<{ version: string; row: string }>(
    `select v.version, v::text || coalesce((select string_agg(f.path || f.sha256 || f.size, ',' order by f.path)
       from asset_file f where f.organization_id = v.organization_id and f.version_id = v.id), '') as row
     from asset_version v where v.asset_id = $1 order by v.ordinal`,
    [id],
  )

describe('POST /assets/:id/versions/:version/rollback', () => {
  it('creates the next patch version with the content of the earlier one, and records its origin', async () => {
    const { id, slug, currentVersionId } = await makeAsset(author, {
      name: 'Going back',
      description: 'marmot',
      bodyMarkdown: 'one',
      frontmatter: { z: 1, a: 2 },
    })
    const frontmatterText = 'z: 1 # first\na: 2\n'
    await server.sql('update asset_version set frontmatter_text = $1 where id = $2', [
      frontmatterText,
      currentVersionId,
    ])
    await attachFile(server, author, id, currentVersionId, { path: 'old', sha256: 's1', size: 7 })
    const original = await read(id, '1.0.0')
    const two = await author.call(createVersion, {
      params: { id },
      body: { version: '2.4.0', description: 'd', bodyMarkdown: 'two', frontmatter: {}, copyFiles: false },
    })
    await attachFile(server, author, id, two.id, { path: 'new' })
    const before = await rows(id)

    const editor = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    const { status, body } = await rollback(id, '1.0.0', { changelog: 'It was better' }, editor)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...original,
      id: expect.any(String),
      version: '2.4.1',
      restoredFrom: '1.0.0',
      changelog: 'It was better',
      createdBy: { id: editor.id, name: editor.name },
      createdAt: expect.any(String),
      isCurrent: true,
    })
    expect(body).toMatchObject({ filesCount: 1, totalBytes: 7 })
    expect(Object.keys(body.frontmatter)).toEqual(['z', 'a'])
    expect(body).toEqual(await read(id, 'current'))
    expect((await rows(id)).slice(0, 2)).toEqual(before)
    const [stored] = await server.sql(
      `select v.frontmatter_text, f.path, f.sha256, f.created_by from asset_version v
       join asset_file f on f.organization_id = v.organization_id and f.version_id = v.id where v.id = $1`,
      [body.id],
    )
    expect(stored).toEqual({
      frontmatter_text: frontmatterText,
      path: 'old',
      sha256: 's1',
      created_by: author.id,
    })

    expect(await asset(id)).toMatchObject({ version: '2.4.1', description: 'marmot', bodyMarkdown: 'one' })
    expect(
      (await author.call(listAssets, { query: { search: 'marmot' } })).items.map(item => item.id),
    ).toEqual([id])
    const events = await emittedEvents(server, organization.id, id)
    expect(events.slice(-2)).toEqual([
      {
        name: 'ai-asset.updated',
        actor_id: editor.id,
        data: { assetId: id, slug, changes: ['description', 'bodyMarkdown', 'frontmatter', 'version'] },
      },
      {
        name: 'ai-asset.version-created',
        actor_id: editor.id,
        data: { assetId: id, slug, version: '2.4.1' },
      },
    ])
    const [audit] = await server.sql(
      'select actor_id, operation, changed from audit where subject = $1 order by seq desc limit 1',
      [id],
    )
    expect(audit).toEqual({
      actor_id: editor.id,
      operation: 'POST /api/studio/assets/:id/versions/:version/rollback',
      changed: ['description', 'bodyMarkdown', 'frontmatter', 'version'],
    })
  })

  it('accepts no body too, and the keywords for versions', async () => {
    const { id } = await makeAsset(author, { bodyMarkdown: 'one' })
    await author.call(createVersion, {
      params: { id },
      body: { version: '3.0.0', bodyMarkdown: 'far', setCurrent: false },
    })
    const response = await author.send(rollbackVersion, { params: { id, version: 'latest' } } as never)
    expect(response).toMatchObject({
      status: 201,
      body: { version: '1.0.1', restoredFrom: '3.0.0', bodyMarkdown: 'far' },
    })
    expect((await rollback(id, 'current')).body).toMatchObject({ version: '1.0.2', restoredFrom: '1.0.1' })
    expect((await rollback(id, '1.0.2')).body).toMatchObject({ version: '1.0.3', restoredFrom: '1.0.2' })
    const history = await author.call(listVersions, { params: { id } })
    expect(history.items.map(({ version, restoredFrom }) => [version, restoredFrom])).toEqual([
      ['1.0.3', '1.0.2'],
      ['1.0.2', '1.0.1'],
      ['1.0.1', '3.0.0'],
      ['3.0.0', null],
      ['1.0.0', null],
    ])
  })

  it('publishes on request, and keeps published versions published', async () => {
    const { id } = await makeAsset(author, { bodyMarkdown: 'one' })
    await author.call(publishAsset, { params: { id } })
    await patch(id, { bodyMarkdown: 'two' })
    const unpublished = await rollback(id, '1.0.0')
    expect(unpublished.body).toMatchObject({ publishedAt: null, publishedBy: null })
    expect(await asset(id)).toMatchObject({
      status: 'PUBLISHED',
      publishedVersion: '1.0.0',
      version: '1.0.2',
    })
    const { body } = await rollback(id, '1.0.1', { publish: true })
    expect(body).toMatchObject({
      version: '1.0.3',
      restoredFrom: '1.0.1',
      publishedAt: expect.any(String),
      publishedBy: { id: author.id, name: author.name },
    })
    expect(await asset(id)).toMatchObject({
      status: 'PUBLISHED',
      publishedVersion: '1.0.3',
      currentVersion: { version: '1.0.3', publishedAt: body.publishedAt },
    })
    expect((await names(id)).slice(-3)).toEqual(['updated', 'version-created', 'published'])
    const published = lastOf(await emittedEvents(server, organization.id, id)).data
    expect(published).toMatchObject({ assetId: id, version: '1.0.3' })
    const draft = await makeAsset(author)
    await rollback(draft.id, 'current', { publish: true })
    expect(await asset(draft.id)).toMatchObject({ status: 'PUBLISHED', publishedVersion: '1.0.1' })
  })

  it('rejects publishing without STUDIO_PUBLISH before anything else', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    await shareAsset(server, author, id, 'USER', limited.id, { level: 'EDIT' })
    for (const [assetId, version] of [
      [id, '1.0.0'],
      [id, '9.9.9'],
      [newId(), '1.0.0'],
    ] as const)
      expect(refusalOf(await rollback(assetId, version, { publish: true }, limited))).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
    expect((await rollback(id, '1.0.0', { publish: false }, limited)).status).toBe(201)
  })

  it('requires STUDIO_EDIT, EDIT access and a version of this asset, and rejects archived assets', async () => {
    const { id } = await makeAsset(author)
    const { id: otherId } = await makeAsset(author, { version: '5.0.0' })
    const [reader, stranger] = [await organization.person(), await organization.person()]
    const foreign = await (await server.organization()).person({ role: 'OWNER' })
    const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_PUBLISH'] })
    await shareAsset(server, author, id, 'USER', reader.id)
    const unknown = await rollback(newId(), '1.0.0', {}, stranger)
    expect(refusalOf(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
    for (const person of [stranger, foreign])
      expect((await rollback(id, '1.0.0', {}, person)).text).toBe(unknown.text)
    expect(refusalOf(await rollback(id, '1.0.0', {}, reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await rollback(id, '1.0.0', {}, limited))).toEqual([403, 'PERMISSION_DENIED'])
    for (const version of ['5.0.0', '1.0', 'newest', otherId])
      expect(refusalOf(await rollback(id, version))).toEqual([404, 'VERSION_NOT_FOUND'])
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await rollback(id, '1.0.0'))).toEqual([409, 'ASSET_ARCHIVED'])
    expect(await rows(id)).toHaveLength(1)
    expect(await names(id)).toEqual(['created', 'shared', 'archived'])
  })

  it.each([
    ['an unknown field', { version: '2.0.0' }],
    ['a changelog of 4001', { changelog: 'x'.repeat(4_001) }],
    ['publish as text', { publish: 'true' }],
    ['null as publish', { publish: null }],
  ])('rejects %s', async (_, body) => {
    const { id } = await makeAsset(author)
    expect(refusalOf(await rollback(id, '1.0.0', body as never))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('runs one after the other with concurrent publishing and changes, and published versions never change', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await makeAsset(author, { bodyMarkdown: 'one' })
      await author.call(publishAsset, { params: { id } })
      const before = await rows(id)
      const responses = await Promise.all([
        rollback(id, '1.0.0'),
        author.send(publishAsset, { params: { id } }),
        rollback(id, 'current', { publish: true }),
        author.send(updateAsset, { params: { id }, body: { bodyMarkdown: 'two', amend: true } }),
        author.send(createVersion, { params: { id }, body: { bodyMarkdown: 'three' } }),
        rollback(id, 'latest'),
        author.send(publishAsset, { params: { id } }),
      ])
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 200, 201, 201, 201])
      const history = await author.call(listVersions, { params: { id } })
      const numbers = history.items.map(({ version }) => version).reverse()
      expect(numbers).toEqual(numbers.map((_, n) => `1.0.${n}`))
      expect((await rows(id)).slice(0, 1)).toEqual(before)
      const now = await asset(id)
      expect(now.version).toBe(numbers.at(-1))
      const current = findIn(history.items, ({ isCurrent }) => isCurrent)
      expect(current).toMatchObject({ id: now.currentVersionId, publishedAt: now.currentVersion.publishedAt })
      const published = findIn(history.items, ({ publishedAt }) => publishedAt !== null)
      expect(now).toMatchObject({ status: 'PUBLISHED', publishedVersion: published.version })
      const publishedEvents = (await names(id)).filter(name => name === 'published').length
      expect(publishedEvents).toBe(history.items.filter(({ publishedAt }) => publishedAt !== null).length)
    }
  })
})

it('takes all files of a concurrent upload or none, and uploads lose nothing', async () => {
  const { id } = await makeAsset(author)
  const paths = (n: number) => [`${n}/a`, `${n}/b`, `${n}/c`]
  const upload = (n: number) => {
    const form = new FormData()
    for (const path of paths(n)) {
      form.append('path', path)
      form.append('file', new Blob([path]), 'a file')
    }
    return author.send(uploadFiles, { params: { id, version: '1.0.0' }, query: {}, form })
  }
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, n) => (n % 2 ? rollback(id, '1.0.0') : upload(n))),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201))
  const versionFiles = await server.sql<{ version: string; paths: string[] }>(
    `select v.version, array(select f.path from asset_file f where f.organization_id = v.organization_id and f.version_id = v.id order by f.path) as paths
     from asset_version v where v.asset_id = $1 order by v.ordinal`,
    [id],
  )
  const uploaded = [0, 2, 4, 6, 8, 10].flatMap(paths).sort()
  expect(versionFiles).toHaveLength(7)
  expect(firstOf(versionFiles).paths).toEqual(uploaded)
  for (const [at, { paths: some }] of versionFiles.slice(1).entries()) {
    expect(some.length % 3).toBe(0)
    expect(some).toEqual(uploaded.filter(path => some.includes(`${path.split('/')[0]}/a`)))
    // A later rollback has at least as many files as an earlier one
    expect(some).toEqual(expect.arrayContaining(versionFiles.slice(1)[at - 1]?.paths ?? []))
  }
})

it('no operation changes a published version', async () => {
  const { id } = await makeAsset(author, { bodyMarkdown: 'one', frontmatter: { a: 1 } })
  const { currentVersionId } = await asset(id)
  await attachFile(server, author, id, currentVersionId, { path: 'a' })
  await author.call(publishAsset, { params: { id } })
  const published = await rows(id)
  const other = { description: 'x', bodyMarkdown: 'two', frontmatter: { b: 2 }, changelog: 'y' }
  const params = { id, version: '1.0.0' }
  const writes = [
    () => author.send(updateAsset, { params: { id }, body: { ...other, amend: true } }),
    () => author.send(createVersion, { params: { id }, body: { ...other, version: '1.0.0' } }),
    () => rollback(id, '1.0.0', { publish: true }),
    () => author.send(updateAsset, { params: { id }, body: { ...other, amend: true } }),
    () => author.send(createVersion, { params: { id }, body: { ...other, copyFiles: false } }),
    () => author.send(publishAsset, { params: { id } }),
    () => rollback(id, '1.0.0', { changelog: 'z' }),
  ]
  for (const write of writes) {
    expect((await write()).status).toBeLessThan(500)
    expect((await rows(id))[0]).toEqual(published[0])
  }
  expect(await author.call(readVersion, { params })).toMatchObject({ bodyMarkdown: 'one', filesCount: 1 })
})
