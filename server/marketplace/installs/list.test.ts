import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { installEntry, withdrawEntry } from '#contract/marketplace/entries.ts'
import { listEntryInstalls, listInstalls } from '#contract/marketplace/installs.ts'
import { readInstall } from '#contract/marketplace/provenance.ts'
import { removeAsset } from '#contract/studio/assets.ts'
import { makeApprovedEntry, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { shareAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let away: Organization
let home: Organization
let author: Person
let user: Person
let colleague: Person
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  home = await server.organization({ features: ['marketplace'] })
  author = await home.person({ role: 'ADMIN' })
  away = await server.organization({ features: ['marketplace'] })
  user = await away.person()
  colleague = await away.person()
  operator = await server.operator()
})
// the daily limit of submissions
beforeEach(async () => {
  author = await home.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

const install = (person: Person, id: string, customName?: string) =>
  person.call(installEntry, {
    params: { id },
    body: { acknowledgeDisclaimer: true, ...(customName && { customName }) },
  })
const ofEntry = (person: Person, id: string, query = {}) =>
  person.send(listEntryInstalls, { params: { id }, query })

test('own installs, newest first, page by page', async () => {
  const entry = await makeApprovedEntry(operator, author, { asset: { name: 'First' } })
  const other = await makeApprovedEntry(operator, author, { asset: { name: 'Second' } })
  const ids = [
    await install(user, entry.id),
    await install(user, other.id, 'Mine'),
    await install(user, entry.id),
  ].map(({ installId }) => installId)
  await install(colleague, entry.id)
  const all = await user.call(listInstalls)
  expect(all).toMatchObject({ total: 3, limit: 20, offset: 0 })
  expect(all.items.map(({ installId }) => installId)).toEqual(ids.toReversed())
  expect(all.items[1]).toEqual({
    installId: ids[1],
    entryId: other.id,
    entryName: 'Second',
    installedAssetId: expect.any(String),
    installedVersion: '1.0.0',
    filesCopied: 0,
    filesFailed: 0,
    customName: 'Mine',
    installedBy: { id: user.id, name: user.name },
    createdAt: expect.any(String),
    updateAvailable: false,
  })
  const second = await user.call(listInstalls, { query: { limit: 1, offset: 1 } })
  expect(second).toMatchObject({ total: 3, limit: 1, offset: 1, items: [{ installId: ids[1] }] })
  expect(await user.call(listInstalls, { query: { offset: 9 } })).toMatchObject({ total: 3, items: [] })
  expect(await author.call(listInstalls)).toMatchObject({ total: 0, items: [] })
})

test('a copy that was deleted is listed without its id', async () => {
  const entry = await makeApprovedEntry(operator, author)
  const { installId, installedAssetId } = await install(user, entry.id)
  await user.call(removeAsset, { params: { id: installedAssetId } })
  const { items } = await ofEntry(user, entry.id).then(({ body }) => body)
  expect(items).toMatchObject([{ installId, installedAssetId: null, updateAvailable: false }])
})

test('installs of an entry are those of the organization, and private copies stay private', async () => {
  const entry = await makeApprovedEntry(operator, author)
  const stranger = await (await server.organization({ features: ['marketplace'] })).person()
  await install(stranger, entry.id)
  const mine = await install(user, entry.id)
  const theirs = await install(colleague, entry.id, 'Secret project')
  const seen = (person: Person) => ofEntry(person, entry.id).then(({ body }) => body)
  expect(await seen(user)).toMatchObject({
    total: 2,
    items: [
      {
        installId: theirs.installId,
        installedAssetId: null,
        customName: null,
        installedBy: { id: colleague.id, name: colleague.name },
      },
      { installId: mine.installId, installedAssetId: mine.installedAssetId },
    ],
  })
  await shareAsset(server, colleague, theirs.installedAssetId, 'USER', user.id)
  expect((await seen(user)).items[0]).toMatchObject({
    installedAssetId: theirs.installedAssetId,
    customName: 'Secret project',
  })
  const administrator = await away.person({ role: 'ADMIN' })
  expect((await seen(administrator)).items).toMatchObject([
    { installedAssetId: theirs.installedAssetId },
    { installedAssetId: mine.installedAssetId },
  ])
  expect(await seen(author)).toMatchObject({ total: 0, items: [] })
  expect(await ofEntry(user, entry.id, { limit: 1, offset: 1 })).toMatchObject({
    body: { total: 2, limit: 1, offset: 1, items: [{ installId: mine.installId }] },
  })
})

test('installs of a withdrawn entry are visible only to organizations with copies', async () => {
  const entry = await makeApprovedEntry(operator, author)
  await install(user, entry.id)
  await author.call(withdrawEntry, { params: { id: entry.id } })
  expect(await ofEntry(colleague, entry.id)).toMatchObject({ status: 200, body: { total: 1 } })
  expect(await ofEntry(author, entry.id)).toMatchObject({ status: 200, body: { total: 0 } })
  const stranger = await (await server.organization({ features: ['marketplace'] })).person()
  const [gone, unknown] = [await ofEntry(stranger, entry.id), await ofEntry(stranger, 'c'.padEnd(25, '0'))]
  expect(gone).toMatchObject({ status: 404, body: { errorCode: 'ENTRY_NOT_FOUND' } })
  expect(gone.text).toBe(unknown.text)
  expect((await ofEntry(user, (await makeSubmission(author)).id)).status).toBe(404)
})

test('the installer reads an install with its statement', async () => {
  const entry = await makeApprovedEntry(operator, author)
  const { installId } = await install(user, entry.id)
  const read = (person: Person, id = installId) => person.send(readInstall, { params: { id } })
  const { body } = await read(user)
  expect(body).toMatchObject({
    installId,
    provenance: { statement: { entryId: entry.id, version: '1.0.0' } },
  })
  const unknown = await read(user, 'c'.padEnd(25, '0'))
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'INSTALL_NOT_FOUND' } })
  const administrator = await away.person({ role: 'ADMIN' })
  for (const person of [colleague, author, administrator])
    expect(await read(person)).toMatchObject({ status: 404, text: unknown.text })
})

test('they need the permission to see the marketplace', async () => {
  const entry = await makeApprovedEntry(operator, author)
  const nobody = await away.person({ permissions: ['STUDIO_VIEW'] })
  for (const answer of [
    await nobody.send(listInstalls),
    await ofEntry(nobody, entry.id),
    await nobody.send(readInstall, { params: { id: 'x' } }),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
  }
})
