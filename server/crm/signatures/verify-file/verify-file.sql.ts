import type { KnownSignature } from '#contract/crm/verify-page.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

/** A signature of a file, with its place in the chain of its organization. */
export type SignatureOfFile = Omit<KnownSignature, 'timeStamp'> & { organizationId: string; number: number }
type SignatureOfFileRow = Omit<SignatureOfFile, 'place'> & { place: number | null; places: number | null }

// indexes budget_signature_file and budget_seal_content
const select = crossTenantSql<SignatureOfFileRow, { documentHash: string }>(
  'anybody who holds a signed file may look it up without knowing the organization',
  `select s.id as "signatureId", o.name as "organizationName", b.code as "budgetCode", s.signer_name as "signerName",
     s.signed_at as "signedAt", s.organization_id as "organizationId", s.number, s.place, s.places
   from budget_signature s
   join budget b on b.organization_id = s.organization_id and b.id = s.budget_id
   join organization o on o.id = s.organization_id
   where (s.organization_id, s.id) in (
     select f.organization_id, f.id from budget_signature f
     where f.document_hash = $documentHash and f.hash_version = 3
     union all select e.organization_id, e.signature_id from budget_seal e where e.sha256 = $documentHash)
   order by s.signed_at, s.id limit 20`,
)

/** The signatures of a file, by the SHA-256 of its bytes, the oldest first: at most one for each signer. */
export async function signaturesOfFile(database: Database, documentHash: string): Promise<SignatureOfFile[]> {
  const rows = await database.crossTenant.rows(select, { documentHash })
  return rows.map(({ place, places, ...signature }) => ({
    ...signature,
    ...(place !== null && places !== null && { place: { number: place, of: places } }),
  }))
}
