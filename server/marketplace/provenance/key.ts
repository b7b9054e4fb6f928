import { readProvenanceKey } from '#contract/marketplace/provenance.ts'
import { query } from '#platform/http/operation.ts'

/** Reads the public key of this server's provenance statements. */
export const key = query(readProvenanceKey, async ({ services: { signer } }) => ({
  keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: signer.keyId, x: signer.publicKey }],
}))
