import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAsset, updateAsset } from '#contract/studio/assets.ts'
import { listFiles, removeFile } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other: colleague } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other: colleague } = await openStudioFixtures())
})
afterAll(() => server.close())

const at = (id: string, version = 'current') => ({ id, version })
const remove = (person: Person, id: string, fileId: string, version = 'current') =>
  person.send(removeFile, { params: { ...at(id, version), fileId } })
const pathsOf = async (id: string, version = 'current') =>
  (await author.call(listFiles, { params: at(id, version) })).items.map(({ path }) => path)

it('removes one file once and emits one event', async () => {
  const { id, slug } = await makeAsset(author)
  const { files } = await addFiles(author, id, [
    ['a', '1'],
    ['b', '2'],
  ])
  const before = await author.call(readAsset, { params: { id } })
  const response = await remove(author, id, firstOf(files).id)
  expect([response.status, response.text]).toEqual([204, ''])
  expect(await pathsOf(id)).toEqual(['b'])
  expect(refusalOf(await remove(author, id, firstOf(files).id))).toEqual([404, 'FILE_NOT_FOUND'])
  const updates = (await emittedEvents(server, organization.id, id)).filter(
    ({ name }) => name === 'ai-asset.updated',
  )
  expect(updates.slice(1).map(({ data }) => data)).toEqual([{ assetId: id, slug, changes: ['files'] }])
  const audit = await server.sql(
    `select changed from audit where organization_id = $1 and subject = $2 and operation like 'DELETE %'`,
    [organization.id, id],
  )
  expect(audit).toEqual([{ changed: ['files'] }])
  const after = await author.call(readAsset, { params: { id } })
  expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
})

it('removes it once in concurrent calls', async () => {
  const { id } = await makeAsset(author)
  const { id: fileId } = await addFiles(author, id, [['a', '1']])
  const responses = await Promise.all(Array.from({ length: 8 }, () => remove(author, id, fileId)))
  expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)])
})

it('changes no published version and no file of another version or asset', async () => {
  const { id } = await makeAsset(author)
  const { id: fileId } = await addFiles(author, id, [['kept.txt', '1']])
  await author.call(publishAsset, { params: { id } })
  expect(refusalOf(await remove(author, id, fileId))).toEqual([409, 'VERSION_PUBLISHED'])
  await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'next' } })
  expect(refusalOf(await remove(author, id, fileId))).toEqual([404, 'FILE_NOT_FOUND'])
  expect(refusalOf(await remove(author, id, fileId, '1.0.0'))).toEqual([409, 'VERSION_PUBLISHED'])
  expect(refusalOf(await remove(author, id, fileId, '5.0.0'))).toEqual([404, 'VERSION_NOT_FOUND'])
  const carried = firstOf((await author.call(listFiles, { params: at(id) })).items)
  expect((await remove(author, id, carried.id)).status).toBe(204)
  expect([await pathsOf(id), await pathsOf(id, '1.0.0')]).toEqual([[], ['kept.txt']])
  const other = await makeAsset(author)
  expect(refusalOf(await remove(author, other.id, fileId))).toEqual([404, 'FILE_NOT_FOUND'])
})

it('requires EDIT access', async () => {
  const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
  const { id: fileId } = await addFiles(author, id, [['a', '1']])
  expect(refusalOf(await remove(colleague, id, fileId))).toEqual([403, 'ASSET_ACCESS_DENIED'])
  const stranger = await (await server.organization()).person()
  const [hidden, unknown] = await Promise.all([
    remove(stranger, id, fileId),
    remove(stranger, newId(), fileId),
  ])
  expect([hidden.status, hidden.text]).toEqual([404, unknown.text])
  const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect(refusalOf(await remove(viewer, id, fileId))).toEqual([403, 'PERMISSION_DENIED'])
  await shareAsset(server, author, id, 'USER', colleague.id, { level: 'EDIT' })
  await author.call(archiveAsset, { params: { id } })
  expect(refusalOf(await remove(colleague, id, fileId))).toEqual([409, 'ASSET_ARCHIVED'])
  expect(await pathsOf(id)).toEqual(['a'])
})
