import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readEntry } from '#contract/marketplace/entries.ts'
import { duplicateAsset, removeAsset } from '#contract/studio/assets.ts'
import { removeFile } from '#contract/studio/files.ts'
import { type Files, StoreUnavailable } from '#platform/adapters/files.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { blocked } from '#tests/support/blocked.ts'
import { earlier } from '#tests/support/earlier.ts'
import { defined, findIn } from '#tests/support/elements.ts'
import { makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { insertRows } from '#tests/support/rows.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { addFiles, sha256Of, stored } from '#tests/support/studio/files.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { purgeDeletedAssets } from '../assets/asset-purge.sql.ts'
import { sweepFiles } from './file-sweep.sql.ts'

let server: TestServer
let person: Person
let files: Files
beforeAll(async () => {
  server = await startTestServer()
  person = await (await server.organization()).person()
  files = server.api.services.files
})
afterAll(() => server.close())
beforeEach(() => server.sql('delete from asset_file'))

const sweep = () => sweepFiles(server.api.services.database, files)
/** Simulates that this many hours have passed. */
const pass = (hours: number) =>
  server.sql(
    `update file_object set check_at = ${earlier('check_at', "($1 * interval '1 hour')")},
       unreferenced_at = ${earlier('unreferenced_at', "($1 * interval '1 hour')")}`,
    [hours],
  )
const isThere = (content: string) => stored(server).objects.includes(sha256Of(content))
const rowOf = async (content: string) =>
  (await server.sql('select * from file_object where sha256 = $1', [sha256Of(content)]))[0]

async function uploaded(content: string) {
  const { id, currentVersionId: versionId } = await makeAsset(person)
  const { id: fileId } = await addFiles(person, id, [['a.txt', content]])
  const remove = () => person.call(removeFile, { params: { id, version: 'current', fileId } })
  return { id, versionId, remove }
}

it('removes an unreferenced object a day later, after a second check', async () => {
  const { remove } = await uploaded('soon unwanted')
  await remove()
  await sweep()
  await pass(23)
  await sweep()
  expect(await rowOf('soon unwanted')).toMatchObject({ unreferenced_at: null })
  await pass(1.1)
  await sweep()
  expect([isThere('soon unwanted'), defined(await rowOf('soon unwanted')).unreferenced_at]).toEqual([
    true,
    expect.any(String),
  ])
  await pass(0.5)
  await sweep()
  expect(isThere('soon unwanted')).toBe(true)
  await pass(0.6)
  await sweep()
  expect([isThere('soon unwanted'), await rowOf('soon unwanted')]).toEqual([false, undefined])
})

it('keeps objects that a marketplace release refers to after the purge of its asset', async () => {
  const home = await server.organization({ features: ['marketplace'] })
  const author = await home.person({ role: 'OWNER' })
  const { id, assetId } = await makeSubmission(author, { files: [['a.txt', 'released']] })
  await author.call(removeAsset, { params: { id: defined(assetId) } })
  await server.sql(`update asset set deleted_at = now() - interval '40 days' where id = $1`, [assetId])
  expect(await purgeDeletedAssets(server.api.services.database)).toBe(1)
  for (let day = 0; day < 3; day++) {
    await pass(25)
    await sweep()
  }
  expect([isThere('released'), defined(await rowOf('released')).unreferenced_at]).toEqual([true, null])
  expect((await author.call(readEntry, { params: { id } })).files).toMatchObject([{ path: 'a.txt' }])
  await server.sql('delete from market_release_file')
  for (let day = 0; day < 2; day++) {
    await pass(25)
    await sweep()
  }
  expect(isThere('released')).toBe(false)
})

it('keeps objects that any version or copy refers to, and checks them again every day', async () => {
  const { id, remove } = await uploaded('shared')
  const copy = await person.call(duplicateAsset, { params: { id } })
  await remove()
  for (let day = 0; day < 5; day++) {
    await pass(25)
    await sweep()
  }
  expect([isThere('shared'), defined(await rowOf('shared')).unreferenced_at]).toEqual([true, null])
  await person.call(removeAsset, { params: { id: copy.id } })
  // It can be restored for a month
  for (let day = 0; day < 3; day++) {
    await pass(25)
    await sweep()
  }
  expect(isThere('shared')).toBe(true)
  await server.sql(`update asset set deleted_at = now() - interval '40 days' where id = $1`, [copy.id])
  await purgeDeletedAssets(server.api.services.database)
  for (const hours of [25, 2]) {
    await pass(hours)
    await sweep()
  }
  expect(isThere('shared')).toBe(false)
})

it('forgets the first check when the same content is uploaded again', async () => {
  const { remove } = await uploaded('comes back')
  await remove()
  await pass(25)
  await sweep()
  expect(defined(await rowOf('comes back')).unreferenced_at).not.toBeNull()
  await uploaded('comes back')
  expect(defined(await rowOf('comes back')).unreferenced_at).toBeNull()
  await pass(2)
  await sweep()
  expect(isThere('comes back')).toBe(true)
})

it('finds a reference that a transaction added between the checks', async () => {
  const { id, versionId, remove } = await uploaded('late reference')
  await remove()
  await pass(25)
  await sweep()
  // As copying does, which only writes rows
  await insertRows(server, 'asset_file', [
    {
      organization_id: person.organizationId,
      asset_id: id,
      version_id: versionId,
      path: 'late',
      sha256: sha256Of('late reference'),
      created_by: person.id,
    },
  ])
  await pass(2)
  await sweep()
  expect([isThere('late reference'), defined(await rowOf('late reference')).unreferenced_at]).toEqual([
    true,
    null,
  ])
})

it('makes a concurrent upload wait for the removal and store the object again', async () => {
  const content = 'removed and wanted at once'
  await (await uploaded(content)).remove()
  await pass(25)
  await sweep()
  await pass(2)
  const { promise: removing, resolve: started } = Promise.withResolvers<void>()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  const slow: Files = {
    ...files,
    async remove(sha256) {
      if (sha256 === sha256Of(content)) {
        started()
        await gate
      }
      await files.remove(sha256)
    },
  }
  const sweeping = sweepFiles(server.api.services.database, slow)
  await removing
  let isUploaded = false
  const upload = uploaded(content).then(() => {
    isUploaded = true
  })
  await blocked(server)
  expect(isUploaded).toBe(false)
  go()
  await Promise.all([sweeping, upload])
  expect([isThere(content), defined(await rowOf(content)).unreferenced_at]).toEqual([true, null])
})

it('checks once more before removing, because an upload may have added a reference', async () => {
  const contents = ['wanted again', 'also wanted again']
  for (const content of contents) await (await uploaded(content)).remove()
  await pass(25)
  await sweep()
  await pass(2)
  const { promise: removing, resolve: started } = Promise.withResolvers<string>()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  const slow: Files = {
    ...files,
    async remove(sha256) {
      started(sha256)
      await gate
      await files.remove(sha256)
    },
  }
  const sweeping = sweepFiles(server.api.services.database, slow)
  const first = await removing
  const other = findIn(contents, content => sha256Of(content) !== first)
  try {
    await uploaded(other)
  } finally {
    go()
    await sweeping
  }
  expect([isThere(other), defined(await rowOf(other)).unreferenced_at]).toEqual([true, null])
})

it('keeps the row of an object that cannot be removed, and tries again later', async () => {
  const content = 'hard to remove'
  await (await uploaded(content)).remove()
  await pass(25)
  await sweep()
  await pass(2)
  const broken: Files = { ...files, remove: () => Promise.reject(new StoreUnavailable('down')) }
  await expect(sweepFiles(server.api.services.database, broken)).rejects.toBeInstanceOf(StoreUnavailable)
  expect(await rowOf(content)).toBeDefined()
  await pass(2)
  await sweep()
  expect([isThere(content), await rowOf(content)]).toEqual([false, undefined])
})

it('lets two sweeps share the work, and reports that more objects are due', async () => {
  const contents = Array.from({ length: 30 }, (_, n) => `chunk ${n}`)
  const incoming = await Promise.all(contents.map(text => files.receive(Buffer.from(text), 100)))
  await storeObjects(server.api.services, incoming)
  await pass(25)
  const { database } = server.api.services
  expect(await sweepFiles(database, files, 10)).toBe(true)
  await Promise.all([sweepFiles(database, files, 20), sweepFiles(database, files, 20)])
  await pass(2)
  await Promise.all([1, 2, 3].map(() => sweep()))
  while (await sweepFiles(database, files, 10));
  expect(contents.filter(isThere)).toEqual([])
})
