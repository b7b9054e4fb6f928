import { StoreUnavailable } from '#platform/adapters/files.ts'
import { sealPdf } from '#platform/adapters/pdf-seal.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import type { Services } from '#platform/services.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import { renderBudgetPdf } from '../budgets/pdf.ts'
import { signatureFor } from '../signatures/signature.access.ts'
import { queueSignedMails } from '../signing/mails.ts'
import { readStoredPdf } from '../signing/stored-pdf.ts'
import { type ClaimedSeal, claimSeal, setSealed, setSealFailed } from './budget-seal.sql.ts'
import { revealPkcs12 } from './pkcs12-key.ts'
import { sealKeyOf } from './seal-certificate.sql.ts'

/** The services that sealing needs; with a URL, seals have time stamps. */
export type SealServices = Pick<
  Services,
  'database' | 'files' | 'cipher' | 'wakeUp' | 'log' | 'maxFileBytes'
> & {
  timeStampUrl: string | undefined
}
type SealProblem = Parameters<typeof setSealFailed>[2]
type Sealed = { pdf: Buffer; subject: string; hasTimeStamp: boolean }

/**
 * Seals the signed budget that has waited longest (SEAL-3, SEAL-4). Returns false if there was nothing to do. A failure is
 * recorded, and tried again after a pause or with another certificate.
 */
export async function sealNextBudget(services: SealServices): Promise<boolean> {
  const { database, files, maxFileBytes } = services
  const claimed = await claimSeal(database)
  if (!claimed) return false
  const sealed = await seal(services, claimed)
  if (typeof sealed === 'string') {
    await finish(services, claimed, tx => setSealFailed(tx, claimed.budget_id, sealed))
    return true
  }
  const { pdf, subject, hasTimeStamp } = sealed
  const incoming = await files.receive(pdf, maxFileBytes)
  try {
    await storeObjects(services, [incoming])
    const { sha256 } = incoming
    await finish(services, claimed, tx => setSealed(tx, claimed.budget_id, { sha256, subject, hasTimeStamp }))
  } finally {
    await incoming.discard()
  }
  return true
}

/** The mails about the signature wait for the first attempt, so that they carry the sealed document. */
async function finish(
  { database, wakeUp }: SealServices,
  { organization_id, budget_id, signature_id, is_first_attempt }: ClaimedSeal,
  write: (tx: Parameters<typeof setSealed>[0]) => Promise<unknown>,
): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      if ((await write(tx)) === false) return
      if (is_first_attempt) await queueSignedMails(tx, { budgetId: budget_id, signatureId: signature_id })
      emit(tx, { personId: '' }, 'budget.changed', { ids: [budget_id] })
    },
    recordEvents,
  )
  wakeUp?.changed()
}

async function seal(services: SealServices, claimed: ClaimedSeal): Promise<Sealed | SealProblem> {
  const { organization_id: organizationId, budget_id: budgetId, signature_id: signatureId } = claimed
  const db = services.database.of(organizationId)
  const key = await sealKeyOf(db)
  if (!key) return 'NO_CERTIFICATE'
  if (!key.is_valid) return 'CERTIFICATE_NOT_VALID'
  try {
    const [budget, signature] = await Promise.all([
      budgetFor(db, budgetId),
      signatureFor(db, budgetId, signatureId),
    ])
    const { document_sha256: sha256 } = signature
    const document = await (sha256 === null
      ? renderBudgetPdf(services.files, db, budget)
      : readStoredPdf(services.files, sha256))
    const result = await sealPdf({
      pdf: document,
      pkcs12: revealPkcs12(services.cipher, organizationId, key.pkcs12),
      timeStampUrl: services.timeStampUrl,
      reason: `Presupuesto ${budget.code}, firmado por ${signature.signer_name}`,
    })
    if ('problem' in result) {
      services.log?.warn({ organizationId, budgetId, reason: result.message }, 'A budget could not be sealed')
      return result.problem
    }
    return { pdf: result.pdf, subject: key.subject, hasTimeStamp: services.timeStampUrl !== undefined }
  } catch (error) {
    services.log?.warn({ organizationId, budgetId, err: error }, 'A budget could not be sealed')
    return error instanceof StoreUnavailable ? 'DOCUMENT_NOT_READ' : 'FAILED'
  }
}
