import type { Tx } from '#platform/data/database.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { queueSignedMails } from '../signing/mails.ts'
import { settleBudget } from '../signing/settle-budget.ts'
import { insertEvents } from '../signing/signing-events.sql.ts'
import { type Evidence, evidenceHash } from './canonical/evidence.ts'
import { maskIp, plainIp } from './mask-ip.ts'
import type { RecordedSignatureRow, SignedVia } from './signature.row.ts'
import { claimChainPosition, insertSignature } from './signature.sql.ts'

/** A signature to record. */
export type NewSignature = {
  via: SignedVia
  /** null for now. */
  signedAt: string | null
  signerName: string
  signerEmail: string
  ip: string
  userAgent: string
  documentHash: string
  hashVersion: 1 | 2 | 3
  consentHash: string | null
  link: { id: string; documentId: string | null } | null
}

/**
 * Records the signature of a budget that this transaction has locked: in the chain of the organization, in the history of the
 * budget, and as an event. The budget becomes SIGNED, so that nobody else can sign it.
 */
export async function recordSignature(
  tx: Tx,
  actor: EventActor,
  budget: BudgetRow,
  input: NewSignature,
): Promise<RecordedSignatureRow> {
  const position = await claimChainPosition(tx, plainIp(input.ip))
  const evidence: Evidence = {
    signatureId: newId(),
    budgetId: budget.id,
    documentHash: input.documentHash,
    hashVersion: input.hashVersion,
    signedAt: input.signedAt ?? position.at,
    signerName: input.signerName,
    signerEmail: input.signerEmail,
    ip: position.ip,
    userAgent: input.userAgent,
    via: input.via,
    signingTokenId: input.link?.id ?? null,
    consentHash: input.consentHash,
    number: position.number,
    previousEvidenceHash: position.previous,
  }
  const row = { ...rowOf(evidence), evidence_hash: evidenceHash(evidence) }
  await Promise.all([
    insertSignature(tx, { ...row, document_id: input.link?.documentId ?? null }),
    insertEvents(tx, {
      budgetId: budget.id,
      linkId: evidence.signingTokenId,
      actorId: actor.personId || null,
      kind: input.via === 'IMPORT' ? 'IMPORTED' : 'SIGNED',
      ip: position.ip,
      userAgent: input.userAgent,
    }),
    budget.status !== 'SIGNED' &&
      settleBudget(tx, budget.id, {
        status: 'SIGNED',
        actorId: actor.personId || null,
        at: evidence.signedAt,
      }),
    // an import sends no mail
    input.via !== 'IMPORT' && queueSignedMails(tx, { budgetId: budget.id, signatureId: row.id }),
  ])
  emit(tx, actor, 'BUDGET_SIGNED', {
    budgetId: budget.id,
    code: budget.code,
    signatureId: row.id,
    signedAt: row.signed_at,
    hashVersion: row.hash_version,
    via: input.via,
    signingTokenId: row.signing_link_id,
  })
  return row
}

/** The columns of a piece of evidence. */
function rowOf(evidence: Evidence) {
  return {
    id: evidence.signatureId,
    budget_id: evidence.budgetId,
    signing_link_id: evidence.signingTokenId,
    via: evidence.via as SignedVia,
    signed_at: evidence.signedAt,
    signer_name: evidence.signerName,
    signer_email: evidence.signerEmail,
    ip: evidence.ip,
    ip_masked: maskIp(evidence.ip),
    user_agent: evidence.userAgent,
    document_hash: evidence.documentHash,
    hash_version: evidence.hashVersion,
    consent_hash: evidence.consentHash,
    number: evidence.number,
    previous_evidence_hash: evidence.previousEvidenceHash,
  }
}

/** The evidence of a row, as it was when its hash was computed. */
export function evidenceOf(row: RecordedSignatureRow): Evidence {
  return {
    signatureId: row.id,
    budgetId: row.budget_id,
    documentHash: row.document_hash,
    hashVersion: row.hash_version,
    signedAt: row.signed_at,
    signerName: row.signer_name,
    signerEmail: row.signer_email,
    ip: row.ip,
    userAgent: row.user_agent,
    via: row.via,
    signingTokenId: row.signing_link_id,
    consentHash: row.consent_hash,
    number: row.number,
    previousEvidenceHash: row.previous_evidence_hash,
  }
}
