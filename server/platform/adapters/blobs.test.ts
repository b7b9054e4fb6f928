import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { type S3Server, s3Keys, startS3 } from '#tests/support/s3.ts'
import { type Blobs, openBlobs } from './blobs.ts'

let folder: string
let s3: S3Server | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patio-blobs-'))
})
afterAll(async () => {
  await s3?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}
async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('half')
  throw new Error('the source failed')
}

describe.each(['folder', 'bucket'])('in a %s', kind => {
  let blobs: Blobs
  const spool = () => join(folder, kind === 'folder' ? 'store/incoming' : 'spool')
  beforeAll(async () => {
    if (kind === 'bucket') s3 = await startS3(join(folder, 's3'))
    blobs = await openBlobs({
      url: kind === 'bucket' ? 's3://patio/deep/place' : `file:${join(folder, 'store')}`,
      s3: kind === 'bucket' ? { ...s3Keys, endpoint: defined(s3).url } : undefined,
      spool: spool(),
    })
  })
  afterAll(() => blobs?.close())
  const list = async (of: string) => {
    const found = []
    for await (const { name, bytes } of blobs.list(of)) found.push([name, bytes])
    return found.sort()
  }

  test('a blob is written, listed, read, replaced and removed', async () => {
    const bytes = randomBytes(350_000)
    expect(await list('some')).toEqual([])
    expect(await blobs.write('some/folder/one', pieces(bytes))).toEqual({
      name: 'some/folder/one',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    await blobs.write('some/two', Buffer.from('two'))
    await blobs.write('others/three', Buffer.from('three'))
    expect((await buffer(await blobs.read('some/folder/one'))).equals(bytes)).toBe(true)
    expect(await list('some')).toEqual([
      ['some/folder/one', 350_000],
      ['some/two', 3],
    ])
    await blobs.write('some/two', Buffer.from('more'))
    expect(String(await buffer(await blobs.read('some/two')))).toBe('more')
    await blobs.remove('some/two')
    await blobs.remove('some/two')
    expect(await list('some')).toEqual([['some/folder/one', 350_000]])
    expect(await readdir(spool())).toEqual([])
  })

  test('a source that fails leaves nothing', async () => {
    await expect(blobs.write('failed/one', broken())).rejects.toThrow('the source failed')
    expect(await list('failed')).toEqual([])
    expect(await readdir(spool())).toEqual([])
  })

  test('more blobs than a page of the list has', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, worker) => {
        for (let n = 0; n < 26; n++) await blobs.write(`many/${worker}-${n}`, Buffer.from('x'))
      }),
    )
    expect(await list('many')).toHaveLength(1_040)
  })
})
