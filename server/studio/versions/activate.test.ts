import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAssets, readAsset } from '#contract/studio/assets.ts'
import { listFiles } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { activateVersion, createVersion, listVersions } from '#contract/studio/versions.ts'
import { emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let author: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  author = await organization.person()
})
afterAll(() => server.close())

const activate = (id: string, version: string, person = author) =>
  person.send(activateVersion, { params: { id, version } })

it('makes an inactive version the active one under its own number', async () => {
  const { id } = await makeAsset(author, { description: 'Old', bodyMarkdown: 'coelacanth' })
  await addFiles(author, id, [['a.txt', 'a']])
  await author.call(createVersion, {
    params: { id },
    body: {
      version: '2.0.0',
      description: 'New',
      bodyMarkdown: 'hagfish',
      copyFiles: false,
      setCurrent: false,
    },
  })
  const { status, body } = await activate(id, '2.0.0')
  expect([status, body.version, body.isCurrent, body.publishedAt]).toEqual([201, '2.0.0', true, null])
  expect(await author.call(readAsset, { params: { id } })).toMatchObject({
    version: '2.0.0',
    description: 'New',
    bodyMarkdown: 'hagfish',
    status: 'DRAFT',
  })
  expect((await author.call(listVersions, { params: { id } })).items.map(({ version }) => version)).toEqual([
    '2.0.0',
    '1.0.0',
  ])
  expect((await author.call(listFiles, { params: { id, version: 'current' } })).items).toEqual([])
  const countMatches = async (search: string) => (await author.call(listAssets, { query: { search } })).total
  expect([await countMatches('hagfish'), await countMatches('coelacanth')]).toEqual([1, 0])
  expect((await emittedEvents(server, organization.id, id)).at(-1)).toMatchObject({
    name: 'ai-asset.updated',
    data: { changes: ['description', 'bodyMarkdown', 'version'] },
  })

  await author.call(publishAsset, { params: { id } })
  await activate(id, '1.0.0')
  expect(await author.call(readAsset, { params: { id } })).toMatchObject({
    status: 'PUBLISHED',
    publishedVersion: '2.0.0',
    currentVersion: { version: '1.0.0', publishedAt: null },
  })
  expect((await activate(id, 'latest')).body).toMatchObject({
    version: '2.0.0',
    publishedAt: expect.any(String),
  })
  expect(await author.call(readAsset, { params: { id } })).toMatchObject({
    currentVersion: { version: '2.0.0', publishedAt: expect.any(String) },
  })
})

it('changes nothing and emits no event if the version is active already', async () => {
  const { id } = await makeAsset(author)
  const before = await emittedEvents(server, organization.id, id)
  expect((await activate(id, '1.0.0')).status).toBe(201)
  expect(await emittedEvents(server, organization.id, id)).toEqual(before)
})

it('requires EDIT access, an asset that is not archived and an existing version', async () => {
  const { id } = await makeAsset(author)
  const reader = await organization.person()
  expect((await activate(id, '1.0.0', reader)).status).toBe(404)
  await shareAsset(server, author, id, 'USER', reader.id)
  expect(await activate(id, '1.0.0', reader)).toMatchObject({
    status: 403,
    body: { errorCode: 'ASSET_ACCESS_DENIED' },
  })
  const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect((await activate(id, '1.0.0', viewer)).status).toBe(403)
  expect(await activate(id, '9.9.9')).toMatchObject({
    status: 404,
    body: { errorCode: 'VERSION_NOT_FOUND' },
  })
  await author.call(archiveAsset, { params: { id } })
  expect(await activate(id, '1.0.0')).toMatchObject({ status: 409, body: { errorCode: 'ASSET_ARCHIVED' } })
})
