import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlobUnreadable, hiddenName, openBlob, sealBlob } from './sealed-blob.ts'

const MiB = 1024 * 1024
const key = randomBytes(32)

async function* cut(bytes: Buffer, at: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += at) yield bytes.subarray(from, from + at)
}
const sealed = (bytes: Buffer, name = 'a', chunk = 70_000) => buffer(sealBlob(key, name, cut(bytes, chunk)))
const opened = (bytes: Buffer, name = 'a', chunk = 50_001, with_ = key) =>
  buffer(openBlob(with_, name, cut(bytes, chunk)))

test.each([0, 1, MiB - 1, MiB, MiB + 1, 5 * MiB, 9 * MiB + 7])('%i bytes come back', async size => {
  const random = randomBytes(size)
  const repeated = Buffer.alloc(size, 'the same again and again, ')
  for (const bytes of [random, repeated]) expect((await opened(await sealed(bytes))).equals(bytes)).toBe(true)
  if (size > MiB) expect((await sealed(repeated)).length).toBeLessThan(size / 10)
})

test('chunks of any size make the same blob readable', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
      fc.integer({ min: 1, max: 4_000 }),
      fc.integer({ min: 1, max: 4_000 }),
      async (content, writeAt, readAt) => {
        const bytes = Buffer.from(content)
        expect((await opened(await sealed(bytes, 'a', writeAt), 'a', readAt)).equals(bytes)).toBe(true)
      },
    ),
    { numRuns: 30 },
  )
})

// backups that are stored must stay readable
test('a stored blob and a stored name keep their form', async () => {
  const oldKey = Buffer.alloc(32, 7)
  const blob =
    'cGF0aW8tMQpm4v5fPCeuJ-o4q2vMyeKiAwAAKdYHrhFtjhFnpbvksqvdKHz9BJ6bft04uImaM1gIleGFIYi0YMnio5ds6UakofMFV2jrczznpTWnNA'
  const bytes = await opened(Buffer.from(blob, 'base64url'), 'files/one', 1_000, oldKey)
  expect(String(bytes)).toBe('The content of a backup. '.repeat(3))
  expect(hiddenName(oldKey, 'ab'.repeat(32))).toBe('MjcB5dQvjf8YFoIexZXjpE_AJj_IAXt-')
})

test('equal content makes different blobs', async () => {
  const bytes = Buffer.from('content')
  expect((await sealed(bytes)).equals(await sealed(bytes))).toBe(false)
})

test('another key, another name, and every altered or missing byte are refused', async () => {
  const bytes = randomBytes(3 * MiB)
  const blob = await sealed(bytes)
  await expect(opened(blob, 'a', MiB, randomBytes(32))).rejects.toThrow(BlobUnreadable)
  await expect(opened(blob, 'b')).rejects.toThrow(BlobUnreadable)
  for (const at of [0, 8, 24, 27, 28, MiB, blob.length - 1]) {
    const altered = Buffer.from(blob)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    await expect(opened(altered), `byte ${at}`).rejects.toThrow(BlobUnreadable)
  }
  for (const length of [0, 7, 24, 28, MiB, 2 * MiB, blob.length - 1])
    await expect(opened(blob.subarray(0, length)), `${length} bytes`).rejects.toThrow(BlobUnreadable)
  await expect(opened(Buffer.concat([blob, Buffer.from('x')]))).rejects.toThrow(BlobUnreadable)
})

test('frames cannot be left out or exchanged', async () => {
  const blob = await sealed(randomBytes(3 * MiB))
  const head = blob.subarray(0, 24)
  const frameBytes = 4 + MiB + 16
  const frame = (n: number) => blob.subarray(24 + n * frameBytes, 24 + (n + 1) * frameBytes)
  expect((await opened(Buffer.concat([head, frame(0), frame(1), frame(2)]))).length).toBe(3 * MiB)
  for (const order of [[0, 2], [1, 0, 2], [0, 0, 1, 2], [2], [0, 1]])
    await expect(opened(Buffer.concat([head, ...order.map(frame)])), `${order}`).rejects.toThrow(
      BlobUnreadable,
    )
})

test('an error of the source is thrown, and no blob ends as if it were complete', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield randomBytes(2 * MiB)
    throw new Error('the disk failed')
  }
  await expect(buffer(sealBlob(key, 'a', failing()))).rejects.toThrow('the disk failed')
})

test('a hidden name depends on the key and the digest alone', () => {
  const sha256 = 'ab'.repeat(32)
  expect(hiddenName(key, sha256)).toBe(hiddenName(key, sha256))
  expect(hiddenName(key, sha256)).toMatch(/^[\w-]{32}$/)
  expect(hiddenName(randomBytes(32), sha256)).not.toBe(hiddenName(key, sha256))
})
