import { readProvenanceKey } from '#contract/marketplace/provenance.ts'
import { reads } from '#platform/http/operation.ts'

/** The public key behind the statements of this server. */
export const key = reads(readProvenanceKey, async ({ world: { signer } }) => ({
  keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: signer.keyId, x: signer.publicKey }],
}))
