import type { Static } from 'typebox'
import { operation } from '../operation.ts'
import { Id, OneOf, Time } from '../shapes.ts'
import { assetTypes } from '../studio/assets.ts'
import { Type } from '../type.ts'
import { Install, marketplaceInstalls } from './installs.ts'

export const statementFormat = 'patio-provenance/1'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, hexadecimal' })

/**
 * A statement of this server about an installed release: publisher, content, files and the decision of the review. It
 * names no person, and the organization only by the name that the catalogue shows.
 */
export const ProvenanceStatement = Type.Object({
  format: OneOf([statementFormat]),
  entryId: Id,
  publisher: Type.Object({ displayName: Type.String(), verified: Type.Boolean() }),
  type: OneOf(assetTypes),
  name: Type.String(),
  version: Type.String(),
  releaseDigest: Digest,
  content: Type.Object(
    { description: Digest, bodyMarkdown: Digest, frontmatter: Digest },
    { description: 'Digests of the texts; the front matter is hashed as canonical JSON (RFC 8785)' },
  ),
  files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), sha256: Digest })),
  submittedAt: Time,
  approvedAt: Time,
  decision: OneOf(['APPROVED']),
})
export type ProvenanceStatement = Static<typeof ProvenanceStatement>

/** A signed statement. Packages contain it as `provenance.json`; the `verify` command checks it offline. */
export const Provenance = Type.Object({
  statement: ProvenanceStatement,
  signature: Type.String({
    description: 'Ed25519 over the statement as canonical JSON (RFC 8785, UTF-8), base64url',
  }),
  keyId: Type.String({ description: 'JWK thumbprint of the key (RFC 7638, SHA-256), base64url' }),
  publicKey: Type.String({
    description: 'The raw public key, base64url; trust only the key that the server publishes',
  }),
})
export type Provenance = Static<typeof Provenance>

export const readInstall = operation('GET /marketplace/installs/:id', {
  ...marketplaceInstalls,
  summary: 'Read an install with its signed provenance statement',
  params: { id: Id },
  reply: Type.Object({ ...Install.properties, provenance: Provenance }),
  errors: ['INSTALL_NOT_FOUND'],
})

/** A JSON Web Key Set (RFC 7517, RFC 8037). */
export const readProvenanceKey = operation('GET /.well-known/patio-provenance.json', {
  area: 'studio',
  summary: 'Read the public key that verifies provenance statements of this server',
  auth: { public: true },
  reply: Type.Object({
    keys: Type.Array(
      Type.Object({
        kty: OneOf(['OKP']),
        crv: OneOf(['Ed25519']),
        alg: OneOf(['EdDSA']),
        use: OneOf(['sig']),
        kid: Type.String(),
        x: Type.String(),
      }),
    ),
  }),
})
