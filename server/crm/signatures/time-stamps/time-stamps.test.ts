import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openCertificate, verifySignature } from '#contract/crm/signatures.ts'
import { openSigningDocument } from '#contract/crm/signing-page.ts'
import { openTimeStamp, readTimeStampStatus } from '#contract/crm/time-stamps.ts'
import { verifyPdf } from '#contract/crm/verify-page.ts'
import { openTimeStamps } from '#platform/adapters/time-stamps.ts'
import { openLog } from '#platform/log.ts'
import { openWorker } from '#server/worker.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { openTimeStampServer, type TimeStampServer } from '#tests/support/crm/time-stamp-server.ts'
import { earlier } from '#tests/support/earlier.ts'
import { defined, lastOf, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { stampNextChain } from './stamp-next-chain.ts'

let authority: TimeStampServer
let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  authority = await openTimeStampServer()
  server = await startTestServer({ timeStampUrl: authority.url }, { hasWorker: false })
})
beforeEach(async () => {
  // the chains of other tests
  await server.sql('update signature_chain set stamped_count = count')
  await server.sql('delete from rate_window')
  organization = await server.organization({ name: 'Faro & Co' })
  owner = await organization.person({ role: 'OWNER' })
})
afterEach(() => authority.answerWith(undefined))
afterAll(async () => {
  authority?.close()
  await server?.close()
})

const services = () => ({
  database: server.api.services.database,
  timeStamps: openTimeStamps(authority.url),
})
const stampNext = () => stampNextChain(services())
/** Ends the pause of all chains. */
const wait = () => server.sql(`update signature_chain set stamp_at = now() - interval '1 second'`)
async function sign() {
  const { budget, sigId, link } = await signedBudget(server, owner)
  return { params: { budgetId: budget.id, sigId }, token: link.token }
}
type Params = { budgetId: string; sigId: string }
const verified = async (params: Params) => (await owner.call(verifySignature, { params })).timeStamp
const status = () => owner.call(readTimeStampStatus)

test('the next time stamp covers all signatures since the last one', async () => {
  const [first, second] = [await sign(), await sign()]
  expect(await verified(first.params)).toBeNull()
  expect(refusalOf(await owner.send(openTimeStamp, { params: first.params }))).toEqual([
    404,
    'TIME_STAMP_NOT_FOUND',
  ])
  expect(await status()).toEqual({
    isOn: true,
    signatures: 2,
    stamped: 0,
    lastStampedAt: null,
    authority: null,
    failedAt: null,
    problem: null,
  })
  expect(await stampNext()).toBe(true)
  expect(await stampNext()).toBe(false)

  const row = only(
    await server.sql<{ evidence_hash: string }>('select evidence_hash from budget_signature where id = $1', [
      second.params.sigId,
    ]),
  )
  const stamped = await verified(first.params)
  expect(stamped).toEqual({
    status: 'VALID',
    stampedAt: expect.any(String),
    authority: 'CN=Test-stamps, O=Faro',
    policy: '1.3.6.1.4.1.99999.1',
    serialNumber: expect.any(String),
    number: 2,
    evidenceHash: row.evidence_hash,
  })
  expect(await verified(second.params)).toEqual(stamped)
  expect(await status()).toMatchObject({
    signatures: 2,
    stamped: 2,
    lastStampedAt: defined(stamped).stampedAt,
    authority: defined(stamped).authority,
  })

  const third = await sign()
  expect(await stampNext(), 'within the pause').toBe(false)
  await wait()
  expect(await stampNext()).toBe(true)
  expect(await verified(first.params), 'the first one stays').toEqual(stamped)
  expect(await verified(third.params)).toMatchObject({ status: 'VALID', number: 3 })
})

test('openssl confirms a downloaded time stamp with the command of the guide', async () => {
  const { params } = await sign()
  await stampNext()
  const { evidenceHash } = defined(await verified(params))
  const { status, bytes, headers } = await owner.send(openTimeStamp, { params })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  expect(Buffer.from(bytes).equals(lastOf(authority.replies))).toBe(true)
  const guide = readFileSync('docs/guides/budgets.md', 'utf8')
  const command = defined(/^openssl ts -verify .*$/m.exec(guide))[0]
  const folder = mkdtempSync(join(tmpdir(), 'patio-tsr-'))
  try {
    writeFileSync(join(folder, 'signature.tsr'), bytes)
    writeFileSync(join(folder, 'authority.pem'), readFileSync(authority.rootFile))
    const run = (evidence: string) =>
      execFileSync('sh', ['-c', command], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { PATH: process.env.PATH, EVIDENCE: evidence },
      })
    expect(run(evidenceHash)).toContain('Verification: OK')
    expect(() => run('0'.repeat(64))).toThrow(/message imprint mismatch/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the certificate and the public page name the time stamp', async () => {
  const { params, token } = await sign()
  await stampNext()
  const { stampedAt, evidenceHash, serialNumber, authority: name } = defined(await verified(params))
  const pdf = await owner.send(openCertificate, { params })
  const { text } = await extractText(await getDocumentProxy(pdf.bytes.slice()), { mergePages: true })
  const plain = text.replaceAll(/\s/g, '')
  for (const part of ['Sello de tiempo (RFC 3161)', name, evidenceHash, serialNumber])
    expect(plain).toContain(part.replaceAll(/\s/g, ''))
  expect(plain).toContain(stampedAt.replace('T', '').replace('Z', 'UTC'))
  const signed = await server.client().send(openSigningDocument, { params: { token } })
  const form = new FormData()
  form.set('file', new Blob([signed.bytes.slice()]), 'signed.pdf')
  const page = await server.client().call(verifyPdf, { form })
  expect(page.signatures).toEqual([
    expect.objectContaining({
      signatureId: params.sigId,
      timeStamp: expect.objectContaining({ status: 'VALID', stampedAt }),
    }),
  ])
})

/** Edits rows directly, with the triggers disabled. */
async function tamper(table: string, statement: string): Promise<void> {
  await server.sql(`alter table ${table} disable trigger ${table}_is_immutable`)
  await server.sql(`${statement} where organization_id = $1`, [organization.id])
  await server.sql(`alter table ${table} enable trigger ${table}_is_immutable`)
}

test.each([
  ['budget_signature', `set signer_name = 'Eve'`],
  ['signature_time_stamp', `set stamped_at = ${earlier('stamped_at', "interval '1 day'")}`],
  ['signature_time_stamp', `set authority = 'CN=Eve'`],
  ['signature_time_stamp', `set reply = overlay(reply placing '\\x00' from octet_length(reply))`],
])('verify says INVALID after %s was changed with %s', async (table, change) => {
  const { params } = await sign()
  await stampNext()
  expect(await verified(params)).toMatchObject({ status: 'VALID' })
  await tamper(table, `update ${table} ${change}`)
  expect(await verified(params)).toMatchObject({ status: 'INVALID' })
})

test('verify says INVALID after history was rewritten with matching evidence', async () => {
  const { params } = await sign()
  await stampNext()
  const forged = `set signer_name = 'Eve', evidence_hash = repeat('d', 64)`
  await tamper('budget_signature', `update budget_signature ${forged}`)
  await tamper('signature_time_stamp', `update signature_time_stamp set evidence_hash = repeat('d', 64)`)
  expect(await verified(params)).toMatchObject({ status: 'INVALID' })
})

test('a failure is recorded, and tried again after a longer pause each time', async () => {
  const { params } = await sign()
  const pause = async () => {
    const row = only(
      await server.sql<{ seconds: number }>(
        'select extract(epoch from stamp_at - stamp_failed_at)::int as seconds from signature_chain where organization_id = $1',
        [organization.id],
      ),
    )
    return row.seconds
  }
  authority.answerWith((_query, response) => response.writeHead(503).end())
  await expect(stampNext()).rejects.toThrow(/503/)
  expect(await status()).toMatchObject({ stamped: 0, problem: 'NOT_REACHED', failedAt: expect.any(String) })
  expect(await pause()).toBe(15)
  expect(await stampNext(), 'within the pause').toBe(false)
  await wait()
  authority.answerWith(async (query, response) => response.end(await authority.reply(query, 'REFUSING')))
  await expect(stampNext()).rejects.toThrow(/refused/)
  expect(await status()).toMatchObject({ problem: 'REFUSED' })
  expect(await pause()).toBe(30)
  expect(await verified(params)).toBeNull()
  authority.answerWith(undefined)
  await wait()
  expect(await stampNext()).toBe(true)
  expect(await status()).toMatchObject({ stamped: 1, problem: null, failedAt: null })
})

test('two workers do not stamp one chain at the same time', async () => {
  await sign()
  const release = Promise.withResolvers<void>()
  authority.answerWith(async (query, response) => {
    await release.promise
    response.end(await authority.reply(query))
  })
  const first = stampNext()
  await until('the chain is leased', async () => {
    const row = only(
      await server.sql<{ held: boolean }>(
        'select stamp_at > now() as held from signature_chain where organization_id = $1',
        [organization.id],
      ),
    )
    return row.held
  })
  expect(await stampNext()).toBe(false)
  release.resolve()
  expect(await first).toBe(true)
})

test('people with CRM_VIEW read the status and download; others and other organizations do not', async () => {
  const { params } = await sign()
  await stampNext()
  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  expect((await viewer.send(openTimeStamp, { params })).status).toBe(200)
  const unrelated = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect(refusalOf(await unrelated.send(openTimeStamp, { params }))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await unrelated.send(readTimeStampStatus))).toEqual([403, 'PERMISSION_DENIED'])
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect((await stranger.send(openTimeStamp, { params })).status).toBe(404)
  expect(await stranger.call(readTimeStampStatus)).toMatchObject({ signatures: 0, stamped: 0 })
})

test('a worker stamps by itself', async () => {
  const { params } = await sign()
  const worker = await openWorker(server.config, openLog('silent', 'test'))
  try {
    await until('the signature is stamped', async () => (await verified(params)) !== null)
  } finally {
    await worker.close()
  }
})
