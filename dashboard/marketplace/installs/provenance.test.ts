import { generateKeyPairSync, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { expect, it } from 'vitest'
import type { Provenance } from '#contract/marketplace/provenance.ts'
import { canonicalJson, verdictOf } from './provenance.rules.ts'

const statement = {
  version: '1.0.0',
  name: 'Revisión «é» \u2028 "x"',
  files: [{ size: 3, path: 'a/b.md' }],
  content: { b: null, a: true, Z: 0 },
}

it('writes canonical JSON as the server does', () => {
  expect(canonicalJson(statement)).toBe(canonicalize(statement))
})

it('says whether the published key signed this very statement', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' }) as { x: string }
  const signature = sign(null, Buffer.from(canonicalJson(statement)), privateKey).toString('base64url')
  const provenance = { statement, signature, keyId: 'k', publicKey: x } as unknown as Provenance
  const { subtle } = globalThis.crypto
  expect(await verdictOf(provenance, [{ kid: 'k', x }], subtle)).toBe('valid')
  const changed = { ...provenance, statement: { ...statement, version: '1.0.1' } } as unknown as Provenance
  expect(await verdictOf(changed, [{ kid: 'k', x }], subtle)).toBe('changed')
  expect(await verdictOf(provenance, [{ kid: 'other', x }], subtle)).toBe('unknownKey')
  expect(await verdictOf(provenance, [{ kid: 'k', x }], undefined)).toBe('unchecked')
})
