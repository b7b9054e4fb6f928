import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { readAsset, updateAsset } from '#contract/studio/assets.ts'
import { listFiles, removeFile, uploadFiles } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset, verifyAsset } from '#contract/studio/lifecycle.ts'
import { newId } from '#platform/ids.ts'
import { exactly, lastOf } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertCopies } from '#tests/support/rows.ts'
import { emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles, formOf, sha256Of, stored } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const maxFileBytes = 100_000
let server: TestServer
let organization: Organization
let author: Person
let colleague: Person
beforeAll(async () => {
  server = await startTestServer({ maxFileBytes })
  organization = await server.organization()
  author = await organization.person({ name: 'Ada Author' })
  colleague = await organization.person()
})
afterAll(() => server.close())

const at = (id: string, version = 'current') => ({ id, version })
const send = (person: Person, id: string, form: FormData, query = {}) =>
  person.send(uploadFiles, { params: at(id), form, query })
const detailOf = ({ body }: { body: unknown }) =>
  (body as { details?: { path: string; code: string }[] }).details?.[0]
const listed = async (id: string, version = 'current') =>
  (await author.call(listFiles, { params: at(id, version), query: { limit: 100 } })).items
const pathsOf = async (id: string) => (await listed(id)).map(({ path }) => path)

describe('an upload', () => {
  it('adds files to a version with their detected properties', async () => {
    const { id, currentVersionId } = await makeAsset(author, { version: '2.1.0' })
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex')
    const reply = await addFiles(author, id, [
      ['scripts/sum.py', 'print(1)\n'],
      ['logo', png],
    ])
    expect(reply.files).toHaveLength(2)
    expect(reply).toMatchObject({ ...reply.files[0], files: reply.files })
    expect(reply.files[0]).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      assetId: id,
      versionId: currentVersionId,
      version: '2.1.0',
      path: 'scripts/sum.py',
      filename: 'sum.py',
      contentType: 'text/x-python',
      size: 9,
      sha256: sha256Of('print(1)\n'),
      createdBy: { id: author.id, name: 'Ada Author' },
      createdAt: expect.any(String),
    })
    expect(reply.files[1]).toMatchObject({ path: 'logo', contentType: 'image/png', size: png.length })
    expect(await listed(id)).toEqual([reply.files[1], reply.files[0]])
    expect(stored(server)).toMatchObject({ objects: expect.arrayContaining([sha256Of(png)]), incoming: 0 })
  })

  it('stores a file at the path in the preceding field', async () => {
    const { id } = await makeAsset(author)
    const form = new FormData()
    form.append('path', 'references/Übersicht.md')
    form.append('file', new Blob(['one']), 'ignored.txt')
    form.append('file', new Blob(['two']), 'plain.txt')
    // As some systems write it: letter and diaeresis as separate characters
    form.append('path', 'cafe\u0301.md')
    form.append('file', new Blob(['three']), 'x')
    const { files } = await author.call(uploadFiles, { params: at(id), form })
    expect(files.map(({ path, filename }) => [path, filename])).toEqual([
      ['references/Übersicht.md', 'Übersicht.md'],
      ['plain.txt', 'plain.txt'],
      ['caf\u00e9.md', 'caf\u00e9.md'],
    ])
  })

  it('emits one event, is audited, and updates the time of the asset', async () => {
    const { id, slug } = await makeAsset(author)
    const before = await author.call(readAsset, { params: { id } })
    await addFiles(author, id, [
      ['a', '1'],
      ['b', '2'],
    ])
    expect((await emittedEvents(server, organization.id, id)).slice(1)).toEqual([
      { name: 'ai-asset.updated', actor_id: author.id, data: { assetId: id, slug, changes: ['files'] } },
    ])
    const audit = await server.sql(
      `select changed from audit where organization_id = $1 and subject = $2 and operation like '%/files'`,
      [organization.id, id],
    )
    expect(audit).toEqual([{ changed: ['files'] }])
    const after = await author.call(readAsset, { params: { id } })
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
  })

  it('accepts an empty file and one of the maximum size', async () => {
    const { id } = await makeAsset(author)
    const most = Buffer.alloc(maxFileBytes, 'x')
    const { files } = await addFiles(author, id, [
      ['empty.json', ''],
      ['most.bin', most],
    ])
    expect(files.map(({ size, contentType, sha256 }) => [size, contentType, sha256])).toEqual([
      [0, 'application/json', sha256Of('')],
      [maxFileBytes, 'text/plain', sha256Of(most)],
    ])
    expect(
      refusalOf(await send(author, id, formOf(['fits', 'x'], ['more', Buffer.alloc(maxFileBytes + 1)]))),
    ).toEqual([413, 'FILE_TOO_LARGE'])
    expect(await pathsOf(id)).toEqual(['empty.json', 'most.bin'])
  })

  it('limits the files of an upload and of a version', async () => {
    const { id, currentVersionId } = await makeAsset(author)
    const many = (count: number) =>
      formOf(...Array.from({ length: count }, (_, n) => [`${n}.txt`, `${n}`] as [string, string]))
    const over = await send(author, id, many(limits.filesPerUpload + 1))
    expect(refusalOf(over)).toEqual([413, 'TOO_MANY_FILES'])
    expect((over.body as unknown as { limit: number }).limit).toBe(limits.filesPerUpload)
    expect((await send(author, id, many(limits.filesPerUpload))).status).toBe(201)
    await insertCopies(
      server,
      'asset_file',
      { version_id: currentVersionId, path: '0.txt' },
      limits.filesPerVersion - limits.filesPerUpload - 1,
      n => ({ id: `c${n}`, path: `more/${n}` }),
    )
    expect((await send(author, id, formOf(['last', 'x']))).status).toBe(201)
    expect(refusalOf(await send(author, id, formOf(['one more', 'x'])))).toEqual([413, 'TOO_MANY_FILES'])
    expect((await send(author, id, formOf(['last', 'y']), { overwrite: true })).status).toBe(201)
    await server.sql(`update asset_file set size = $2 where version_id = $1 and path = 'last'`, [
      currentVersionId,
      limits.versionBytes,
    ])
    await server.sql(`delete from asset_file where version_id = $1 and path like 'more/%'`, [
      currentVersionId,
    ])
    expect(refusalOf(await send(author, id, formOf(['too much', 'x'])))).toEqual([413, 'FILE_TOO_LARGE'])
  })

  it('rejects an existing path, or replaces the file with overwrite', async () => {
    const { id } = await makeAsset(author)
    const [first] = (await addFiles(author, id, [['a/b.txt', 'one']])).files
    const conflict = await send(author, id, formOf(['new.txt', '1'], ['a/b.txt', 'two']))
    expect(refusalOf(conflict)).toEqual([409, 'FILE_EXISTS'])
    expect((conflict.body as unknown as { path: string }).path).toBe('a/b.txt')
    for (const path of ['a', 'a/b.txt/c']) {
      for (const overwrite of [false, true])
        expect(refusalOf(await send(author, id, formOf([path, 'x']), { overwrite }))).toEqual([
          409,
          'FILE_EXISTS',
        ])
    }
    expect(await listed(id)).toEqual([first])

    const replaced = await send(author, id, formOf(['new.txt', '1'], ['a/b.txt', 'two']), { overwrite: true })
    expect(replaced.status).toBe(201)
    expect((await listed(id)).map(({ path, sha256 }) => [path, sha256])).toEqual([
      ['a/b.txt', sha256Of('two')],
      ['new.txt', sha256Of('1')],
    ])
  })

  it('adds files to the named version, but not to a published one', async () => {
    const { id } = await makeAsset(author)
    await addFiles(author, id, [['first.txt', '1']])
    await author.call(publishAsset, { params: { id } })
    for (const version of ['1.0.0', 'current', 'latest']) {
      const late = await author.send(uploadFiles, { params: at(id, version), form: formOf(['x', 'x']) })
      expect(refusalOf(late)).toEqual([409, 'VERSION_PUBLISHED'])
    }
    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'next' } })
    const reply = await addFiles(author, id, [['second.txt', '2']])
    expect(reply.version).toBe('1.0.1')
    expect((await listed(id, '1.0.0')).map(({ path }) => path)).toEqual(['first.txt'])
    expect(await pathsOf(id)).toEqual(['first.txt', 'second.txt'])
    const none = await author.send(uploadFiles, { params: at(id, '9.9.9'), form: formOf(['x', 'x']) })
    expect(refusalOf(none)).toEqual([404, 'VERSION_NOT_FOUND'])
  })

  it('removes the verification, because the files changed', async () => {
    const verifier = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_VERIFY'] })
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await verifier.call(verifyAsset, { params: { id } })
    await addFiles(author, id, [['a', '1']])
    expect((await author.call(readAsset, { params: { id } })).verified).toBe(false)
    expect(lastOf(await emittedEvents(server, organization.id, id)).data.changes).toEqual([
      'files',
      'verified',
    ])
  })
})

describe('the access to upload', () => {
  it('requires EDIT access to the asset', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    expect(refusalOf(await send(colleague, id, formOf(['a', '1'])))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    await shareAsset(server, author, id, 'USER', colleague.id, { level: 'EDIT' })
    expect((await send(colleague, id, formOf(['a', '1']))).status).toBe(201)
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await send(viewer, id, formOf(['b', '1'])))).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('returns the same error for an unreadable asset and an unknown one', async () => {
    const { id } = await makeAsset(author)
    const stranger = await (await server.organization()).person()
    const responses = await Promise.all([
      send(colleague, id, formOf(['a', '1'])),
      send(stranger, id, formOf(['a', '1'])),
      send(stranger, newId(), formOf(['a', '1'])),
    ])
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  })

  it('is missing while the asset is archived', async () => {
    const { id } = await makeAsset(author)
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await send(author, id, formOf(['a', '1'])))).toEqual([409, 'ASSET_ARCHIVED'])
  })
})

describe('an invalid upload', () => {
  let id: string
  beforeAll(async () => {
    id = (await makeAsset(author)).id
  })

  it.each([
    '/etc/passwd',
    '../up.txt',
    'a/../../b',
    'a//b',
    'a/./b',
    'a/',
    '.',
    'C:/x',
    'a\\b',
    'a\nb',
    ' ',
    'x'.repeat(limits.filePathBytes + 1),
    'é'.repeat(128),
    'a/b/c/d/e/f/g/h/i',
  ])('a file at %j', async path => {
    const form = new FormData()
    form.append('path', path)
    form.append('file', new Blob(['x']), 'fine.txt')
    const response = await send(author, id, form)
    expect(refusalOf(response)).toEqual([400, 'VALIDATION_ERROR'])
    expect(detailOf(response)).toMatchObject({ path: 'path' })
  })

  it.each<[string, (form: FormData) => void]>([
    ['nothing', () => {}],
    ['a path without a file', form => form.append('path', 'a')],
    ['a text in place of a file', form => form.append('file', 'text')],
    ['a file under another name', form => form.append('upload', new Blob(['x']), 'x')],
    ['an unknown field', form => form.append('note', 'x')],
    ['two paths before a file', form => void ['a', 'b'].map(path => form.append('path', path))],
    ['a path with NUL', form => form.append('path', 'a\0b')],
    ['a very long path', form => form.append('path', 'x'.repeat(10_000))],
    ['the same path twice', form => void [1, 2].map(() => form.append('file', new Blob(['x']), 'same'))],
    [
      'a file inside a file',
      form => void ['a', 'a/b'].map(path => form.append('file', new Blob(['x']), path)),
    ],
  ])('a form with %s', async (_what, fill) => {
    const form = new FormData()
    form.append('file', new Blob(['good']), 'good.txt')
    if (_what === 'nothing') form.delete('file')
    fill(form)
    expect(refusalOf(await send(author, id, form))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each<[string, { type?: string; body?: string | Buffer }, string]>([
    ['JSON', { type: 'application/json', body: '{}' }, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a URL-encoded form',
      { type: 'application/x-www-form-urlencoded', body: 'a=b' },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['no body', {}, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form without a boundary', { type: 'multipart/form-data', body: 'x' }, 'MALFORMED_BODY'],
    [
      'a body that is not a form',
      { type: 'multipart/form-data; boundary=x', body: 'nothing of it' },
      'MALFORMED_BODY',
    ],
    [
      'a form that is cut off in a file',
      { type: 'multipart/form-data; boundary=x', body: part('file', 'cut.txt', 'half of') },
      'MALFORMED_BODY',
    ],
    [
      'a form that is cut off late in a file',
      { type: 'multipart/form-data; boundary=x', body: part('file', 'cut.txt', 'x'.repeat(90_000)) },
      'MALFORMED_BODY',
    ],
    [
      'a form that is cut off after a file',
      { type: 'multipart/form-data; boundary=x', body: `${part('file', 'whole.txt', 'whole')}\r\n--x` },
      'MALFORMED_BODY',
    ],
    [
      'a name that is not UTF-8',
      {
        type: 'multipart/form-data; boundary=x',
        body: Buffer.from(`${part('file', '\xff\xfe', 'x')}\r\n--x--\r\n`, 'latin1'),
      },
      'VALIDATION_ERROR',
    ],
    [
      'the name __proto__',
      { type: 'multipart/form-data; boundary=x', body: `${part('__proto__', 'x', 'x')}\r\n--x--\r\n` },
      'MALFORMED_BODY',
    ],
    [
      'too many parts',
      {
        type: 'multipart/form-data; boundary=x',
        body: `${Array.from({ length: 2_100 }, () => part('path')).join('\r\n')}\r\n--x--`,
      },
      'VALIDATION_ERROR',
    ],
  ])('%s', async (_what, { type, body }, code) => {
    const response = await fetch(`${server.url}/api/studio/assets/${id}/versions/current/files`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${author.token}`, ...(type && { 'Content-Type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
    expect((await response.json()) as object).toMatchObject({ errorCode: code })
  })

  it('leaves nothing behind', async () => {
    expect(await listed(id)).toEqual([])
    await until('all received bytes are gone', () => stored(server).incoming === 0)
    expect((await emittedEvents(server, organization.id, id)).map(({ name }) => name)).toEqual([
      'ai-asset.created',
    ])
  })

  function part(name: string, filename?: string, content = 'x'): string {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}`
  }
})

describe('concurrent uploads', () => {
  it('to the same path: one succeeds, the others get an error', async () => {
    const { id } = await makeAsset(author)
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(author, id, formOf(['same.txt', `from ${n}`], [`${n}.txt`, 'own'])),
      ),
    )
    const good = responses.filter(({ status }) => status === 201)
    expect(good).toHaveLength(1)
    for (const response of responses)
      if (response !== good[0]) expect(refusalOf(response)).toEqual([409, 'FILE_EXISTS'])
    expect(await listed(id)).toHaveLength(2)
    expect(stored(server).incoming).toBe(0)
  })

  it('that overwrite the same files leave the files of one upload', async () => {
    const { id } = await makeAsset(author)
    const both = (n: number) => formOf(['a', `from ${n}`], ['b', `from ${n}`])
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(author, id, both(n), { overwrite: true })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const [a, b] = exactly(2, await listed(id))
    expect(a.sha256).toBe(b.sha256)
  })

  it('and publishing: the published version does not change', async () => {
    const { id } = await makeAsset(author)
    const upload = slowUpload(id, 'late.txt')
    await until('bytes are received', () => stored(server).incoming === 1)
    await author.call(publishAsset, { params: { id } })
    expect(await upload.finish()).toContain('"errorCode":"VERSION_PUBLISHED"')
    expect(await listed(id)).toEqual([])
    await until('the bytes are gone', () => stored(server).incoming === 0)
  })

  it('and a new version: the files go to the version that was current at the start', async () => {
    const { id } = await makeAsset(author)
    const upload = slowUpload(id, 'late.txt')
    await until('bytes are received', () => stored(server).incoming === 1)
    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'newer' } })
    expect(await upload.finish()).toContain('HTTP/1.1 201 ')
    expect((await listed(id, '1.0.0')).map(({ path }) => path)).toEqual(['late.txt'])
    expect(await pathsOf(id)).toEqual([])
  })

  it('and a loss of edit access: nothing is added', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await shareAsset(server, author, id, 'USER', colleague.id, { level: 'EDIT' })
    const upload = slowUpload(id, 'late.txt', colleague)
    await until('bytes are received', () => stored(server).incoming === 1)
    await server.sql('delete from asset_share where asset_id = $1', [id])
    expect(await upload.finish()).toContain('"errorCode":"ASSET_ACCESS_DENIED"')
    expect(await listed(id)).toEqual([])
  })

  it('that break off leave nothing behind', async () => {
    const { id } = await makeAsset(author)
    for (let round = 0; round < 5; round++) {
      const upload = slowUpload(id, `${round}.txt`)
      await until('bytes are received', () => stored(server).incoming === 1)
      upload.leave()
      await until('they are gone', () => stored(server).incoming === 0)
    }
    expect(await listed(id)).toEqual([])
  })

  it('and deletions of the same content keep the object as long as a file refers to it', async () => {
    const assets = await Promise.all(Array.from({ length: 6 }, () => makeAsset(author)))
    await Promise.all(
      assets.map(async ({ id }, n) => {
        const { id: fileId } = await addFiles(author, id, [['shared.txt', 'the same everywhere']])
        if (n % 2 === 0) await author.call(removeFile, { params: { ...at(id), fileId } })
      }),
    )
    const counts = await Promise.all(assets.map(async ({ id }) => (await listed(id)).length))
    expect(counts).toEqual([0, 1, 0, 1, 0, 1])
    expect(stored(server).objects).toContain(sha256Of('the same everywhere'))
  })

  /** An upload that sends only its first half at once. */
  function slowUpload(id: string, name: string, person: Person = author) {
    const { hostname, port } = new URL(server.url)
    const content = 'y'.repeat(40_000)
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    const tail = '\r\n--x--\r\n'
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('error', () => {})
    socket.on('data', bytes => {
      received += bytes
    })
    socket.write(
      [
        `POST /api/studio/assets/${id}/versions/current/files HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        `Authorization: Bearer ${person.token}`,
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${head.length + content.length + tail.length}`,
        '',
        head + content.slice(0, 20_000),
      ].join('\r\n'),
    )
    return {
      async finish(): Promise<string> {
        socket.write(content.slice(20_000) + tail)
        await new Promise(resolve => socket.once('close', resolve))
        return received
      },
      leave: () => socket.resetAndDestroy(),
    }
  }
})
