import type { KnownSignature } from '#contract/crm/verify-page.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

// index budget_signature_file
const select = crossTenantSql<KnownSignature, [documentHash: string]>(
  'anybody who holds a signed file may look it up without knowing the organization',
  `select s.id as "signatureId", o.name as "organizationName", b.code as "budgetCode", s.signer_name as "signerName",
     s.signed_at as "signedAt"
   from budget_signature s
   join budget b on b.organization_id = s.organization_id and b.id = s.budget_id
   join organization o on o.id = s.organization_id
   where s.document_hash = $1 and s.hash_version = 3 order by s.signed_at, s.id limit 20`,
)

/** The signatures of a file, by the SHA-256 of its bytes; usually at most one. */
export function signaturesOfFile(database: Database, documentHash: string): Promise<KnownSignature[]> {
  return database.crossTenant.rows(select, documentHash)
}
