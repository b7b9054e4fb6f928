import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEntryFile } from '#contract/marketplace/entries.ts'
import { permissions } from '#contract/permissions.ts'
import { updateAsset } from '#contract/studio/assets.ts'
import {
  makeApprovedEntry,
  makePublishedAsset,
  makeSubmission,
} from '#tests/support/marketplace/marketplace.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let author: Person
let stranger: Person
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  const options = { features: ['marketplace' as const] }
  author = await (await server.organization(options)).person({ permissions: [...permissions] })
  stranger = await (await server.organization(options)).person({ permissions: [...permissions] })
  operator = await server.operator()
})
afterAll(() => server.close())

const read = (person: Person, id: string, path: string) =>
  person.send(readEntryFile, { params: { id }, query: { path } })

it('sends a file of a listed release to everybody, as a download (ENT-36)', async () => {
  const { id } = await makeApprovedEntry(operator, author, { files: [['bin/run.sh', 'echo hello\n']] })
  const answer = await read(stranger, id, 'bin/run.sh')
  expect(answer.status).toBe(200)
  expect(new TextDecoder().decode(answer.bytes)).toBe('echo hello\n')
  expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(refusalOf(await read(stranger, id, 'bin/other.sh'))).toEqual([404, 'FILE_NOT_FOUND'])
})

it('sends a file of a waiting release to its submitter alone', async () => {
  const assetId = await makePublishedAsset(author, {}, [['a.txt', 'a']])
  const { id } = await makeSubmission(author, { assetId })
  expect((await read(author, id, 'a.txt')).status).toBe(200)
  expect(refusalOf(await read(stranger, id, 'a.txt'))).toEqual([404, 'ENTRY_NOT_FOUND'])
  // the release stays when the asset changes
  await author.call(updateAsset, { params: { id: assetId }, body: { bodyMarkdown: 'Another text' } })
  expect((await read(author, id, 'a.txt')).status).toBe(200)
})
