import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { listAssets, readAsset, readAssetBySlug, removeAsset } from '#contract/studio/assets.ts'
import { addToCollection, listCollectionAssets } from '#contract/studio/collections.ts'
import { listFiles } from '#contract/studio/files.ts'
import { archiveAsset, listDeletedAssets, publishAsset, restoreAsset } from '#contract/studio/lifecycle.ts'
import { listLinks } from '#contract/studio/links.ts'
import { listShares } from '#contract/studio/shares.ts'
import { thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { createVersion, listVersions } from '#contract/studio/versions.ts'
import { purgeDeletedAssets } from '#server/studio/assets/asset-purge.sql.ts'
import { only } from '#tests/support/elements.ts'
import {
  emittedEvents,
  linkAsset,
  makeAsset,
  makeCollection,
  shareAsset,
} from '#tests/support/studio/assets.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const remove = (person: Person, id: string) => person.call(removeAsset, { params: { id } })
const restore = (person: Person, id: string) => person.send(restoreAsset, { params: { id } })
const deleted = async (person: Person) => (await person.call(listDeletedAssets, {})).items.map(({ id }) => id)
const age = (id: string, days: number) =>
  server.sql(`update asset set deleted_at = now() - $2 * interval '1 day' where id = $1`, [id, days])

it('restores everything: slug, status, versions, files, collections, links, shares and counters', async () => {
  const { id, slug } = await makeAsset(author, { name: 'Phoenix', tags: ['bird'], bodyMarkdown: 'simurgh' })
  const params = { id }
  await addFiles(author, id, [['a.txt', 'a']])
  await author.call(createVersion, { params, body: { bump: 'minor' } })
  await author.call(publishAsset, { params })
  const collectionId = await makeCollection(author)
  await author.call(addToCollection, { params: { id: collectionId }, body: { assetId: id } })
  await linkAsset(author, id, 'ticket', 'T-1')
  await shareAsset(server, author, id, 'USER', other.id)
  await other.call(useAsset, { params })
  await other.call(thumbsUpAsset, { params })

  const state = async () => ({
    asset: { ...(await author.call(readAsset, { params })), updatedAt: '' },
    bySlug: (await author.call(readAssetBySlug, { params: { slug } })).id,
    versions: await author.call(listVersions, { params }),
    files: await author.call(listFiles, { params: { id, version: 'current' } }),
    links: await author.call(listLinks, { params }),
    shares: await author.call(listShares, { params }),
    collection: (await author.call(listCollectionAssets, { params: { id: collectionId } })).total,
    found: (await author.call(listAssets, { query: { search: 'simurgh' } })).total,
    listed: (await author.call(listAssets, { query: { authorId: author.id } })).total,
    sharedWithOther: (await other.call(listAssets, { query: {} })).items.map(item => item.name),
  })
  const before = await state()
  await remove(author, id)
  expect((await author.send(readAsset, { params })).status).toBe(404)
  expect((await author.call(listCollectionAssets, { params: { id: collectionId } })).total).toBe(0)

  const response = await restore(author, id)
  expect([response.status, response.body.name]).toEqual([201, 'Phoenix'])
  expect(await state()).toEqual(before)
  expect((await emittedEvents(server, organization.id, id)).at(-1)).toMatchObject({
    name: 'ai-asset.created',
    data: { assetId: id, slug, restored: true },
  })
})

it('restores once, however often it is called, and does not change an asset that is not deleted', async () => {
  const { id } = await makeAsset(author)
  await author.call(archiveAsset, { params: { id } })
  await remove(author, id)
  const total = async () =>
    (await author.call(listAssets, { query: { authorId: author.id, status: 'ARCHIVED' } })).total
  const before = await total()
  const responses = await Promise.all(Array.from({ length: 5 }, () => restore(author, id)))
  expect(responses.map(({ status, body }) => [status, body.status])).toEqual(Array(5).fill([201, 'ARCHIVED']))
  expect(await total()).toBe(before + 1)
  const created = (await emittedEvents(server, organization.id, id)).filter(
    ({ name }) => name === 'ai-asset.created',
  )
  expect(created).toHaveLength(2)
})

it('requires the access to delete the asset, within the retention time', async () => {
  const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
  await remove(author, id)
  expect((await restore(stranger, id)).status).toBe(404)
  expect(await restore(limited, id)).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
  expect(await restore(other, id)).toMatchObject({ status: 403, body: { errorCode: 'ASSET_ACCESS_DENIED' } })
  const secret = await makeAsset(author)
  await remove(author, secret.id)
  expect((await restore(other, secret.id)).status).toBe(404)

  await age(id, limits.deletedAssetDays - 1)
  expect((await restore(await organization.person({ role: 'ADMIN' }), id)).status).toBe(201)
  await remove(author, id)
  await age(id, limits.deletedAssetDays + 1)
  expect((await restore(author, id)).status).toBe(404)
  expect(await deleted(author)).not.toContain(id)
  while ((await purgeDeletedAssets(server.api.services.database)) > 0);
  expect((await restore(author, id)).status).toBe(404)
})

it('lists the assets that the caller may restore, last deleted first', async () => {
  const company = await server.organization()
  const [admin, one, two] = await Promise.all([
    company.person({ role: 'ADMIN' }),
    company.person({ name: 'One' }),
    company.person(),
  ])
  const [first, second, theirs] = [
    await makeAsset(one, { name: 'First' }),
    await makeAsset(one, { name: 'Second', type: 'SKILL', visibility: 'ORGANIZATION' }),
    await makeAsset(two),
  ]
  await shareAsset(server, two, theirs.id, 'USER', one.id, { level: 'ADMIN' })
  await remove(one, first.id)
  await remove(admin, second.id)
  await remove(one, theirs.id)
  expect(await deleted(one)).toEqual([theirs.id, second.id, first.id])
  expect(await deleted(two)).toEqual([theirs.id])
  expect(await deleted(admin)).toEqual([theirs.id, second.id, first.id])
  const page = await admin.call(listDeletedAssets, { query: { limit: 1, offset: 1 } })
  expect(page).toMatchObject({ total: 3, limit: 1, offset: 1 })
  const item = only(page.items)
  expect(item).toEqual({
    id: second.id,
    type: 'SKILL',
    slug: 'second',
    name: 'Second',
    status: 'DRAFT',
    visibility: 'ORGANIZATION',
    version: '1.0.0',
    author: { id: one.id, name: 'One' },
    deletedAt: expect.any(String),
    deletedBy: { id: admin.id, name: admin.name },
    restorableUntil: expect.any(String),
  })
  const days = (Date.parse(item.restorableUntil) - Date.parse(item.deletedAt)) / 86_400_000
  expect(days).toBe(limits.deletedAssetDays)
  await restore(one, first.id)
  expect(await deleted(one)).toEqual([theirs.id, second.id])
  const limited = await company.person({ permissions: ['STUDIO_VIEW'] })
  expect((await limited.send(listDeletedAssets, {})).status).toBe(403)
})
