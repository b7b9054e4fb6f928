import { chmod, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { removeAsset } from '#contract/studio/assets.ts'
import { addressOfFile, listFiles, removeFile, uploadFiles } from '#contract/studio/files.ts'
import { newId } from '#platform/ids.ts'
import { openSeals } from '#platform/security/seals.ts'
import { defined } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { addFiles, sha256Of } from '#tests/support/studio/files.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'
import { sealedText, sealPurpose } from './file.rules.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

const at = (id: string, version = 'current') => ({ id, version })

/** An attachment and its download address at this server. */
async function uploaded(path: string, content: string | Uint8Array<ArrayBuffer>) {
  const { id } = await makeAsset(author)
  const form = new FormData()
  form.append('path', path)
  form.append('file', new Blob([content]), 'x')
  const file = await author.call(uploadFiles, { params: at(id), form })
  const reply = await author.call(addressOfFile, { params: { ...at(id), fileId: file.id } })
  return { assetId: id, file, reply, url: reply.url.replace(server.config.publicUrl, server.url) }
}
const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

describe('the address of an attachment', () => {
  it('describes the file and works without a session', async () => {
    const { file, reply, url } = await uploaded('docs/read me.md', '# Read me\n')
    expect(reply).toEqual({
      url: expect.stringMatching(`^${server.config.publicUrl}/api/studio/files/${file.id}\\?`),
      expiresAt: expect.any(String),
      filename: 'read me.md',
      contentType: 'text/markdown',
      size: 10,
      sha256: sha256Of('# Read me\n'),
    })
    const minutes = (Date.parse(reply.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(limits.fileAddressMinutes - 1)
    expect(minutes).toBeLessThanOrEqual(limits.fileAddressMinutes + 0.1)
    const response = await get(url)
    expect([response.status, await response.text()]).toEqual([200, '# Read me\n'])
    // Metrics are updated after the reply, which the client may receive first
    await expect
      .poll(async () => (await get(`${server.url}/metrics`)).text())
      .toContain('GET /api/studio/files/:fileId')
  })

  it('is available to readers, by the version that has the file', async () => {
    const { assetId, file } = await uploaded('a.txt', 'a')
    const request = (person: Person, version: string, fileId = file.id) =>
      person.send(addressOfFile, { params: { ...at(assetId, version), fileId } })
    for (const version of ['current', 'latest', '1.0.0'])
      expect((await request(author, version)).status).toBe(200)
    expect(refusalOf(await request(author, '1.0.1'))).toEqual([404, 'VERSION_NOT_FOUND'])
    expect(refusalOf(await request(author, 'current', newId()))).toEqual([404, 'FILE_NOT_FOUND'])
    const other = await uploaded('b.txt', 'b')
    expect(refusalOf(await request(author, 'current', other.file.id))).toEqual([404, 'FILE_NOT_FOUND'])
    const stranger = await (await server.organization()).person()
    const colleague = await organization.person()
    for (const person of [stranger, colleague])
      expect(refusalOf(await request(person, 'current'))).toEqual([404, 'ASSET_NOT_FOUND'])
  })

  it('works unchanged, until it expires, while the file exists', async () => {
    const { assetId, file, url } = await uploaded('a.txt', 'a')
    const { id: organizationId } = organization
    const refusal = async (changed: string) =>
      refusalOf({ status: (await get(changed)).status, body: await (await get(changed)).json() })
    const [expires] = defined(/(?<=expires=)\d+/.exec(url))
    const changes = [
      url.replace(expires, String(Number(expires) + 1)),
      url.replace(file.id, newId()),
      url.replace(organizationId, (await server.organization()).id),
      url.replace(/(?<=signature=.{10})./, letter => (letter === 'A' ? 'B' : 'A')),
      `${url}A`,
      url.replace(/signature=.*/, 'signature=x'),
    ]
    for (const changed of changes)
      expect([changed, await refusal(changed)]).toEqual([changed, [403, 'FILE_ADDRESS_INVALID']])

    const sealed = (keys: string[], fileId: string, until: number) => {
      const text = sealedText({ organization: organizationId, fileId, expires: until })
      const query = {
        organization: organizationId,
        expires: String(until),
        signature: openSeals(keys).seal(sealPurpose, text),
      }
      return `${server.url}/api/studio/files/${fileId}?${new URLSearchParams(query)}`
    }
    const ours = server.config.sessionKeys.map(({ secret }) => secret)
    const now = Math.floor(Date.now() / 1000)
    expect((await get(sealed(ours, file.id, now + 60))).status).toBe(200)
    expect(await refusal(sealed(ours, file.id, now - 2))).toEqual([403, 'FILE_ADDRESS_INVALID'])
    expect(await refusal(sealed(['another secret of thirty-two letters'], file.id, now + 60))).toEqual([
      403,
      'FILE_ADDRESS_INVALID',
    ])
    expect(await refusal(sealed(ours, newId(), now + 60))).toEqual([404, 'FILE_NOT_FOUND'])

    await author.call(removeFile, { params: { ...at(assetId), fileId: file.id } })
    expect(await refusal(url)).toEqual([404, 'FILE_NOT_FOUND'])
    const deleted = await uploaded('b.txt', 'b')
    await author.call(removeAsset, { params: { id: deleted.assetId } })
    expect(await refusal(deleted.url)).toEqual([404, 'FILE_NOT_FOUND'])
  })

  it('requires all of its parts', async () => {
    const { url } = await uploaded('a.txt', 'a')
    for (const part of ['organization', 'expires', 'signature']) {
      const response = await get(url.replace(new RegExp(`${part}=[^&]*&?`), ''))
      expect([part, response.status]).toEqual([part, 400])
    }
  })

  it('survives a key rotation as long as the old key is configured', async () => {
    const text = sealedText({ organization: 'o', fileId: 'f', expires: 1 })
    const old = openSeals(['old']).seal(sealPurpose, text)
    expect(openSeals(['new', 'old']).isSealed(sealPurpose, text, old)).toBe(true)
    expect(openSeals(['new']).isSealed(sealPurpose, text, old)).toBe(false)
    expect(openSeals(['old']).isSealed('something else', text, old)).toBe(false)
    expect(openSeals(['new', 'old']).seal(sealPurpose, text)).not.toBe(old)
  })
})

describe('a download', () => {
  it('is saved under its name and never displayed', async () => {
    const { url, file } = await uploaded('site/Übersicht "1".html', '<script>alert(1)</script>')
    const { headers, status } = await get(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '25',
      'content-disposition': `attachment; filename="Ubersicht _1_.html"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'accept-ranges': 'bytes',
      etag: `"${file.sha256}"`,
    })
  })

  it.each([
    ['bytes=0-4', 0, 5],
    ['bytes=95-', 95, 5],
    ['bytes=-7', 93, 7],
    ['bytes=99-99', 99, 1],
    ['bytes=0-0', 0, 1],
    ['bytes=50-5000', 50, 50],
    ['bytes=-5000', 0, 100],
    ['Bytes=10-19', 10, 10],
  ])('returns the range %s', async (range, start, length) => {
    const content = Array.from({ length: 100 }, (_, n) => String.fromCharCode(33 + (n % 90))).join('')
    const { url } = await uploaded('range.txt', content)
    const response = await get(url, { range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${start + length - 1}/100`)
    expect(response.headers.get('content-length')).toBe(String(length))
    expect(await response.text()).toBe(content.slice(start, start + length))
  })

  it('returns the whole file for an unsupported range, and an error for an unsatisfiable one', async () => {
    const { url } = await uploaded('ten.txt', '0123456789')
    for (const range of [
      'bytes=0-1,3-4',
      'bytes=5-2',
      'bytes=a-b',
      'bytes=-',
      'lines=1-2',
      'bytes=1',
      'bytes=--1',
    ]) {
      const response = await get(url, { range })
      expect([range, response.status, await response.text()]).toEqual([range, 200, '0123456789'])
    }
    for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(15)}-`]) {
      const response = await get(url, { range })
      expect([range, response.status, response.headers.get('content-range')]).toEqual([
        range,
        416,
        'bytes */10',
      ])
      expect(await response.json()).toMatchObject({
        statusCode: 416,
        error: 'Range Not Satisfiable',
        errorCode: 'RANGE_NOT_SATISFIABLE',
      })
    }
  })

  it('returns 304 for a matching tag, and continues only if the file is unchanged', async () => {
    const { url, file } = await uploaded('ten.txt', '0123456789')
    const tag = `"${file.sha256}"`
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await get(url, { 'if-none-match': known })
      expect([known, response.status, await response.text(), response.headers.get('etag')]).toEqual([
        known,
        304,
        '',
        tag,
      ])
    }
    expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(url, { range: 'bytes=5-', 'if-range': tag })).status).toBe(206)
    expect((await get(url, { range: 'bytes=5-', 'if-range': '"other"' })).status).toBe(200)
  })

  it('returns an empty file', async () => {
    const { url } = await uploaded('empty.txt', '')
    const response = await get(url)
    expect([response.status, await response.text(), response.headers.get('content-length')]).toEqual([
      200,
      '',
      '0',
    ])
    expect((await get(url, { range: 'bytes=0-' })).status).toBe(416)
  })

  it('sends only as much as the client reads, and closes the file when the client disconnects', async () => {
    const content = new Uint8Array(20_000_000)
    const { url } = await uploaded('large.bin', content)
    const { pathname, search, hostname, port } = new URL(url)
    const before = process.memoryUsage().rss
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n\r\n`)
        await new Promise(resolve => socket.once('readable', resolve))
        return socket
      }),
    )
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    for (const socket of sockets) socket.destroy()
    expect((await (await get(url)).arrayBuffer()).byteLength).toBe(content.length)
  })

  it('breaks off when the stored file is truncated', async () => {
    const { url, file } = await uploaded('short.txt', 'x'.repeat(300_000))
    const root = server.config.filesUrl.slice('file:'.length)
    await chmod(join(root, 'objects', file.sha256.slice(0, 2), file.sha256), 0o600)
    await truncate(join(root, 'objects', file.sha256.slice(0, 2), file.sha256), 200_000)
    await expect(get(url).then(response => response.text())).rejects.toThrow()
  })

  it('returns unavailable when the stored file is missing, and logs it', async () => {
    const { url, file } = await uploaded('lost.txt', 'lost for ever')
    await server.api.services.files.remove(file.sha256)
    const response = await get(url)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ errorCode: 'UNAVAILABLE' })
    await until('it is logged', () =>
      server.logged().includes(`The content of the file ${file.id} is missing`),
    )
  })
})

describe('the list', () => {
  it('is ordered by path, in pages, for readers', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const paths = ['b', 'a/b', 'a.txt', 'Z', 'é', 'a/B']
    await addFiles(
      author,
      id,
      paths.map(path => [path, path]),
    )
    const reader = await organization.person({ permissions: ['STUDIO_VIEW'] })
    const page = await reader.call(listFiles, { params: at(id) })
    expect(page).toMatchObject({ total: 6, limit: 20, offset: 0 })
    expect(page.items.map(({ path }) => path)).toEqual(['Z', 'a.txt', 'a/B', 'a/b', 'b', 'é'])
    const second = await reader.call(listFiles, { params: at(id), query: { limit: 2, offset: 2 } })
    expect([second.total, second.items.map(({ path }) => path)]).toEqual([6, ['a/B', 'a/b']])
    const beyond = await reader.call(listFiles, { params: at(id), query: { offset: 10_000 } })
    expect(beyond).toEqual({ items: [], total: 6, limit: 20, offset: 10_000 })
    const none = await reader.call(listFiles, {
      params: at((await makeAsset(author, { visibility: 'ORGANIZATION' })).id),
    })
    expect(none).toEqual({ items: [], total: 0, limit: 20, offset: 0 })
    expect(refusalOf(await reader.send(listFiles, { params: at(id, '7.0.0') }))).toEqual([
      404,
      'VERSION_NOT_FOUND',
    ])
    expect(refusalOf(await reader.send(listFiles, { params: at(newId()) }))).toEqual([404, 'ASSET_NOT_FOUND'])
  })
})
