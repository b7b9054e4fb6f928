import { isIP } from 'node:net'
import { importSignature } from '#contract/crm/signatures.ts'
import { limits } from '#contract/limits.ts'
import { msOf, nowMs } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import { assertNoOpenRequest } from '../signature-requests/signature-request.access.ts'
import { recordSignature } from './record.ts'
import { showSignature } from './signature.json.ts'
import { countSignatures } from './signature.sql.ts'

/** Imports a signature from an earlier system with its stored fingerprint (SIG-9, SIG-17). */
export const importOld = command(importSignature, async ({ tx, caller, params, body, audit }) => {
  const signedAtMs = msOf(body.signedAt)
  if (signedAtMs > nowMs()) refuse('signedAt', 'past', 'must be in the past')
  if (isIP(body.ipAddress) === 0) refuse('ipAddress', 'format', 'must be an IP address')
  const [budget, total] = await tx.inOrder(
    () => lockBudget(tx, params.budgetId),
    () => countSignatures(tx, params.budgetId),
  )
  if (budget.status === 'DECLINED' || budget.status === 'CANCELLED') fail('BUDGET_SETTLED')
  await assertNoOpenRequest(tx, budget.id)
  if (total >= limits.signaturesImportedPerBudget) fail('TOO_MANY_SIGNATURES')
  const signature = await recordSignature(tx, caller, budget, {
    via: 'IMPORT',
    hashVersion: 1,
    documentHash: body.documentHash,
    consentHash: null,
    link: null,
    signedAt: new Date(signedAtMs).toISOString(),
    signerName: body.signerName.trim(),
    signerEmail: body.signerEmail,
    ip: body.ipAddress,
    userAgent: body.userAgent,
  })
  audit(budget.id, ['signatures'], { signatureId: signature.id })
  return showSignature({ ...signature, link_id: null })
})

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
