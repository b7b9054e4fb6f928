import { issueInvoice } from '#contract/billing/invoices.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { lockInvoice } from '../invoice.access.ts'
import { showWholeInvoice } from '../show-invoice.ts'
import { withoutOpenPayment } from '../without-open-payment.ts'
import { issueDraft } from './issue-draft.ts'

export const issue = workflow(issueInvoice, input => {
  const { caller, params, body } = input
  return withoutOpenPayment(
    issueInvoice,
    input,
    { subject: params.id, changed: ['number'] },
    async (tx, once) => {
      const draft = await lockInvoice(tx, caller, params.id, body.userId)
      return once(async () => {
        // INV-26: applications do not issue rectifying invoices
        if (caller.applicationId !== null && draft.is_rectifying) fail('INVOICE_STATE_INVALID')
        return showWholeInvoice(tx, caller, await issueDraft(tx, caller, draft, body.issueDate))
      })
    },
  )
})
