import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { queueSeal } from '../seals/budget-seal.sql.ts'
import { queueSignedMails, type SignedMailData } from '../signing/mails.ts'
import { settleBudget } from '../signing/settle-budget.ts'
import { insertEvents } from '../signing/signing-events.sql.ts'
import { evidenceHashOf } from './evidence-of-row.ts'
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
  /** Its place among the signatures of a request; `isLast`: everybody else has signed. */
  place?: { requestId: string; number: number; of: number; isLast: boolean }
}

/**
 * Records the signature of a budget that this transaction has locked: in the chain of the organization, in the history of the
 * budget, and as an event. The budget becomes SIGNED, so that nobody else can sign it; with several signers, the last signature
 * does that.
 */
export async function recordSignature(
  tx: Tx,
  actor: EventActor,
  budget: BudgetRow,
  input: NewSignature,
): Promise<RecordedSignatureRow> {
  const position = await claimChainPosition(tx, plainIp(input.ip))
  const { place } = input
  const signed = {
    id: newId(),
    budget_id: budget.id,
    signing_link_id: input.link?.id ?? null,
    via: input.via,
    signed_at: input.signedAt ?? position.at,
    signer_name: input.signerName,
    signer_email: input.signerEmail,
    ip: position.ip,
    ip_masked: maskIp(position.ip),
    user_agent: input.userAgent,
    document_hash: input.documentHash,
    hash_version: input.hashVersion,
    consent_hash: input.consentHash,
    number: position.number,
    previous_evidence_hash: position.previous,
    signature_request_id: place?.requestId ?? null,
    place: place?.number ?? null,
    places: place?.of ?? null,
  }
  const row = { ...signed, evidence_hash: evidenceHashOf(signed) }
  const isComplete = place === undefined || place.isLast
  await Promise.all([
    insertSignature(tx, { ...row, document_id: input.link?.documentId ?? null }),
    insertEvents(tx, {
      budgetId: budget.id,
      linkId: row.signing_link_id,
      actorId: actor.personId || null,
      kind: input.via === 'IMPORT' ? 'IMPORTED' : 'SIGNED',
      ip: position.ip,
      userAgent: input.userAgent,
    }),
    isComplete &&
      budget.status !== 'SIGNED' &&
      settleBudget(tx, budget.id, {
        status: 'SIGNED',
        actorId: actor.personId || null,
        at: row.signed_at,
      }),
    // an import is not sealed and sends no mail
    input.via !== 'IMPORT' && queueSealOrMails(tx, { budgetId: budget.id, signatureId: row.id }, isComplete),
  ])
  // applications read it as the acceptance of the budget
  if (!isComplete) return row
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

/** With a certificate, the complete document is sealed first, so that the mails carry it. */
async function queueSealOrMails(tx: Tx, signed: SignedMailData, isComplete: boolean): Promise<void> {
  if (isComplete && (await queueSeal(tx, signed.budgetId, signed.signatureId))) return
  await queueSignedMails(tx, signed)
}
