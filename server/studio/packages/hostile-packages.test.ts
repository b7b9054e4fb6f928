import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { importAsset } from '#contract/studio/packages.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { stored } from '#tests/support/studio/files.ts'
import { packageForm, reportOf, sendPackage } from '#tests/support/studio/packages.ts'
import { type ZipEntry, type ZipOverrides, zipOf } from '#tests/support/studio/zip.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let author: Person
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization()).person()
})
afterAll(() => server.close())

const skill: ZipEntry = { name: 'SKILL.md', content: '---\nname: bait\ndescription: Looks good\n---\nText' }
const mebibyte = 1_048_576
/** Bytes that do not compress well. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let n = 0, state = 1; n < length; n += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, Math.min(n, length - 4))
  }
  return bytes
}

/** Everything that an import could leave behind: rows, objects, incoming files. */
async function remains() {
  const [rows] = await server.sql(`select (select count(*)::int from asset) as assets,
    (select count(*)::int from asset_version) as versions, (select count(*)::int from asset_file) as files,
    (select count(*)::int from file_object) as objects, (select count(*)::int from asset_slug) as slugs,
    (select count(*)::int from outbox) + (select count(*)::int from event) as said`)
  return { ...rows, ...stored(server) }
}

/** Sends a package that must be rejected, within bounded time and memory and without leftovers. */
async function refused(zip: Buffer): Promise<(string | number | undefined)[]> {
  const before = await remains()
  const memory = process.memoryUsage()
  const start = performance.now()
  const { status, body } = await sendPackage(author, zip)
  expect(performance.now() - start).toBeLessThan(5_000 * crowd())
  const now = process.memoryUsage()
  expect(now.heapUsed + now.external - memory.heapUsed - memory.external).toBeLessThan(128 * mebibyte)
  expect(await remains()).toEqual(before)
  const { statusCode, details = [] } = body
  expect(statusCode).toBe(status)
  for (const detail of details) {
    expect(Object.keys(detail).sort()).toEqual(['code', 'message', 'path'])
    expect(detail.path).not.toMatch(/[\p{Cc}\p{Cs}]/u)
  }
  return [status, body.errorCode, ...details.map(({ code }) => code)]
}
const invalid = (...codes: string[]) => [400, 'PACKAGE_INVALID', ...codes]
const tooLarge = (...codes: string[]) => [413, 'PACKAGE_TOO_LARGE', ...codes]

describe('an import rejects', () => {
  it.each<[string, string, Omit<ZipEntry, 'content'>]>([
    ['a name that points outside', 'outside-path', { name: '../evil.txt' }],
    ['a name that points outside after a folder', 'outside-path', { name: 'a/../../evil.txt' }],
    ['a folder that points outside', 'outside-path', { name: '../' }],
    ['an absolute name', 'absolute-path', { name: '/etc/passwd' }],
    ['a name with a drive', 'absolute-path', { name: 'C:/evil.txt' }],
    ['a name with a drive and no slash', 'absolute-path', { name: 'c:evil.txt' }],
    ['a Windows path', 'backslash', { name: 'C:\\evil.txt' }],
    ['a name with backslashes', 'backslash', { name: '..\\evil.txt' }],
    ['a network name', 'backslash', { name: '\\\\host\\share' }],
    ['an empty name', 'path-invalid', { name: '' }],
    ['an empty part', 'path-invalid', { name: 'a//b' }],
    ['a part that is a dot', 'path-invalid', { name: 'a/./b' }],
    ['a blank part', 'path-invalid', { name: 'a/ /b' }],
    ['NUL in a name', 'control-character', { name: 'a\0.txt' }],
    ['a line break in a name', 'control-character', { name: 'a\nb' }],
    ['an escape in a name', 'control-character', { name: '\u001b[2Ja' }],
    ['a name that is not UTF-8', 'name-encoding', { name: Buffer.from([0x61, 0xff, 0x62]) }],
    ['a name that says it is UTF-8 and is not', 'name-encoding', { name: Buffer.from([0xe9]), flags: 0x800 }],
    ['a link', 'special-file', { name: 'link', mode: 0o120777 }],
    ['a device', 'special-file', { name: 'device', mode: 0o020666 }],
    ['a pipe', 'special-file', { name: 'pipe', mode: 0o010666 }],
    ['a socket', 'special-file', { name: 'socket', mode: 0o140777 }],
    ['a folder with the name of a file', 'special-file', { name: 'folder', mode: 0o040755 }],
    ['an encrypted entry', 'encrypted', { name: 'a', flags: 0x801 }],
    ['a masked entry', 'encrypted', { name: 'a', flags: 0x2800 }],
    ['another compression', 'compression', { name: 'a', method: 14 }],
    ['AES', 'compression', { name: 'a', method: 99 }],
    ['patch data', 'compression', { name: 'a', flags: 0x820 }],
  ])('%s', async (_, code, entry) => {
    expect(await refused(zipOf([skill, { ...entry, content: 'evil' }]))).toEqual(invalid(code))
  })

  it.each<[string, string, ZipEntry[]]>([
    [
      'the same name twice',
      'duplicate-name',
      [
        { name: 'a', content: 'x' },
        { name: 'a', content: 'y' },
      ],
    ],
    ['a second SKILL.md', 'duplicate-name', [skill]],
    ['one name in two Unicode forms', 'duplicate-name', [{ name: 'caf\u00e9' }, { name: 'cafe\u0301' }]],
    ['one name with a dot before it', 'duplicate-name', [{ name: 'a' }, { name: './a' }]],
    ['a file that is also a folder', 'duplicate-name', [{ name: 'a/b' }, { name: 'a' }]],
    ['a folder with content', 'special-file', [{ name: 'folder/', content: 'x' }]],
    ['two names for one entry', 'two-names', [{ name: 'a', content: 'x', extra: unicodePath('a', 'b') }]],
    ['a size that is too small', 'content-damaged', [{ name: 'a', content: 'a longer text', size: 3 }]],
    ['a size that is too large', 'content-damaged', [{ name: 'a', content: 'text', size: 30 }]],
    [
      'a large file with a size that is too small',
      'content-damaged',
      [{ name: 'a', content: noise(mebibyte), size: 300_000 }],
    ],
    [
      'a large file with a size that is too large',
      'content-damaged',
      [{ name: 'a', content: noise(mebibyte), size: 2_000_000 }],
    ],
    ['a wrong checksum', 'content-damaged', [{ name: 'a', content: 'text', crc: 1 }]],
    [
      'a wrong checksum of a large file',
      'content-damaged',
      [{ name: 'a', content: noise(mebibyte), crc: 1 }],
    ],
    ['a wrong checksum of SKILL.md', 'content-damaged', [{ ...skill, name: 'x/y/SKILL.md', crc: 1 }]],
    [
      'bytes that cannot be decompressed',
      'content-damaged',
      [{ name: 'a', content: noise(500), method: 8, packed: 400 }],
    ],
    [
      'an entry that starts beyond the end',
      'entries-overlap',
      [{ name: 'a', content: 'text', at: 0x7fffffff }],
    ],
    ['an entry that starts inside another', 'entries-overlap', [{ name: 'a', content: 'text', at: 10 }]],
    ['an entry that extends too far', 'entries-overlap', [{ name: 'a', content: 'text', packed: 100_000 }]],
    ['two entries with the same bytes', 'entries-overlap', [{ name: 'a', content: 'x', at: 0 }]],
    [
      'a stored entry with two sizes',
      'archive-damaged',
      [{ name: 'a', content: 'text', stored: true, size: 9 }],
    ],
    [
      'an extra field that ends too late',
      'archive-damaged',
      [{ name: 'a', content: 'x', extra: Buffer.from('0100ff00', 'hex') }],
    ],
  ])('%s', async (_, code, entries) => {
    expect(
      await refused(
        zipOf([...(code === 'content-damaged' && only(entries).name !== 'a' ? [] : [skill]), ...entries]),
      ),
    ).toEqual(invalid(code))
  })

  it.each<[string, ZipOverrides]>([
    ['a smaller entry count', { count: 1 }],
    ['a larger entry count', { count: 3 }],
    ['several disks', { disk: 1 }],
    ['a directory that is elsewhere', { directoryAt: 0 }],
    ['a directory beyond the end', { directoryAt: 0x7fffffff }],
    ['data after the end', { tail: Buffer.from('more') }],
    ['another archive after the end', { tail: zipOf([{ name: 'x', content: 'y' }]) }],
    ['an end record in the comment', { comment: zipOf([]) }],
    ['fewer entries of ZIP64 than there are', { zip64: { count: 1 } }],
    ['as many entries of ZIP64 as there are atoms', { zip64: { count: 2 ** 53 } }],
    ['a directory of ZIP64 that is nowhere', { zip64: { directoryAt: 2 ** 62 } }],
  ])('%s', async (what, lies) => {
    const zip = zipOf([skill, { name: 'a', content: 'text' }], lies)
    const [status, code] = await refused(zip)
    expect([status, code]).toEqual(what.includes('atoms') ? tooLarge() : invalid())
  })

  it('archives that are cut off at any position', async () => {
    const zip = zipOf([skill, { name: 'a', content: noise(200) }])
    for (let length = 0; length < zip.length; length += 29) {
      expect(await refused(zip.subarray(0, length)), `${length} bytes`).toEqual(invalid('archive-damaged'))
    }
    for (const bytes of [
      noise(5_000),
      Buffer.alloc(5_000),
      Buffer.from('Rar!\u001a\u0007'),
      Buffer.from('PK\u0005\u0006'),
    ]) {
      expect(await refused(bytes)).toEqual(invalid('archive-damaged'))
    }
  })

  it('archives with one changed byte, or accepts them, but never crashes', async () => {
    const zip = zipOf([skill, { name: 'a.txt', content: 'some text' }])
    for (let at = 0; at < zip.length; at += 3) {
      const broken = Buffer.from(zip)
      broken[at] = defined(broken[at]) ^ 0xff
      const { status, body } = await sendPackage(author, broken)
      expect([201, 400, 413], `byte ${at}: ${JSON.stringify(body)}`).toContain(status)
    }
    expect(stored(server).incoming).toBe(0)
  })

  it('archives that unpack to too much', async () => {
    const zeros = Buffer.alloc(10 * mebibyte)
    expect(await refused(zipOf([skill, { name: 'a', content: zeros }]))).toEqual(tooLarge('ratio-too-high'))
    expect(await refused(zipOf([skill, { name: 'a', content: Buffer.alloc(10 * mebibyte + 1) }]))).toEqual(
      tooLarge('file-too-large'),
    )
    const six = Array.from({ length: 6 }, (_, n) => ({ name: `${n}`, content: Buffer.alloc(10 * mebibyte) }))
    expect(await refused(zipOf([skill, ...six]))).toEqual(tooLarge('package-too-large'))
    // Declares a small size, and no more than that is unpacked
    const lying = { name: 'a', content: zeros, size: 100 }
    expect(await refused(zipOf([skill, lying]))).toEqual(invalid('content-damaged'))
    const lyingMore = { name: 'a', content: zeros, size: 900_000 }
    expect(await refused(zipOf([skill, lyingMore]))).toEqual(invalid('content-damaged'))
    // ZIP64
    const declared = {
      name: 'a',
      content: 'x',
      size: 0xffffffff,
      packed: 0xffffffff,
      extra: zip64Sizes(2n ** 60n, 1n),
    }
    expect(await refused(zipOf([skill, declared]))).toEqual(tooLarge('file-too-large'))
  })

  it('a ZIP bomb with overlapping entries', async () => {
    const kernel = deflateRawSync(Buffer.alloc(9 * mebibyte))
    const bomb = Array.from({ length: 50 }, (_, n) => ({
      name: `${n}`,
      content: kernel,
      stored: true,
      at: 0,
    }))
    expect(await refused(zipOf(bomb))).toEqual(invalid('entries-overlap'))
  })

  it('nothing inside nested archives, which it does not unpack', async () => {
    const inner = zipOf([{ name: 'zeros', content: Buffer.alloc(10 * mebibyte) }])
    const report = await reportOf(author, zipOf([skill, { name: 'inner.zip', content: inner }]))
    expect(report.files).toMatchObject([
      { path: 'inner.zip', size: inner.length, contentType: 'application/zip' },
    ])
  })

  it('too many entries', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f/${n}`, content: '' }))
    expect(await refused(zipOf([skill, ...many(limits.packageFiles)]))).toEqual(tooLarge('too-many-files'))
    expect(await refused(zipOf(many(10_001)))).toEqual(tooLarge('too-many-files'))
    const all = many(100_000)
    expect(await refused(zipOf(all, { zip64: {} }))).toEqual(tooLarge('too-many-files'))
    // Declares few entries
    expect(await refused(zipOf(all, { count: 5 }))).toEqual(invalid('archive-damaged'))
    const junk = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `node_modules/${n}`, content: '' }))
    expect(await refused(zipOf([skill, ...junk(10_000)]))).toEqual(tooLarge('too-many-files'))
    const report = await reportOf(author, zipOf([skill, ...junk(9_000)]))
    expect(report).toMatchObject({ isImportable: true, warnings: [{ code: 'junk-skipped' }] })
  })

  it('all invalid names, and reports a limited number of them', async () => {
    const bad = Array.from({ length: 300 }, (_, n) => ({ name: `../${n}`, content: '' }))
    const codes = await refused(zipOf([skill, { name: '/x' }, ...bad]))
    expect(codes).toHaveLength(2 + 100)
    expect(codes.slice(2, 4)).toEqual(['absolute-path', 'outside-path'])
  })

  it('more bytes than a package may have, while receiving them', async () => {
    const zip = zipOf([
      { name: 'x.prompt.md', content: 'x' },
      { name: 'a', content: noise(limits.packageBytes), stored: true },
    ])
    expect(await refused(zip)).toEqual(tooLarge())
    const { body } = await sendPackage(author, zip)
    expect(body).toMatchObject({ limit: limits.packageBytes })
    const temporary = () => readdirSync(tmpdir()).filter(name => name.startsWith('patio-package-'))
    await until('no temporary file is there', () => temporary().length === 0)
  })

  it('a body that ends early', async () => {
    const before = await remains()
    const form = new Response(packageForm(zipOf([skill])))
    const whole = Buffer.from(await form.arrayBuffer())
    const headers = {
      authorization: `Bearer ${author.token}`,
      'content-type': defined(form.headers.get('content-type')),
    }
    const response = await fetch(`${server.url}/api/studio/assets/import`, {
      method: 'POST',
      headers,
      body: whole.subarray(0, whole.length - 60),
    })
    expect(response.status).toBe(400)
    expect(await remains()).toEqual(before)
  })

  it('many hostile packages at once, and still serves requests', async () => {
    const bomb = zipOf([skill, { name: 'a', content: Buffer.alloc(10 * mebibyte), size: 900_000 }])
    const good = zipOf([skill, { name: 'a', content: noise(100_000) }])
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        author.send(importAsset, { form: packageForm(n % 3 === 0 ? good : bomb) }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map((_, n) => (n % 3 === 0 ? 201 : 400)))
    expect(stored(server).incoming).toBe(0)
  })
})

/** The extra field with another name in UTF-8. */
function unicodePath(name: string, other: string): Buffer {
  const data = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(other)])
  const header = Buffer.alloc(4)
  header.writeUInt16LE(0x7075, 0)
  header.writeUInt16LE(data.length, 2)
  data.writeUInt32LE(crc32(name), 1)
  return Buffer.concat([header, data])
}

function zip64Sizes(size: bigint, packed: bigint): Buffer {
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(size, 4)
  extra.writeBigUInt64LE(packed, 12)
  return extra
}
