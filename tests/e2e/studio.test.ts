import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStreamToken } from '#contract/identity/sessions.ts'
import {
  createAsset,
  listAssets,
  readAsset,
  readAssetBySlug,
  removeAsset,
  updateAsset,
} from '#contract/studio/assets.ts'
import {
  addToCollection,
  createCollection,
  listCollectionAssets,
  readCollection,
  removeCollection,
  updateCollection,
} from '#contract/studio/collections.ts'
import { addressOfFile, listFiles, uploadFiles } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset, unarchiveAsset, verifyAsset } from '#contract/studio/lifecycle.ts'
import { createLink, listByEntity, listLinks, removeLink } from '#contract/studio/links.ts'
import { importAsset } from '#contract/studio/packages.ts'
import { createShare, listShares, removeShare } from '#contract/studio/shares.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { createVersion, diffVersions, listVersions, rollbackVersion } from '#contract/studio/versions.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { makeUnit } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

// The studio without the marketplace, as a team uses it

let server: TestServer
let organization: Organization
let owner: Person
let author: Person
let colleague: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  author = await organization.person()
  colleague = await organization.person()
})
afterAll(() => server.close())

const fileForm = (...files: [path: string, content: string][]) => {
  const form = new FormData()
  for (const [path, content] of files) {
    form.append('path', path)
    form.append('file', new Blob([content]), path.split('/').at(-1))
  }
  return form
}
const exported = async (person: Person, id: string, query = '') => {
  const response = await fetch(`${server.url}/api/studio/assets/${id}/export${query}`, {
    headers: { Authorization: `Bearer ${person.token}` },
  })
  return { answer: response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('A prompt is created, improved and rolled back', () => {
  test('each change of content has a version, a published version never changes, and a rollback restores one', async () => {
    const created = await author.call(createAsset, {
      body: {
        type: 'PROMPT',
        name: 'Offer letter',
        bodyMarkdown: 'Write an offer.',
        visibility: 'ORGANIZATION',
      },
    })
    expect(created).toMatchObject({
      status: 'DRAFT',
      currentVersion: { version: '1.0.0', publishedAt: null },
    })
    const params = { id: created.id }
    const published = await author.call(publishAsset, { params })
    expect(published).toMatchObject({ status: 'PUBLISHED', currentVersion: { version: '1.0.0' } })

    const edited = await author.call(updateAsset, {
      params,
      body: { bodyMarkdown: 'Write an offer, politely.' },
    })
    expect(edited.currentVersion).toEqual({ version: '1.0.1', publishedAt: null })
    const major = await author.call(createVersion, {
      params,
      body: { bump: 'major', changelog: 'Short now', bodyMarkdown: 'Offer.' },
    })
    expect(major.version).toBe('2.0.0')
    const taken = await author.send(createVersion, { params, body: { version: '1.0.1' } })
    expect(refusalOf(taken)).toEqual([409, 'VERSION_EXISTS'])

    const difference = await colleague.call(diffVersions, { params: { ...params, a: '1.0.0', b: 'current' } })
    expect(difference).toMatchObject({ from: '1.0.0', to: '2.0.0', bodyMarkdown: { added: 1, removed: 1 } })
    const restored = await author.call(rollbackVersion, { params: { ...params, version: '1.0.0' } })
    expect(restored).toMatchObject({
      restoredFrom: '1.0.0',
      bodyMarkdown: 'Write an offer.',
      isCurrent: true,
    })
    const { items } = await colleague.call(listVersions, { params })
    expect(items.map(({ version }) => version)).toEqual([restored.version, '2.0.0', '1.0.1', '1.0.0'])
    expect(items.at(-1)).toMatchObject({
      version: '1.0.0',
      publishedAt: published.currentVersion.publishedAt,
    })
    expect((await colleague.call(readAsset, { params })).bodyMarkdown).toBe('Write an offer.')
  })

  test('its former name redirects to it', async () => {
    const { id, slug } = await author.call(createAsset, {
      body: { type: 'PROMPT', name: 'Old words', visibility: 'ORGANIZATION' },
    })
    const renamed = await author.call(updateAsset, { params: { id }, body: { name: 'New words' } })
    const moved = await colleague.send(readAssetBySlug, { params: { slug } })
    expect([moved.status, moved.headers.get('location')]).toEqual([
      301,
      expect.stringContaining(`/api/studio/assets/by-slug/${renamed.slug}`),
    ])
  })
})

describe('A skill with its files', () => {
  test('has attachments, a temporary address and a ZIP, and is equal in another organization', async () => {
    const skill = await author.call(createAsset, {
      body: {
        type: 'SKILL',
        name: 'Quarterly report',
        visibility: 'ORGANIZATION',
        description: 'Writes the quarterly report. Use when a quarter has ended.',
        bodyMarkdown: '# How\n\nRun scripts/sum.py.\n',
        frontmatter: { license: 'MIT', compatibility: 'Needs Python 3' },
      },
    })
    const params = { id: skill.id, version: 'current' }
    const upload = await author.call(uploadFiles, {
      params,
      form: fileForm(['scripts/sum.py', 'print(1)\n'], ['references/style.md', 'Be brief.\n']),
    })
    expect(upload.files.map(({ path }) => path)).toEqual(['scripts/sum.py', 'references/style.md'])
    const again = await author.send(uploadFiles, { params, form: fileForm(['scripts/sum.py', 'print(2)\n']) })
    expect(refusalOf(again)).toEqual([409, 'FILE_EXISTS'])

    const { url } = await colleague.call(addressOfFile, { params: { ...params, fileId: upload.id } })
    const download = await fetch(url.replace(server.config.publicUrl, server.url))
    expect([download.status, await download.text()]).toEqual([200, 'print(1)\n'])
    expect(download.headers.get('content-disposition')).toMatch(/^attachment;/)

    await author.call(publishAsset, { params: { id: skill.id } })
    const late = await author.send(uploadFiles, { params, form: fileForm(['more.md', 'x']) })
    expect(refusalOf(late)).toEqual([409, 'VERSION_PUBLISHED'])

    const { answer: response, bytes } = await exported(colleague, skill.id)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="quarterly-report.zip"')
    const elsewhere = await (await server.organization()).person()
    const form = new FormData()
    form.append('file', new Blob([bytes]), 'quarterly-report.zip')
    const report = await elsewhere.send(importAsset, { query: { dryRun: true }, form })
    expect(report).toMatchObject({ status: 200, body: { isImportable: true, type: 'SKILL', errors: [] } })
    expect((await elsewhere.call(listAssets)).total).toBe(0)
    const imported = await elsewhere.call(importAsset, { form })
    expect(imported).toMatchObject({
      type: 'SKILL',
      name: 'Quarterly report',
      status: 'DRAFT',
      visibility: 'PRIVATE',
    })
    const files = await elsewhere.call(listFiles, {
      params: { id: (imported as { id: string }).id, version: '1.0.0' },
    })
    expect(files.items.map(({ path, sha256 }) => [path, sha256]).sort()).toEqual(
      upload.files.map(({ path, sha256 }) => [path, sha256]).sort(),
    )
    const back = await exported(elsewhere, (imported as { id: string }).id)
    expect(back.bytes.equals(bytes), 'the same package comes out').toBe(true)
  })
})

describe('Assets are collected, linked and shared', () => {
  test('collections organize the catalogue and grant no access', async () => {
    const sales = await author.call(createCollection, { body: { name: 'Sales' } })
    const letters = await author.call(createCollection, { body: { name: 'Letters', parentId: sales.id } })
    const secret = await author.call(createAsset, {
      body: { type: 'PROMPT', name: 'Secret letter', collectionIds: [letters.id] },
    })
    const open = await author.call(createAsset, {
      body: { type: 'PROMPT', name: 'Open letter', visibility: 'ORGANIZATION' },
    })
    await author.call(addToCollection, { params: { id: letters.id }, body: { assetId: open.id } })
    const visible = async (person: Person) => {
      const { items } = await person.call(listCollectionAssets, { params: { id: letters.id } })
      const { assetCount } = await person.call(readCollection, { params: { id: letters.id } })
      const listed = await person.call(listAssets, { query: { collectionId: letters.id } })
      expect([items.length, listed.total]).toEqual([assetCount, assetCount])
      return items.map(({ id }) => id).sort()
    }
    expect(await visible(author)).toEqual([secret.id, open.id].sort())
    expect(await visible(colleague)).toEqual([open.id])

    const cycle = await author.send(updateCollection, {
      params: { id: sales.id },
      body: { parentId: letters.id },
    })
    expect(refusalOf(cycle)).toEqual([409, 'COLLECTION_CYCLE'])
    const full = await owner.send(removeCollection, { params: { id: sales.id } })
    expect(refusalOf(full)).toEqual([409, 'COLLECTION_HAS_CHILDREN'])
  })

  test('links work both ways, and shares grant access until they expire', async () => {
    const { id } = await author.call(createAsset, { body: { type: 'AGENT', name: 'Closer' } })
    const params = { id }
    const entity = { entityType: 'opportunity', entityId: 'op-42' }
    const link = await author.call(createLink, { params, body: entity })
    expect((await author.call(listLinks, { params })).items).toEqual([link])
    expect((await colleague.call(listByEntity, { query: entity })).total, 'not shared yet').toBe(0)

    const team = await makeUnit('GROUP', owner, [colleague])
    const share = await author.call(createShare, {
      params,
      body: { granteeType: 'GROUP', granteeId: team, accessLevel: 'EDIT' },
    })
    expect((await colleague.call(listByEntity, { query: entity })).items).toMatchObject([
      { linkId: link.id, asset: { id, access: 'EDIT' } },
    ])
    const above = await colleague.send(createShare, {
      params,
      body: { granteeType: 'USER', granteeId: owner.id, accessLevel: 'ADMIN' },
    })
    expect(refusalOf(above)).toEqual([403, 'SHARE_ABOVE_OWN_LEVEL'])
    expect((await author.call(listShares, { params })).items).toMatchObject([
      { id: share.id, granteeId: team },
    ])
    await author.call(removeShare, { params: { ...params, shareId: share.id } })
    expect((await colleague.send(readAsset, { params })).status).toBe(404)
    await author.call(removeLink, { params: { ...params, linkId: link.id } })
    expect((await author.call(listByEntity, { query: entity })).total).toBe(0)
  })
})

test('Every specified catalogue event arrives, in order', async () => {
  const { token } = await colleague.call(createStreamToken)
  const stream = await openStream(`${server.url}/api/studio/events?token=${token}`)
  await stream.until(({ event }) => event === 'connected')
  const superAdministrator = await organization.person({
    permissions: ['STUDIO_VIEW', 'STUDIO_EDIT', 'STUDIO_VERIFY'],
  })
  const { id } = await author.call(createAsset, {
    body: { type: 'COMMAND', name: 'Heard', visibility: 'ORGANIZATION' },
  })
  const params = { id }
  await author.call(updateAsset, { params, body: { color: 'red' } })
  await author.call(createVersion, { params, body: { setCurrent: false } })
  await author.call(publishAsset, { params })
  await superAdministrator.call(verifyAsset, { params })
  await author.call(createLink, { params, body: { entityType: 'ticket', entityId: '7' } })
  await author.call(createShare, { params, body: { granteeType: 'USER', granteeId: owner.id } })
  await author.call(archiveAsset, { params })
  await author.call(unarchiveAsset, { params })
  await author.call(useAsset, { params })
  await author.call(removeAsset, { params })
  await stream.until(({ event }) => event === 'asset-deleted')
  const frames = stream.events()
  expect(frames.map(({ event }) => event).filter(event => event !== 'asset-used')).toEqual([
    'asset-created',
    'asset-updated',
    'asset-version-created',
    'asset-published',
    'asset-verified',
    'asset-linked',
    'asset-shared',
    'asset-archived',
    'asset-unarchived',
    'asset-deleted',
  ])
  for (const { data } of frames) {
    expect(data).toMatchObject({
      assetId: id,
      organizationId: organization.id,
      type: expect.stringMatching(/^ai-asset\./),
    })
  }
  stream.close()
})
