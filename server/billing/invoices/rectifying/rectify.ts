import { rectifyInvoice } from '#contract/billing/invoices.ts'
import { fail } from '#platform/fail.ts'
import { changes } from '#platform/serve.ts'
import { lockInvoice } from '../access.ts'
import { wholeInvoiceOf } from '../beside.ts'
import { changedFields } from '../drafts/rules.ts'
import { assertIssued } from '../rules.ts'
import { draftRectifying } from './draft.ts'

export const rectify = changes(rectifyInvoice, async ({ tx, caller, params, body, audits }) => {
  const rectified = await lockInvoice(tx, caller, params.id)
  assertIssued(rectified)
  // what rectifies is voided, not rectified
  if (rectified.is_rectifying) fail('INVOICE_STATE_INVALID')
  const taken = body.lines ? { lines: body.lines } : ('all' as const)
  const draft = await draftRectifying(tx, rectified, {
    ...{ reason: body.reason, taken, createdBy: caller.personId },
  })
  audits(draft.id, changedFields(null, draft))
  return wholeInvoiceOf(tx, caller, draft)
})
