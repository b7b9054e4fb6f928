import { createInvoice } from '#contract/billing/invoices.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockReferences } from '#server/crm/index.ts'
import { insertDraft } from '../invoice.sql.ts'
import { showWholeInvoice } from '../show-invoice.ts'
import { defaultCurrency } from './default-currency.ts'
import { blankDraft, changedDraftFields, withDraftFields } from './draft.rules.ts'

export const create = command(createInvoice, async ({ tx, caller, body, audit }) => {
  const { clientId, ...input } = body
  const blank = blankDraft({ id: newId(), client_id: clientId, currency: '', created_by: caller.personId })
  // validate the request before anything is read
  const wanted = withDraftFields(blank, input)
  const [, currency] = await tx.inOrder(
    () => lockReferences(tx, { clientId }),
    () => input.currency ?? defaultCurrency(tx),
  )
  const draft = await insertDraft(tx, { ...wanted, currency })
  audit(draft.id, changedDraftFields(null, draft))
  return showWholeInvoice(tx, caller, draft)
})
