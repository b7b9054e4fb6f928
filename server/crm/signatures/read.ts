import { listSignatures, readSignature } from '#contract/crm/signatures.ts'
import { reads } from '#platform/serve.ts'
import { signatureFor, signaturesFor } from './access.ts'
import { showListed, showSignature } from './show.ts'

/** Document 3, GET /budgets/:budgetId/signatures. */
export const list = reads(listSignatures, async ({ db, params }) => ({
  items: (await signaturesFor(db, params.budgetId)).map(showListed),
}))

/** Document 3, GET /budgets/:budgetId/signatures/:sigId. */
export const read = reads(readSignature, async ({ db, params }) =>
  showSignature(await signatureFor(db, params.budgetId, params.sigId)),
)
