import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { addressOfFile, listFiles, uploadFiles } from '#contract/studio/files.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, firstOf, makeAll } from '#tests/support/elements.ts'
import { dataFolder, endAll, type Patio, removeFolders, start, until } from '#tests/support/processes.ts'
import { s3Keys, startS3 } from '#tests/support/s3.ts'
import { emittedEvents, makeAsset } from '#tests/support/studio/assets.ts'
import { addFiles, formOf, sha256Of, stored } from '#tests/support/studio/files.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

const MiB = 1024 * 1024
let server: TestServer
let person: Person
const sockets = new Set<Socket>()
beforeAll(async () => {
  server = await startTestServer()
  person = await (await server.organization()).person()
})
afterAll(async () => {
  endAll()
  for (const socket of sockets) socket.destroy()
  await server?.close()
  removeFolders()
})

function startApi(env: Record<string, string> = {}, via: string[] = []): Promise<Patio> {
  const { signInSecret, sessionKeys, databaseUrl } = server.config
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
  }
  return start('api', { ...settings, ...env }, { via })
}

const at = (id: string) => ({ id, version: 'current' })
const pathsOf = async (id: string) =>
  (await person.call(listFiles, { params: at(id) })).items.map(({ path }) => path)

/** An upload written by hand: its head first, then whatever the test sends. */
function openUpload(url: string, id: string, size: number, connection = 'close') {
  const { hostname, port } = new URL(url)
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const socket = connect(Number(port), hostname)
  sockets.add(socket)
  let received = ''
  const startedAt = performance.now()
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.on('error', () => {})
  socket.on('close', () => resolve(performance.now() - startedAt))
  socket.on('data', bytes => {
    received += bytes
  })
  socket.write(
    [
      `POST /api/studio/assets/${id}/versions/current/files HTTP/1.1`,
      'Host: localhost',
      `Connection: ${connection}`,
      `Authorization: Bearer ${person.token}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${head.length + size + tail.length}`,
      '',
      head,
    ].join('\r\n'),
  )
  return { socket, closed, received: () => received, finish: () => socket.write(tail) }
}

describe('slow clients', () => {
  let api: Patio
  beforeAll(async () => {
    api = await startApi({ FILES_URL: server.config.filesUrl, MAX_FILE_BYTES: '1000000' })
  })

  test('stalled uploads and downloads are aborted, and slow ones continue', async () => {
    const [still, slow, large] = await makeAll(3, () => makeAsset(person))
    const bytes = new Uint8Array(64 * MiB)
    const { id: fileId } = await addFiles(person, large.id, [['large.bin', bytes]])
    const address = await person.call(addressOfFile, { params: { ...at(large.id), fileId } })
    const { pathname, search } = new URL(address.url)

    const silence = limits.uploadSilenceSeconds * 1000
    const silent = openUpload(api.url, still.id, 1_000_000)
    silent.socket.write('x'.repeat(100_000))
    const patient = openUpload(api.url, slow.id, 100)
    const { hostname, port } = new URL(api.url)
    const reader = connect(Number(port), hostname)
    sockets.add(reader)
    reader.on('error', () => {})
    const startedAt = performance.now()
    reader.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await once(reader, 'readable')
    const leftovers = until('the download is given up', () => openFilesOf(api.pid) === 0, silence + 20_000)

    const drip = (async () => {
      for (let sent = 0; sent < 100; sent += 10) {
        patient.socket.write('0123456789')
        await sleep(silence / 9)
      }
      patient.finish()
    })()
    const [closedMs] = await Promise.all([silent.closed, drip, patient.closed, leftovers])
    expect(closedMs).toBeGreaterThan(silence - 500)
    expect(closedMs).toBeLessThan((silence + 10_000) * crowd())
    expect(silent.received()).toMatch(/^HTTP\/1\.1 408 /)
    expect(patient.received()).toMatch(/^HTTP\/1\.1 201 /)
    expect(performance.now() - startedAt).toBeLessThan((silence + 25_000) * crowd())
    expect([await pathsOf(still.id), await pathsOf(slow.id)]).toEqual([[], ['slow.bin']])
    await until('nothing waits', () => stored(server).incoming === 0)
  })

  test('a client that is rejected while sending gets the error, and the rest of its body is not stored', async () => {
    const { id } = await makeAsset(person)
    const form = formOf(['huge.bin', new Uint8Array(80 * MiB)])
    const response = await person.at(api.url).send(uploadFiles, { params: at(id), form })
    expect([response.status, (response.body as unknown as { limit: number }).limit]).toEqual([413, 1_000_000])
    // A client that would send forever
    const endless = openUpload(api.url, id, 100_000 * MiB, 'keep-alive')
    const chunk = Buffer.alloc(MiB)
    let isOver = false
    void endless.closed.then(() => {
      isOver = true
    })
    const startedAt = performance.now()
    while (!isOver) {
      if (!endless.socket.write(chunk)) {
        await Promise.race([new Promise(drained => endless.socket.once('drain', drained)), endless.closed])
      }
      // Fast, but not as fast as two processors allow
      await sleep(100)
    }
    expect(performance.now() - startedAt).toBeLessThan(15_000 * crowd())
    expect(endless.received()).toContain('"errorCode":"FILE_TOO_LARGE"')
    expect(stored(server).incoming).toBe(0)
  })
})

describe('a store that fails during an upload', () => {
  // Users other than root may mount in a user namespace
  const rooms = ['-m', '-Urm'].filter(
    flags => spawnSync('unshare', [flags, 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0,
  )

  test.skipIf(rooms.length === 0)(
    'a disk that is full: told as unavailable, nothing half there, and it works when there is room',
    async () => {
      const root = dataFolder()
      const mounted = [
        'unshare',
        firstOf(rooms),
        'sh',
        '-c',
        `mount -t tmpfs -o size=8m tmpfs '${root}' && exec "$@"`,
        'sh',
      ]
      const api = await startApi({ FILES_URL: `file:${root}` }, mounted)
      // The folder as that process sees it
      const inside = `/proc/${api.pid}/root${root}`
      const { id } = await makeAsset(person)
      await until('the store is open', () => readdirSync(inside).includes('incoming'))
      writeFileSync(join(inside, 'filler'), Buffer.alloc(5 * MiB))
      const form = () => formOf(['small.txt', 'small'], ['large.bin', new Uint8Array(4 * MiB)])
      const full = await person.at(api.url).send(uploadFiles, { params: at(id), form: form() })
      expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5'])
      expect(full.body).toMatchObject({ errorCode: 'UNAVAILABLE' })
      expect(readdirSync(join(inside, 'incoming'))).toEqual([])
      expect(await pathsOf(id)).toEqual([])
      expect(api.lines().some(({ msg }) => msg === 'the file store did not answer')).toBe(true)
      // Other requests are served meanwhile
      expect((await person.at(api.url).send(listFiles, { params: at(id) })).status).toBe(200)

      rmSync(join(inside, 'filler'))
      const again = await person.at(api.url).send(uploadFiles, { params: at(id), form: form() })
      expect(again.status).toBe(201)
      expect(await pathsOf(id)).toEqual(['large.bin', 'small.txt'])
      expect((await emittedEvents(server, person.organizationId, id)).map(({ name }) => name)).toEqual([
        'ai-asset.created',
        'ai-asset.updated',
      ])
      await api.stop()
    },
  )

  test('an object store that disappears: returns unavailable, leaves nothing incomplete, and works when it is back', async () => {
    const folder = dataFolder()
    let s3 = await startS3(folder)
    const api = await startApi({
      FILES_URL: 's3://patio/files',
      S3_ENDPOINT: s3.url,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
    const { id } = await makeAsset(person)
    const first = await person
      .at(api.url)
      .call(uploadFiles, { params: at(id), form: formOf(['first.txt', 'first']) })
    const upload = openUpload(api.url, id, 2 * MiB)
    upload.socket.write(Buffer.alloc(MiB))
    await s3.stop()
    upload.socket.write(Buffer.alloc(MiB))
    upload.finish()
    await upload.closed
    expect(upload.received()).toMatch(/^HTTP\/1\.1 503 /)
    expect(await pathsOf(id)).toEqual(['first.txt'])

    const download = async (fileId: string) => {
      const { url } = await person.at(api.url).call(addressOfFile, { params: { ...at(id), fileId } })
      return fetch(url.replace(/^http:\/\/[^/]+/, api.url))
    }
    expect((await download(first.id)).status).toBe(503)
    s3 = await startS3(folder, Number(new URL(s3.url).port))
    expect(await (await download(first.id)).text()).toBe('first')
    const again = await person
      .at(api.url)
      .send(uploadFiles, { params: at(id), form: formOf(['slow.bin', 'again']) })
    expect(again.status).toBe(201)

    // A download that breaks off is visibly incomplete
    const large = formOf(['large.bin', new Uint8Array(60 * MiB)])
    const { id: fileId } = await person.at(api.url).call(uploadFiles, { params: at(id), form: large })
    const reader = defined((await download(fileId)).body).getReader()
    await reader.read()
    const brokeAt = performance.now()
    await s3.stop()
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow()
    expect(performance.now() - brokeAt).toBeLessThan(10_000 * crowd())
    await api.stop()
  })

  test('a transaction that fails after storing the bytes: leaves nothing incomplete, and works again', async () => {
    const { id } = await makeAsset(person)
    const upload = openUpload(server.url, id, 1_000)
    upload.socket.write('x'.repeat(500))
    await until('bytes are received', () => stored(server).incoming === 1)
    await server.sql(
      `alter table asset_file add constraint nothing_new check (created_at < '2020-01-01') not valid`,
    )
    upload.socket.write('x'.repeat(500))
    upload.finish()
    await upload.closed
    await server.sql('alter table asset_file drop constraint nothing_new')
    expect(upload.received()).toMatch(/^HTTP\/1\.1 500 /)
    expect(await pathsOf(id)).toEqual([])
    await until('nothing waits', () => stored(server).incoming === 0)
    // Its object stays until the sweep
    const digest = sha256Of('x'.repeat(1_000))
    expect(stored(server).objects).toContain(digest)
    expect(await server.sql('select 1 from file_object where sha256 = $1', [digest])).toHaveLength(1)
    expect((await addFiles(person, id, [['slow.bin', 'x'.repeat(1_000)]])).files).toHaveLength(1)
  })

  test('a process that is killed: no version has half a file, and incoming files are cleaned up', async () => {
    const root = dataFolder()
    const env = { FILES_URL: `file:${root}` }
    const { id } = await makeAsset(person)
    const victim = await startApi(env)
    const uploads = Array.from({ length: 5 }, () => {
      const upload = openUpload(victim.url, id, 3 * MiB)
      upload.socket.write(Buffer.alloc(2 * MiB))
      return upload
    })
    await until('bytes are received', () => {
      expect(uploads.map(({ received }) => received()).filter(Boolean)).toEqual([])
      return readdirSync(join(root, 'incoming')).length === 5
    })
    await victim.stop('SIGKILL')
    await Promise.all(uploads.map(({ closed }) => closed))
    expect(await pathsOf(id)).toEqual([])
    expect(readdirSync(join(root, 'objects'))).toEqual([])
    const leftovers = readdirSync(join(root, 'incoming'))
    expect(leftovers).toHaveLength(5)
    const longAgo = 7 * 3600
    spawnSync('touch', [
      '-d',
      `@${Math.floor(Date.now() / 1000) - longAgo}`,
      ...leftovers.map(name => join(root, 'incoming', name)),
    ])
    const next = await startApi(env)
    await until('what was left is tidied', () => readdirSync(join(root, 'incoming')).length === 0)
    expect(
      (await person.at(next.url).send(uploadFiles, { params: at(id), form: formOf(['slow.bin', 'x']) }))
        .status,
    ).toBe(201)
    await next.stop()
  })
})

/** The number of stored objects that a process has open, where the system provides it. */
function openFilesOf(pid: number): number {
  const result = spawnSync('sh', ['-c', `ls -l /proc/${pid}/fd | grep -c '/objects/'`], { encoding: 'utf8' })
  return Number(result.stdout)
}
