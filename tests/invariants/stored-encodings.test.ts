import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runOnce } from '#platform/http/idempotency.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { credentialForm, digestOf } from '#platform/security/credential.ts'
import { openSeals } from '#platform/security/seals.ts'
import { openSigner } from '#platform/security/signer.ts'
import { idempotencyKeyOf } from '#server/billing/idempotency-key.ts'
import { digestOf as linkDigestOf } from '#server/billing/links/payment-link.token.ts'
import { importedId } from '#server/chat/imports/history-source.ts'
import { emailHashes } from '#server/crm/email.ts'
import { decryptPart } from '#server/crm/imports/import-part.ts'
import { decodeCursor, encodeCursor } from '#server/crm/leads/sync/sync-cursor.ts'
import { consentHash } from '#server/crm/signing/consent.ts'
import { userDigestOf } from '#server/error-reports/intake/user-digest.ts'
import { toAttemptRecord, toStoredRecord } from '#server/integrations/webhooks/attempt-record.ts'
import { shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import { contentHash, departmentSetId } from '#server/studio/assets/asset.rules.ts'
import { marksOf, partitionOf } from '#server/studio/assets/catalogue/indexing/asset-index.terms.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// A value that is stored is read by later versions. Each test compares with what is in databases today: when one
// fails, the change needs a migration or a second version of the encoding, not another expectation.

const cipher = openCipher(['a secret of the vectors'])
const organizationId = 'corganization0000000000aa'

describe('secrets and tokens', () => {
  it('reveals texts that were encrypted before, at their place alone', () => {
    const stored = 'v1.LI1VHtgNrDLb6i6sf-tTeyCbg2PhH5MajtiNLfg7GJvSh7aK'
    expect(cipher.reveal('vector', stored, 'organization/row')).toBe('whsec_ñ')
    expect(() => cipher.reveal('vector', stored, 'organization/other')).toThrow()
  })

  it('derives digests, seals and the signing key from the same secret', () => {
    expect(cipher.digests('vector', 'text')).toEqual([
      '368349c33171952c53c4ea66f3ae8ac4ef055d32a4799ce802704cf0f7c746dd',
    ])
    expect(openSeals(['a secret of the vectors']).seal('vector', 'text')).toBe(
      'Sl-SmJ3t9OvVEnoi9vMINVyxPoJ-9iKbmaDDpB9GvTw',
    )
    const signer = openSigner('a secret of the vectors')
    expect([signer.publicKey, signer.keyId, signer.sign('text')]).toEqual([
      'Cq_GZ5TH0C6VbN8s2S-YEhD4JIGYaQ8myIc5cRCdNb0',
      'wLXN35k5LoNojXz1E0tshRcQVByIDsma4NG3HvUn8BA',
      '0HEJpKqWHvRqhLBBkYSHo7asf2_gh57XNym5RbXbqHq23LTubk0dk4-5f_wLibB1TdPwP9ANP62dOGCfklpJDg',
    ])
  })

  it('recognizes credentials and the digests that are stored for them', () => {
    const token = 'patio_pat_Qel8syDFzGT52uuOOECWxTOlUPoq8QSUFYuGv9wRZ4morganization0000000000aa0n3EK3'
    expect(credentialForm('patio_pat_').organizationOf(token)).toBe(organizationId)
    expect(digestOf(token)).toBe('af9f37ac33e9592d76419f1ab2399aee271237a0dd6fe3d2712f1788bc7518c7')
    expect(digestOf('secret')).toBe('2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b')
    expect(linkDigestOf('token').toString('hex')).toBe(
      '3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0',
    )
  })
})

describe('studio', () => {
  it('hashes contents and sets of departments', () => {
    const content = { description: 'd', bodyMarkdown: 'b', frontmatter: { z: 1, a: { y: [2], x: null } } }
    expect(contentHash(content)).toBe('11de1fb602dc0a2c96e283b50880510b6fd9ca929297b1f6355d20366ec96f58')
    expect(departmentSetId(['b', 'a'])).toBe('1eb7c54d52831bbfe894')
  })

  it('prefixes and marks search terms', () => {
    const bucket = {
      author_id: 'cauthor00000000000012345',
      visibility: 'DEPARTMENT',
      department_set: 'd1d2d3d4d5d6d7d8d9d0',
      status: 'ARCHIVED',
      type: 'SKILL',
    } as const
    expect([partitionOf(bucket), marksOf(bucket)]).toEqual([
      'zx',
      ['@SKILL', '@ARCHIVED', '@DEPARTMENT', '@a00012345', '@dd7d8d9d0'],
    ])
    const open = { ...bucket, status: 'DRAFT', visibility: 'ORGANIZATION' } as const
    expect(partitionOf(open)).toBe('o')
  })
})

describe('customer relations and billing', () => {
  it('hashes e-mail addresses, which decide who is the same lead', () => {
    expect(emailHashes(cipher, organizationId, ' Ana@Exämple.test')).toEqual([
      'b5b46e3622415ad295c6e731f85ea5d1e4e323485865dae07928347cdd092630',
    ])
  })

  it('reads cursors that clients keep, and parts of imports', () => {
    const position = { epoch: '00000000-0000-4000-8000-000000000001', ms: 1_790_000_000_000, id: 'clead' }
    const cursor =
      'MSBZdkZrS2Z3YiAwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEgMTc5MDAwMDAwMDAwMCBjbGVhZA'
    expect(encodeCursor(organizationId, position)).toBe(cursor)
    expect(decodeCursor(organizationId, cursor)).toEqual(position)
    const part =
      'v1.dXGJw6RfRIqEqlKhm44GAlzsDvbGwv9aZcOHZ3zcLlZPcP6ybSwMmNXaoThWk1_jlOFn2FJkDF8eoM-uNOzNFuocL8-gzCEJmj9-5Q'
    expect(
      decryptPart(cipher, { purpose: 'crm lead import', organizationId, id: 'cimport' }, 2, part),
    ).toEqual([{ line: 2, values: ['ana@example.test', 'Ana'] }])
  })

  it('fingerprints calls by their content, whatever the order of their fields', () => {
    const fingerprint = 'afe7799e6c70274779c3d93b5e08801ac492650eb37f1fa055b0b3a54f616376'
    expect(idempotencyKeyOf('key', { amountCents: 100, invoiceId: 'i' })).toEqual({
      text: 'key',
      fingerprint,
    })
    expect(idempotencyKeyOf('key', { invoiceId: 'i', amountCents: 100 })).toEqual({
      text: 'key',
      fingerprint,
    })
  })
})

describe('texts that people agreed to', () => {
  it('never change, because signatures name them by their digest', () => {
    expect(consentHash('es')).toBe('38ba9f14059f7c7d276b360fdec430dc98d4b0dbde27e16f4a5de264a8bcc85d')
    expect(consentHash('en')).toBe('7362be73fbfc152ec0aec6607739bc7e19141b51392266e8269a9fb532008e69')
  })
})

describe('integrations and error reports', () => {
  it('assigns webhooks to shards', () => {
    const shardsOf = (count: number) => ['a', 'b', 'capplication'].map(id => shardOf(id, count))
    expect([64, 128, 1024].map(shardsOf)).toEqual([
      [3, 57, 58],
      [67, 121, 58],
      [579, 1017, 186],
    ])
  })

  it('reads attempts, which are stored without their usual fields', () => {
    const attempt = {
      durationMs: 12,
      trigger: 'AUTOMATIC',
      outcome: 'DELIVERED',
      status: 200,
      answer: null,
      answerHeaders: {},
      address: '192.0.2.1',
      secretId: 'csecret',
      error: null,
      timings: { dns: 0, connect: 1, tls: 0, firstByte: 11, rest: 0 },
    } as const
    const stored =
      '{"durationMs":12,"status":200,"address":"192.0.2.1","secretId":"csecret","timings":{"connect":1,"firstByte":11}}'
    expect(JSON.stringify(toStoredRecord(attempt))).toBe(stored)
    expect(toAttemptRecord(JSON.parse(stored))).toEqual(attempt)
  })

  it('gives imported messages the same ids again', () => {
    expect(importedId(1_700_000_000_000, 'o', 'channel', 'C1')).toBe('cloyw3v28xpcebx2g8w2hl0br')
  })
  it('counts users of an application by a digest', () => {
    expect(userDigestOf('capplication', 'user')).toBe('79b091eeaa49e6ce')
  })
})

describe('requests with an Idempotency-Key', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  it('are recognized by the hash of their body', async () => {
    const { id } = await server.organization()
    const request = { caller: 'p', operation: 'POST /x', key: 'k', body: { b: 1, a: ['x'] }, status: 201 }
    await server.api.services.database.transact(id, tx => runOnce(tx, cipher, request, async () => ({})))
    expect(await server.sql('select body_hash from idempotency where organization_id = $1', [id])).toEqual([
      { body_hash: '4dd37213ecd6ae7c2abf7d9b1a80f8dbcf2ef5b8bf3b15e30149faf46f8904ad' },
    ])
  })
})

/** Every source file that hashes, with the test that pins its value or the reason why no stored value depends on it. */
const hashingFiles: Record<string, string> = {
  'server/backup/restore.ts': 'plain SHA-256 of the bytes of a blob or a file',
  'server/billing/authorizations/consent/consent.sql.ts': 'plain SHA-256 of the text beside it',
  'server/billing/charges/page/payment-page.html.ts': 'not stored: content security policy',
  'server/billing/idempotency-key.ts': 'this file',
  'server/billing/links/payment-link.token.ts': 'this file',
  'server/billing/sending/send.ts': 'compared with deliveries of the last minutes only',
  'server/billing/tax-records/record-hash.ts': 'server/billing/tax-records/record-hash.test.ts',
  'server/chat/imports/history-source.ts': 'this file',
  'server/crm/leads/sync/sync-cursor.ts': 'this file',
  'server/crm/signatures/canonical/digest.ts': 'server/crm/signatures/canonical/canonical.test.ts',
  'server/crm/signatures/canonical/v3.ts': 'server/crm/signatures/canonical/canonical.test.ts',
  'server/crm/signatures/verify-file/verify-file.ts': 'plain SHA-256 of the bytes of a file',
  'server/error-reports/fingerprint/fingerprint.ts': 'server/error-reports/fingerprint/vectors.json',
  'server/error-reports/intake/user-digest.ts': 'this file',
  'server/identity/sign-in/attempt-limits.ts': 'kept for an hour at most',
  'server/identity/sign-in/reset-mail.ts': 'not stored: finds the row of a link, which lasts an hour',
  'server/identity/sign-in/session.ts': 'not stored: verifies the signature of a session token',
  'server/integrations/webhooks/dispatcher/sending/sign.ts': 'sdk/vectors/webhook-signatures.json',
  'server/marketplace/entries/digest.ts': 'server/marketplace/entries/digest.test.ts',
  'server/marketplace/provenance/statement.ts': 'plain SHA-256 of texts and of canonical JSON (RFC 8785)',
  'server/marketplace/provenance/verify.ts': 'plain SHA-256 of the bytes of a file',
  'server/platform/adapters/files/spool.ts': 'plain SHA-256 of the bytes of a file',
  'server/platform/adapters/gateway/sandbox-store.ts': 'the sandbox gateway, which has no real money',
  'server/platform/adapters/gateway/sandbox.ts': 'the sandbox gateway, which has no real money',
  'server/platform/backup/sealed-blob.ts': 'server/platform/backup/sealed-blob.test.ts',
  'server/platform/data/installation-id.ts':
    'not stored: subjects of signals, which processes of one release share',
  'server/platform/data/migrate.ts': 'plain SHA-256 of a file, as in migrations/SHA256SUMS',
  'server/platform/data/statement.ts': 'not stored: names of prepared statements',
  'server/platform/events/chain.ts': 'server/platform/events/chain.test.ts',
  'server/platform/http/compression-and-etag.ts': 'not stored: ETag',
  'server/platform/http/html-page.ts': 'not stored: content security policy',
  'server/platform/http/idempotency.ts': 'this file',
  'server/platform/security/cipher.ts': 'this file',
  'server/platform/security/credential.ts': 'this file',
  'server/platform/security/seals.ts': 'this file',
  'server/platform/security/signer.ts': 'this file',
  'server/platform/security/time-stamp.ts': 'not stored: digests that a time stamp contains',
  'server/reference/scalar-script.ts': 'not stored: version in the address of a script',
  'server/studio/assets/asset.rules.ts': 'this file',
  'server/studio/packages/package-files.ts': 'not stored: ETag of a package',
  'server/studio/tools/packages/installable.ts': 'not stored: digest in an index of packages',
  'server/studio/tools/skills/mcp-skills.ts': 'not stored: digest in an answer',
}
it('every file that hashes is pinned by vectors or stores nothing', () => {
  const { stdout } = spawnSync('git', ['ls-files', 'server'], { encoding: 'utf8' })
  const hashes = /\b(?:createHash|createHmac|hash|hkdfSync)\(/
  const files = stdout
    .split('\n')
    .filter(path => /(?<!\.test)\.ts$/.test(path))
    .filter(path => {
      const text = readFileSync(path, 'utf8')
      return text.includes("from 'node:crypto'") && hashes.test(text)
    })
  expect(files.sort()).toEqual(Object.keys(hashingFiles).sort())
})
