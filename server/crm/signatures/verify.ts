import { type Verification, verifySignature } from '#contract/crm/signatures.ts'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, readWithin } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import { query } from '#platform/http/operation.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import { canonical, sha256 } from './canonical/digest.ts'
import { fingerprint1 } from './canonical/v1.ts'
import { fingerprint2 } from './canonical/v2.ts'
import { fingerprint3 } from './canonical/v3.ts'
import { signatureFor } from './signature.access.ts'
import { showListedSignature } from './signature.json.ts'
import type { SignatureRow } from './signature.row.ts'
import { checkedTimeStamp } from './time-stamps/check-time-stamp.ts'

type UnverifiableReason = NonNullable<Verification['reason']>

/** Computes the fingerprint again, in the version of the signature (SIG-6). */
export const verify = query(verifySignature, async ({ db, params, services }) => {
  const signature = await signatureFor(db, params.budgetId, params.sigId)
  const [fingerprint, timeStamp] = await Promise.all([
    fingerprintNow(db, services.files, signature),
    checkedTimeStamp(db, signature),
  ])
  return resultOf(signature, fingerprint, timeStamp)
})

function resultOf(
  signature: SignatureRow,
  actual: string | UnverifiableReason,
  timeStamp: Verification['timeStamp'],
): Verification {
  const { id, documentHash, ...shown } = showListedSignature(signature)
  const common = {
    signatureId: id,
    expectedHash: documentHash,
    userAgent: signature.user_agent,
    timeStamp,
    ...shown,
  }
  if (typeof actual !== 'string')
    return { ...common, status: 'UNVERIFIABLE', valid: false, actualHash: null, reason: actual }
  const valid = actual === documentHash
  return { ...common, status: valid ? 'VALID' : 'MODIFIED', valid, actualHash: actual, reason: null }
}

/** The fingerprint that the signature would have now, or the reason why it cannot be computed. */
async function fingerprintNow(
  db: Db,
  files: Files,
  signature: SignatureRow,
): Promise<string | UnverifiableReason> {
  if (signature.hash_version === 3) return fingerprintOfSignedPdf(files, signature)
  const budget = await budgetFor(db, signature.budget_id)
  try {
    return signature.hash_version === 1 ? fingerprint1(budget) : fingerprint2(budget)
  } catch {
    // malformed data cannot match the signature, so any other hash reports MODIFIED
    return sha256(canonical(budget.content))
  }
}

/** Only the bytes can prove a change, so a missing or unreadable document is reported separately. */
async function fingerprintOfSignedPdf(
  files: Files,
  { link_id, document_sha256 }: SignatureRow,
): Promise<string | UnverifiableReason> {
  if (link_id === null || document_sha256 === null) return unavailable
  try {
    return await readWithin(files, document_sha256, limits.signedPdfReadMs, fingerprint3)
  } catch (error) {
    return error instanceof ObjectMissing ? unavailable : unreadable
  }
}

const unavailable: UnverifiableReason = {
  errorCode: 'BUDGET_SIGNED_PDF_UNAVAILABLE',
  message: 'El PDF firmado ya no está disponible; la firma sigue registrada, pero no se puede comprobar.',
}
const unreadable: UnverifiableReason = {
  errorCode: 'BUDGET_SIGNED_PDF_UNREADABLE',
  message: 'El PDF firmado existe, pero ahora no se puede leer. Vuelve a intentarlo en unos minutos.',
}
