import { createHash } from 'node:crypto'
import { anonymousPublisher } from '#contract/marketplace/entries.ts'
import {
  type Provenance,
  type ProvenanceStatement,
  statementFormat,
} from '#contract/marketplace/provenance.ts'
import type { Signer } from '#platform/security/signer.ts'
import { canonicalJson } from '../entries/digest.ts'

/** An approved release that a statement describes. */
export type StatedRelease = {
  entry_id: string
  publisher_name: string | null
  publisher_verified: boolean
  type: ProvenanceStatement['type']
  name: string
  version: string
  digest: string
  description: string
  body_markdown: string
  frontmatter: Record<string, unknown>
  submitted_at: string
  approved_at: string
}
type StatedFile = { path: string; size: number; sha256: string }

/** The texts of a release or of a package. */
export type ReleaseTexts = { description: string; bodyMarkdown: string; frontmatter: Record<string, unknown> }

/** The hexadecimal SHA-256 of each text; the front matter is hashed as canonical JSON. */
export function digestsOf({
  description,
  bodyMarkdown,
  frontmatter,
}: ReleaseTexts): ProvenanceStatement['content'] {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  return {
    description: digest(description),
    bodyMarkdown: digest(bodyMarkdown),
    frontmatter: digest(canonicalJson(frontmatter)),
  }
}

/** The statement of the server about a release. Equal releases give equal statements. */
export function statementOf(release: StatedRelease, files: readonly StatedFile[]): ProvenanceStatement {
  const { description, body_markdown: bodyMarkdown, frontmatter } = release
  return {
    format: statementFormat,
    entryId: release.entry_id,
    publisher: {
      displayName: release.publisher_name ?? anonymousPublisher,
      verified: release.publisher_verified,
    },
    type: release.type,
    name: release.name,
    version: release.version,
    releaseDigest: release.digest,
    content: digestsOf({ description, bodyMarkdown, frontmatter }),
    files: files
      .map(({ path, size, sha256 }) => ({ path, size, sha256 }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    submittedAt: release.submitted_at,
    approvedAt: release.approved_at,
    decision: 'APPROVED',
  }
}

/** A stored signed statement: the statement as canonical JSON, exactly as it was signed. */
export type SignedStatement = { statement: string; signature: string; key_id: string; public_key: string }

/** Signs the statement about a release. */
export function signStatement(
  signer: Signer,
  release: StatedRelease,
  files: readonly StatedFile[],
): SignedStatement {
  const statement = canonicalJson(statementOf(release, files))
  return {
    statement,
    signature: signer.sign(statement),
    key_id: signer.keyId,
    public_key: signer.publicKey,
  }
}

/** A signed statement for replies and packages. */
export function showProvenance(signedStatement: SignedStatement): Provenance {
  return {
    statement: JSON.parse(signedStatement.statement),
    signature: signedStatement.signature,
    keyId: signedStatement.key_id,
    publicKey: signedStatement.public_key,
  }
}
