import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkEntry } from '#contract/marketplace/entries.ts'
import { readSubmittedFile } from '#contract/marketplace/review-queue.ts'
import { addressOfFile, listFiles } from '#contract/studio/files.ts'
import { exportAsset } from '#contract/studio/packages.ts'
import { indexSkills } from '#contract/studio/tools.ts'
import { firstOf } from '#tests/support/elements.ts'
import { makeToken } from '#tests/support/identity/personal-tokens.ts'
import { makePublishedAsset, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { hangObject, sha256Of } from '#tests/support/studio/files.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let author: Person
let operator: Person
let token: string
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'OWNER' })
  operator = await server.operator()
  token = await makeToken(author)
})
afterAll(() => server.close())

const name = 'notes.txt'

/** A skill with one attachment that the whole organization reads. */
async function skillWith(slug: string, bytes: string | Uint8Array) {
  const asset = { type: 'SKILL', name: slug, visibility: 'ORGANIZATION' } as const
  const id = await makePublishedAsset(author, asset, [[name, bytes]])
  return { id, slug, sha256: sha256Of(bytes) }
}

async function addressOf(assetId: string): Promise<string> {
  const at = { id: assetId, version: 'current' }
  const { items } = await author.call(listFiles, { params: at })
  const { url } = await author.call(addressOfFile, { params: { ...at, fileId: firstOf(items).id } })
  return url.replace(server.config.publicUrl, server.url)
}

function readResource(slug: string): Promise<Response> {
  const params = { uri: `skill://${slug}/${name}` }
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params }),
  })
}

const status = (response: Promise<{ status: number }>) => response.then(one => one.status)
const unavailable = (count: number) => Array.from({ length: count }, () => 503)
const fine = (count: number) => Array.from({ length: count }, () => 200)

// Each hanging read blocks one of the four threads that read files, so at most three at once

test('a download, an export and a tool return unavailable while the disk hangs, and work again afterwards', async () => {
  const { id, slug, sha256 } = await skillWith('hangs', 'The bytes')
  const address = await addressOf(id)
  const all = () =>
    Promise.all([
      status(fetch(address)),
      status(author.send(exportAsset, { params: { id }, query: {} })),
      status(readResource(slug)),
    ])
  const endHang = await hangObject(server, sha256)
  try {
    expect(await all()).toEqual(unavailable(3))
  } finally {
    await endHang()
  }
  expect(await all()).toEqual(fine(3))
})

test('the checks of a submission and its files do the same', async () => {
  const { id, sha256 } = await skillWith('to-be-submitted', 'Other bytes')
  const { id: entryId } = await makeSubmission(author, { assetId: id })
  const all = () =>
    Promise.all([
      status(author.send(checkEntry, { body: { assetId: id } })),
      status(operator.send(readSubmittedFile, { params: { entryId }, query: { path: name } })),
    ])
  const endHang = await hangObject(server, sha256)
  try {
    expect(await all()).toEqual(unavailable(2))
  } finally {
    await endHang()
  }
  expect(await all()).toEqual(fine(2))
})

test('archives that are sent while they are read do the same, and their digests are not cached as hanging', async () => {
  const { id, sha256 } = await skillWith('large', randomBytes(3 * 1_048_576))
  const all = () =>
    Promise.all([
      status(author.send(exportAsset, { params: { id }, query: {} })),
      status(server.client(token).send(indexSkills)),
    ])
  const endHang = await hangObject(server, sha256)
  try {
    expect(await all()).toEqual(unavailable(2))
  } finally {
    await endHang()
  }
  expect(await all()).toEqual(fine(2))
})
