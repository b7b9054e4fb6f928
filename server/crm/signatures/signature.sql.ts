import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type RecordedSignatureRow, recordedColumns } from './signature.row.ts'

type ChainHead = { count: number; evidence_hash: string | null; last_number: number }

/** A position in the chain of signatures. */
export type EvidencePosition = { number: number; previous: string | null; at: string; ip: string }

// the row stays locked until the commit, so that the chain does not branch and times follow its order
const claimPosition = sql<EvidencePosition, { ip: string }>(`
  with claimed as (
    insert into signature_chain as c (organization_id, count) values ($organization, 1)
    on conflict (organization_id) do update set count = c.count + 1
    returning c.count, c.evidence_hash)
  select d.count as number, d.evidence_hash as previous, host($ip::inet) as ip,
    date_trunc('milliseconds', clock_timestamp()) as at from claimed d`)
const setLast = sql<never, { evidenceHash: string }>(
  'update signature_chain c set evidence_hash = $evidenceHash where c.organization_id = $organization',
)
const insert = sql<never, { row: string }>(`
  insert into budget_signature (organization_id, id, budget_id, signing_link_id, document_id, via, signed_at,
    signer_name, signer_email, ip, ip_masked, user_agent, document_hash, hash_version, consent_hash, number,
    evidence_hash, previous_evidence_hash, signature_request_id, place, places)
  select $organization, r.* from jsonb_to_record($row::jsonb) as r(id text, budget_id text, signing_link_id text,
    document_id text, via text, signed_at timestamptz, signer_name text, signer_email text, ip inet, ip_masked text,
    user_agent text, document_hash text, hash_version smallint, consent_hash text, number bigint, evidence_hash text,
    previous_evidence_hash text, signature_request_id text, place smallint, places smallint)`)
// index budget_signature_number
const selectRange = sql<RecordedSignatureRow, { after: number; most: number }>(`
  select ${recordedColumns} from budget_signature s
  where s.organization_id = $organization and s.number > $after order by s.number limit $most`)
// one snapshot, so that count and last number agree. Index budget_signature_number
const selectHead = sql<ChainHead>(`
  select coalesce(c.count, 0) as count, c.evidence_hash, (
    select coalesce(max(s.number), 0) from budget_signature s
    where s.organization_id = $organization) as last_number
  from organization o left join signature_chain c on c.organization_id = $organization where o.id = $organization`)
// index budget_signature_of
const count = sql<{ total: number }, { budgetId: string }>(
  `select count(*) as total from budget_signature s
    where s.organization_id = $organization and s.budget_id = $budgetId`,
)

/** Claims the next position in the chain of the organization. Must take the last lock of the transaction. */
export function claimChainPosition(tx: Tx, ip: string): Promise<EvidencePosition> {
  return tx.one(claimPosition, { ip })
}

/** Inserts a signature at the position that this transaction has claimed. */
export async function insertSignature(
  tx: Tx,
  signature: RecordedSignatureRow & { document_id: string | null },
): Promise<void> {
  await Promise.all([
    tx.run(insert, { row: JSON.stringify(signature) }),
    tx.run(setLast, { evidenceHash: signature.evidence_hash }),
  ])
}

export async function countSignatures(db: Db, budgetId: string): Promise<number> {
  return (await db.one(count, { budgetId })).total
}

/** Up to `limit` signatures after a position, in order. */
export function chainRange(db: Db, after: number, limit: number): Promise<RecordedSignatureRow[]> {
  return db.rows(selectRange, { after, most: limit })
}

/** The recorded length and last hash of the chain, and the position of the last row. */
export function chainHead(db: Db): Promise<ChainHead> {
  return db.one(selectHead)
}
