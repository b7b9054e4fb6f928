import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { defined, exactly, firstOf, makeAll } from '#tests/support/elements.ts'
import { type S3Server, s3Keys, startS3 } from '#tests/support/s3.ts'
import { type Files, ObjectMissing, openFiles, StoreUnavailable, TooLarge } from './files.ts'

const MiB = 1024 * 1024
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const toEnd: (() => unknown)[] = []
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patio-files-'))
})
afterAll(async () => {
  for (const end of toEnd.reverse()) await end()
  await rm(folder, { recursive: true, force: true })
})

type Store = { name: string; open(): Promise<Files>; spool(): string }
let s3: Promise<S3Server> | undefined
const stores: Store[] = [
  {
    name: 'disk',
    open: () => openFiles({ url: `file:${join(folder, 'disk')}`, dataDir: folder, s3: undefined }),
    spool: () => join(folder, 'disk/incoming'),
  },
  {
    name: 'S3',
    async open() {
      s3 ??= startS3(join(folder, 's3'))
      const { url: endpoint, stop } = await s3
      toEnd.push(stop)
      return openFiles({
        url: 's3://patio/some/place',
        dataDir: join(folder, 'data'),
        s3: { ...s3Keys, endpoint },
      })
    },
    spool: () => join(folder, 'data/incoming'),
  },
]

describe.each(stores)('$name', ({ open, spool }) => {
  let files: Files
  beforeAll(async () => {
    files = await open()
    toEnd.push(() => files.close())
  })
  const keep = async (bytes: Buffer) => {
    const incoming = await files.receive(bytes, 1000 * MiB)
    await files.put([incoming])
    return incoming.sha256
  }
  const read = async (sha256: string, range?: { start: number; length: number }) =>
    buffer(await files.open(sha256, range))

  test.each([0, 1, 4_099, 4_101, 65_536, 5 * MiB + 3])('stores %i bytes under their digest', async size => {
    const bytes = randomBytes(size)
    // in pieces that fit no boundary
    const pieces = Array.from({ length: Math.ceil(size / 50_001) }, (_, at) =>
      bytes.subarray(at * 50_001, (at + 1) * 50_001),
    )
    const incoming = await files.receive(Readable.from(pieces), size)
    expect(incoming).toMatchObject({ sha256: digest(bytes), size })
    expect(incoming.head.equals(bytes.subarray(0, 4_100))).toBe(true)
    for (let time = 0; time < 2; time++) expect((await buffer(incoming.read())).equals(bytes)).toBe(true)
    await files.put([incoming])
    await incoming.discard()
    expect((await read(incoming.sha256)).equals(bytes)).toBe(true)
    expect(await readdir(spool())).toEqual([])
  })

  test('returns any range of an object', async () => {
    const bytes = randomBytes(300_000)
    const sha256 = await keep(bytes)
    // not the first byte alone: s3rver takes `bytes=0-0` for all of them
    for (const [start, length] of [
      [0, 2],
      [299_999, 1],
      [1, 299_999],
      [65_535, 131_074],
      [0, 300_000],
      [7, 0],
    ] as const) {
      const part = await read(sha256, { start, length })
      expect([start, length, part.equals(bytes.subarray(start, start + length))]).toEqual([
        start,
        length,
        true,
      ])
    }
  })

  test('stores many at once, including duplicates and existing ones', async () => {
    const contents = Array.from({ length: 40 }, (_, at) => Buffer.from(`content ${at % 30}`))
    const incoming = await Promise.all(contents.map(bytes => files.receive(bytes, 100)))
    await files.put(incoming)
    await files.put([])
    const again = await files.receive(firstOf(contents), 100)
    await files.put([again])
    for (const bytes of contents) expect((await read(digest(bytes))).equals(bytes)).toBe(true)
    expect(await readdir(spool())).toEqual([])
  })

  test('the same bytes can be received, stored and removed concurrently', async () => {
    const bytes = randomBytes(10_000)
    await Promise.all(Array.from({ length: 6 }, () => keep(bytes)))
    expect((await read(digest(bytes))).equals(bytes)).toBe(true)
    await Promise.all(Array.from({ length: 4 }, () => files.remove(digest(bytes))))
    await expect(files.open(digest(bytes))).rejects.toBeInstanceOf(ObjectMissing)
    await keep(bytes)
    expect((await read(digest(bytes))).equals(bytes)).toBe(true)
  })

  test('a removed object is gone, and removing it again does no harm', async () => {
    const sha256 = await keep(randomBytes(10))
    await files.remove(sha256)
    await files.remove(sha256)
    await expect(files.open(sha256)).rejects.toBeInstanceOf(ObjectMissing)
    await expect(files.open(sha256, { start: 0, length: 1 })).rejects.toBeInstanceOf(ObjectMissing)
  })

  test('stops at the first byte beyond the limit', async () => {
    let given = 0
    const endless = new Readable({
      read() {
        given += 65_536
        this.push(Buffer.alloc(65_536))
      },
    })
    await expect(files.receive(endless, MiB)).rejects.toBeInstanceOf(TooLarge)
    expect(given).toBeLessThan(2 * MiB)
    expect(endless.destroyed).toBe(true)
    await expect(files.receive(Buffer.alloc(11), 10)).rejects.toBeInstanceOf(TooLarge)
    expect((await files.receive(Buffer.alloc(10), 10)).size).toBe(10)
    for (const name of await readdir(spool())) await rm(join(spool(), name))
  })

  test('leaves nothing of a failing source', async () => {
    const broken = new PassThrough()
    broken.write(Buffer.alloc(2 * MiB))
    const receiving = files.receive(broken, 10 * MiB)
    setImmediate(() => broken.destroy(new Error('the line went dead')))
    await expect(receiving).rejects.toThrow('the line went dead')
    expect(await readdir(spool())).toEqual([])
  })

  test('deletes discarded bytes and stale uploads', async () => {
    const [discarded, fresh, old] = await makeAll(3, () => files.receive(randomBytes(10), 10))
    await discarded.discard()
    await discarded.discard()
    expect(await readdir(spool())).toHaveLength(2)
    const one = firstOf(await readdir(spool()))
    const longAgo = Date.now() / 1000 - 7 * 3600
    await utimes(join(spool(), one), longAgo, longAgo)
    await files.removeStaleUploads()
    expect(await readdir(spool())).not.toContain(one)
    expect(await readdir(spool())).toHaveLength(1)
    await Promise.all([fresh, old].map(incoming => incoming.discard()))
    expect(await readdir(spool())).toEqual([])
  })

  test('a reader that stops frees its resources', async () => {
    const sha256 = await keep(randomBytes(3 * MiB))
    const before = await openFilesOf('objects')
    for (let time = 0; time < 20; time++) {
      const stream = await files.open(sha256)
      await once(stream, 'readable')
      stream.destroy()
      await once(stream, 'close')
    }
    expect(await openFilesOf('objects')).toBe(before)
  })
})

/** How many files of that folder this process holds open; 0 where the system does not tell. */
async function openFilesOf(name: string): Promise<number> {
  const links = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(links.map(link => readlink(`/proc/self/fd/${link}`).catch(() => '')))
  return paths.filter(path => path.includes(`/${name}/`)).length
}

describe('the disk', () => {
  const at = (name: string) =>
    openFiles({ url: `file:${join(folder, name)}`, dataDir: folder, s3: undefined })

  test('makes files private and objects read-only, and accepts an existing folder', async () => {
    const files = await at('private')
    const again = await at('private')
    const incoming = await files.receive(Buffer.from('mine'), 10)
    await again.put([incoming])
    const path = join(folder, 'private/objects', incoming.sha256.slice(0, 2), incoming.sha256)
    expect((await stat(path)).mode & 0o777).toBe(0o400)
    for (const name of ['incoming', 'objects', `objects/${incoming.sha256.slice(0, 2)}`])
      expect((await stat(join(folder, 'private', name))).mode & 0o777).toBe(0o700)
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  test('the next upload repairs a partial object', async () => {
    const files = await at('mended')
    const bytes = Buffer.from('the whole of it')
    const path = join(folder, 'mended/objects', digest(bytes).slice(0, 2), digest(bytes))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'the wh')
    await files.put([await files.receive(bytes, 100)])
    expect(await readFile(path, 'utf8')).toBe('the whole of it')
  })

  test('a failing disk is unavailable, and works again later', async () => {
    const files = await at('away')
    const incoming = await files.receive(Buffer.from('soon gone'), 100)
    await rm(join(folder, 'away'), { recursive: true })
    await writeFile(join(folder, 'away'), 'no folder any more')
    await expect(files.receive(Buffer.from('x'), 100)).rejects.toBeInstanceOf(StoreUnavailable)
    const source = new PassThrough()
    await expect(files.receive(source, 100)).rejects.toBeInstanceOf(StoreUnavailable)
    expect(source.destroyed).toBe(true)
    await expect(files.put([incoming])).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(files.open(incoming.sha256)).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(files.removeStaleUploads()).rejects.toBeInstanceOf(StoreUnavailable)
    await rm(join(folder, 'away'))
    for (const name of ['incoming', 'objects']) await mkdir(join(folder, 'away', name), { recursive: true })
    await files.put([await files.receive(Buffer.from('soon gone'), 100)])
    expect((await buffer(await files.open(incoming.sha256))).toString()).toBe('soon gone')
  })
})

describe('S3', () => {
  const spoolOf = (name: string) => join(folder, name, 'incoming')
  const at = (endpoint: string, name = 'other') =>
    openFiles({ url: 's3://patio/', dataDir: join(folder, name), s3: { ...s3Keys, endpoint } })

  type ReceivedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }
  /** A server that sends the prepared answers, and the requests that it received. */
  async function open(
    answer: (request: ReceivedRequest) => { status: number; body?: string; bytes?: number } | 'nothing',
  ) {
    const requests: ReceivedRequest[] = []
    const server: Server = createServer(async (request, response) => {
      const one = {
        method: defined(request.method),
        path: defined(request.url),
        headers: request.headers,
        body: await buffer(request),
      }
      requests.push(one)
      const reply = answer(one)
      if (reply === 'nothing') return
      response.writeHead(reply.status, {
        'content-type': 'application/xml',
        ...(reply.bytes && { 'content-length': reply.bytes }),
      })
      response.end(reply.body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    toEnd.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  test('signs the digest of the whole body', async () => {
    const { requests, url } = await open(({ method }) => ({ status: method === 'HEAD' ? 404 : 200 }))
    const files = await at(url)
    const bytes = randomBytes(200_000)
    await files.put([await files.receive(bytes, 200_000)])
    const [, put] = exactly(2, requests)
    expect(put).toMatchObject({
      method: 'PUT',
      path: expect.stringContaining(`/patio/objects/${digest(bytes).slice(0, 2)}/${digest(bytes)}`),
    })
    expect(put.body.equals(bytes)).toBe(true)
    expect(put.headers).toMatchObject({
      'content-length': '200000',
      'x-amz-content-sha256': digest(bytes),
      'x-amz-checksum-sha256': createHash('sha256').update(bytes).digest('base64'),
    })
    expect(put.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-content-sha256/)
    expect(put.headers['content-encoding']).toBeUndefined()
    expect(put.headers['transfer-encoding']).toBeUndefined()
  })

  test('retries server errors a limited number of times', async () => {
    let stumbles = 2
    const { requests, url } = await open(({ method }) =>
      method === 'HEAD' ? { status: 404 } : { status: stumbles-- > 0 ? 503 : 200 },
    )
    const files = await at(url, 'stumbling')
    await files.put([await files.receive(Buffer.from('again'), 10)])
    expect(requests.filter(({ method }) => method === 'PUT').map(({ body }) => body.toString())).toEqual([
      'again',
      'again',
      'again',
    ])
    stumbles = 100
    const incoming = await files.receive(Buffer.from('never'), 10)
    await expect(files.put([incoming])).rejects.toBeInstanceOf(StoreUnavailable)
    // the recipient of the upload may try again
    expect(await readdir(spoolOf('stumbling'))).toHaveLength(1)
    stumbles = 0
    await files.put([incoming])
    expect(await readdir(spoolOf('stumbling'))).toEqual([])
  })

  test.each([
    ['a key that is wrong', { status: 403, body: '<Error><Code>InvalidAccessKeyId</Code></Error>' }],
    ['a bucket that is not there', { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }],
    ['an answer that is none', { status: 500, body: 'oops' }],
  ])('%s is reported as unavailable, never as a missing object', async (_what, answer) => {
    const { url } = await open(({ method }) =>
      method === 'HEAD' && answer.status === 404 ? { status: 200 } : answer,
    )
    const files = await at(url)
    await expect(files.open('ab'.repeat(32))).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(files.remove('ab'.repeat(32))).rejects.toBeInstanceOf(StoreUnavailable)
    const error = await files.put([await files.receive(Buffer.from('x'), 1)]).catch(reason => reason)
    expect(error).toBeInstanceOf(StoreUnavailable)
  })

  test('an unreachable server is detected at once, a silent one within seconds', {
    timeout: 60_000,
  }, async () => {
    const gone = createTcpServer()
    await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    gone.close()
    const startedAt = performance.now()
    await expect((await at(`http://127.0.0.1:${port}`)).open('ab'.repeat(32))).rejects.toBeInstanceOf(
      StoreUnavailable,
    )
    expect(performance.now() - startedAt).toBeLessThan(5_000 * crowd())
    const { url } = await open(() => 'nothing')
    const silent = await at(url)
    const incoming = await silent.receive(Buffer.from('x'), 1)
    await Promise.all(
      [silent.remove('ab'.repeat(32)), silent.open('ab'.repeat(32)), silent.put([incoming])].map(call =>
        expect(call).rejects.toBeInstanceOf(StoreUnavailable),
      ),
    )
    expect(performance.now() - startedAt).toBeLessThan(40_000 * crowd())
  })

  test('a range of the wrong length is refused', async () => {
    const { url } = await open(() => ({ status: 200, body: 'all of it', bytes: 9 }))
    const files = await at(url)
    await expect(files.open('ab'.repeat(32), { start: 0, length: 3 })).rejects.toBeInstanceOf(
      StoreUnavailable,
    )
  })
})
