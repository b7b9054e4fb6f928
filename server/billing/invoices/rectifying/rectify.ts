import { rectifyInvoice } from '#contract/billing/invoices.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { changedDraftFields } from '../drafts/draft.rules.ts'
import { lockInvoice } from '../invoice.access.ts'
import { assertIssued } from '../invoice.rules.ts'
import { showWholeInvoice } from '../show-invoice.ts'
import { draftRectifying } from './draft-rectifying.ts'

export const rectify = command(rectifyInvoice, async ({ tx, caller, params, body, audit }) => {
  const rectified = await lockInvoice(tx, caller, params.id)
  assertIssued(rectified)
  // a rectifying invoice is voided instead
  if (rectified.is_rectifying) fail('INVOICE_STATE_INVALID')
  const taken = body.lines ? { lines: body.lines } : ('all' as const)
  const draft = await draftRectifying(tx, rectified, {
    reason: body.reason,
    taken,
    createdBy: caller.personId,
  })
  audit(draft.id, changedDraftFields(null, draft))
  return showWholeInvoice(tx, caller, draft)
})
