import { removeInvoice, updateInvoice } from '#contract/billing/invoices.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lockNamedClient } from '#server/crm/index.ts'
import { lockInvoice } from '../invoice.access.ts'
import { type Draft, removeDraft, setDraft } from '../invoice.sql.ts'
import { showWholeInvoice } from '../show-invoice.ts'
import { assertDraft, changedDraftFields, withDraftFields } from './draft.rules.ts'

export const update = command(updateInvoice, async ({ tx, caller, params, body, audit }) => {
  if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
  const before = await lockInvoice(tx, caller, params.id)
  const { clientId = before.client_id, ...input } = body
  const after = { ...withDraftFields(before, input), client_id: clientId }
  const changed = changedDraftFields(before, after)
  if (changed.some(name => name !== 'internalNotes')) assertDraft(before)
  audit(before.id, changed)
  if (changed.length === 0) return showWholeInvoice(tx, caller, before)
  if (before.is_rectifying) assertOfRectified(before, after)
  if (clientId !== before.client_id) {
    if (before.application_id !== null) refuse('clientId', 'must be the client of the user')
    if (before.budget_id !== null) refuse('clientId', 'must be the client of the linked budget')
    await lockNamedClient(tx, clientId, 'clientId')
  }
  if (input.rectifyingReason !== undefined && !before.is_rectifying)
    refuse('rectifyingReason', 'is only for a rectifying invoice')
  return showWholeInvoice(tx, caller, await setDraft(tx, after))
})

export const remove = command(removeInvoice, async ({ tx, caller, params, audit }) => {
  const draft = await lockInvoice(tx, caller, params.id)
  assertDraft(draft)
  await removeDraft(tx, draft.id)
  audit(draft.id)
})

/** A rectifying invoice keeps the client and the currency of the rectified one. */
function assertOfRectified(before: Draft, after: Draft): void {
  if (after.client_id !== before.client_id) refuse('clientId', 'must be that of the rectified invoice')
  if (after.currency !== before.currency) refuse('currency', 'must be that of the rectified invoice')
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'fixed', message }] })
}
