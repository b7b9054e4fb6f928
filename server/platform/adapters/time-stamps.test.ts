import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTimeStampServer, type TimeStampServer } from '#tests/support/crm/time-stamp-server.ts'
import { lastOf } from '#tests/support/elements.ts'
import { checkTimeStamp } from '../security/time-stamp.ts'
import { openTimeStamps } from './time-stamps.ts'

let authority: TimeStampServer
beforeAll(async () => {
  authority = await openTimeStampServer()
})
afterEach(() => authority.answerWith(undefined))
afterAll(() => authority?.close())

const digest = createHash('sha256').update('what was signed').digest()
const other = createHash('sha256').update('something else').digest()
const stamp = (sha256 = digest) => openTimeStamps(authority.url).stamp(sha256)

test('obtains a time stamp with its facts', async () => {
  const before = new Date().toISOString()
  const { reply, ...facts } = await stamp()
  expect(facts).toEqual({
    at: expect.any(String),
    authority: 'CN=Test-stamps, O=Faro',
    policy: '1.3.6.1.4.1.99999.1',
    serialNumber: expect.stringMatching(/^[0-9a-f]+$/),
  })
  // openssl truncates the milliseconds of its clock
  expect(Math.abs(Date.parse(facts.at) - Date.parse(before))).toBeLessThan(60_000)
  expect(reply.equals(lastOf(authority.replies))).toBe(true)
  expect(await checkTimeStamp(reply, digest)).toEqual(facts)
})

test('refuses the reply to another query: other content, or the same content with another nonce', async () => {
  const { reply } = await stamp(other)
  authority.answerWith((_query, response) => response.end(reply))
  await expect(stamp()).rejects.toMatchObject({ kind: 'INVALID', message: /covers other content/ })
  await expect(stamp(other)).rejects.toMatchObject({ kind: 'INVALID', message: /nonce/ })
  await expect(checkTimeStamp(reply, digest)).rejects.toMatchObject({ kind: 'INVALID' })
})

test('refuses a reply in which a byte of the content, the signed attributes, the signature or the certificate differs', async () => {
  const { reply } = await stamp()
  const policy = reply.indexOf(Buffer.from('2b06010401868d1f01', 'hex'))
  const places = {
    digest: reply.indexOf(digest),
    policy: policy + 8,
    certificate: reply.lastIndexOf(Buffer.from('Test-stamps')),
    'digest of the content': reply.indexOf(Buffer.from('2a864886f70d010904', 'hex')) + 14,
    'reference to the certificate': reply.indexOf(Buffer.from('2a864886f70d010910022f', 'hex')) + 24,
    signature: reply.length - 1,
  }
  for (const [name, at] of Object.entries(places)) {
    expect(at, name).toBeGreaterThan(50)
    const changed = Buffer.from(reply)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    await expect(checkTimeStamp(changed, digest), name).rejects.toMatchObject({ kind: 'INVALID' })
  }
  await expect(checkTimeStamp(reply.subarray(0, -1), digest)).rejects.toMatchObject({ kind: 'INVALID' })
})

test('says when the authority refuses', async () => {
  authority.answerWith(async (query, response) => response.end(await authority.reply(query, 'REFUSING')))
  await expect(stamp()).rejects.toMatchObject({ kind: 'REFUSED', message: /status 2/ })
})

test('follows no redirect, reads no long reply, and does not wait for ever', async () => {
  let requests = 0
  authority.answerWith((_query, response) => {
    requests++
    response.writeHead(307, { location: authority.url }).end()
  })
  await expect(stamp()).rejects.toMatchObject({ kind: 'NOT_REACHED', message: /307/ })
  expect(requests).toBe(1)
  authority.answerWith((_query, response) => response.end(Buffer.alloc(70_000)))
  await expect(stamp()).rejects.toMatchObject({ kind: 'NOT_REACHED', message: /65536/ })
  authority.answerWith((_query, response) => response.writeHead(503).end())
  await expect(stamp()).rejects.toMatchObject({ kind: 'NOT_REACHED', message: /503/ })
  authority.answerWith(() => {})
  await expect(openTimeStamps(authority.url, { timeoutMs: 100 }).stamp(digest)).rejects.toMatchObject({
    kind: 'NOT_REACHED',
  })
  authority.answerWith((_query, response) => response.end('no time stamp'))
  await expect(stamp()).rejects.toMatchObject({ kind: 'INVALID' })
})
