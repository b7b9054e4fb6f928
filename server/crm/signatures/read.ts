import { listSignatures, readSignature } from '#contract/crm/signatures.ts'
import { query } from '#platform/http/operation.ts'
import { signatureFor, signaturesFor } from './signature.access.ts'
import { showListedSignature, showSignature } from './signature.json.ts'

/** Lists the signatures of a budget (SIG-2). */
export const list = query(listSignatures, async ({ db, params }) => ({
  items: (await signaturesFor(db, params.budgetId)).map(showListedSignature),
}))

/** Reads one signature of a budget (SIG-2, SIG-5). */
export const read = query(readSignature, async ({ db, params }) =>
  showSignature(await signatureFor(db, params.budgetId, params.sigId)),
)
