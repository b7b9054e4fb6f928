import { afterAll, beforeAll, expect, it } from 'vitest'
import { duplicateAsset, readAsset, updateAsset } from '#contract/studio/assets.ts'
import { listFiles, removeFile } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { emittedEvents, makeAsset, makeCollection, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles, stored } from '#tests/support/studio/files.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const duplicate = (person: Person, id: string, body?: object) =>
  person.send(duplicateAsset, { params: { id }, body: body as never })

it('creates a private draft of the caller with the active content only', async () => {
  const source = await makeAsset(author, {
    type: 'COMMAND',
    name: 'Original',
    description: 'd',
    frontmatter: { z: 1, a: 2 },
    tags: ['x'],
    iconName: 'owl',
    color: 'red',
    visibility: 'ORGANIZATION',
    version: '3.2.1',
    collectionIds: [await makeCollection(author)],
  })
  const params = { id: source.id }
  await author.call(publishAsset, { params })
  await author.call(updateAsset, { params, body: { bodyMarkdown: 'newest' } })
  for (const operation of [useAsset, thumbsUpAsset])
    await other.call(operation as typeof thumbsUpAsset, { params })

  const { status, body } = await duplicate(other, source.id)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Original (copy)',
    slug: 'original-copy',
    type: 'COMMAND',
    status: 'DRAFT',
    visibility: 'PRIVATE',
    currentVersion: { version: '1.0.0', publishedAt: null },
  })
  expect(await other.call(readAsset, { params: { id: body.id } })).toMatchObject({
    description: 'd',
    bodyMarkdown: 'newest',
    frontmatter: { z: 1, a: 2 },
    tags: ['x'],
    iconName: 'owl',
    color: 'red',
    author: { id: other.id },
    usageCount: 0,
    thumbsUp: 0,
    myReaction: null,
    collectionIds: [],
    publishedVersion: null,
  })
  expect((await author.send(readAsset, { params: { id: body.id } })).status).toBe(404)
  expect(await emittedEvents(server, organization.id, body.id)).toMatchObject([
    { name: 'ai-asset.created', actor_id: other.id },
  ])
  expect((await duplicate(other, source.id)).body.slug).toBe('original-copy-2')
})

it('accepts a name, and copies archived assets', async () => {
  const { id } = await makeAsset(author, { name: 'x'.repeat(255) })
  await author.call(archiveAsset, { params: { id } })
  expect((await duplicate(author, id, { name: 'Mine' })).body).toMatchObject({
    name: 'Mine',
    slug: 'mine',
    status: 'DRAFT',
  })
  expect((await duplicate(author, id, {})).body.name).toHaveLength(255)
  for (const body of [{ name: '' }, { name: 'x'.repeat(256) }, { title: 'x' }]) {
    expect((await duplicate(author, id, body)).body).toMatchObject({ errorCode: 'VALIDATION_ERROR' })
  }
})

it('requires STUDIO_CREATE and READ access', async () => {
  const { id } = await makeAsset(author)
  expect((await duplicate(other, id)).status).toBe(404)
  await shareAsset(server, author, id, 'USER', other.id)
  expect((await duplicate(other, id)).status).toBe(201)
  const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect((await duplicate(viewer, id)).body).toMatchObject({ errorCode: 'PERMISSION_DENIED' })
})

it('copies the attachments of the active version, which each copy can delete on its own', async () => {
  const source = await makeAsset(author, { visibility: 'ORGANIZATION' })
  const old = await addFiles(author, source.id, [['old.txt', 'only in the first version']])
  await author.call(updateAsset, { params: { id: source.id }, body: { bodyMarkdown: 'second' } })
  const params = { id: source.id, version: 'current' }
  const carried = only((await author.call(listFiles, { params })).items)
  await author.call(removeFile, { params: { ...params, fileId: carried.id } })
  const files = await addFiles(author, source.id, [
    ['b.md', 'b'],
    ['a/c.md', 'c'],
  ])
  const before = stored(server).objects
  const { body } = await duplicate(other, source.id)

  const copied = await other.call(listFiles, { params: { id: body.id, version: '1.0.0' } })
  expect(copied.items.map(({ path, sha256, version }) => [path, sha256, version])).toEqual([
    ['a/c.md', itemAt(files.files, 1).sha256, '1.0.0'],
    ['b.md', firstOf(files.files).sha256, '1.0.0'],
  ])
  expect(copied.items.map(({ id }) => id)).not.toContain(old.id)
  expect(stored(server).objects).toEqual(before)
  const first = firstOf(copied.items)
  await other.call(removeFile, { params: { id: body.id, version: '1.0.0', fileId: first.id } })
  expect((await author.call(listFiles, { params })).total).toBe(2)
})
