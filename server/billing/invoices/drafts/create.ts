import { createInvoice } from '#contract/billing/invoices.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockReferences } from '#server/crm/index.ts'
import { wholeInvoiceOf } from '../beside.ts'
import { insertDraft } from '../invoice.sql.ts'
import { currencyOf } from './currency.ts'
import { blankDraft, changedFields, withFields } from './draft.rules.ts'

export const create = command(createInvoice, async ({ tx, caller, body, audit }) => {
  const { clientId, ...given } = body
  const blank = blankDraft({ id: newId(), client_id: clientId, currency: '', created_by: caller.personId })
  // what is wrong by itself is told before anybody is looked for
  const wanted = withFields(blank, given)
  const [, currency] = await Promise.all([lockReferences(tx, { clientId }), given.currency ?? currencyOf(tx)])
  const draft = await insertDraft(tx, { ...wanted, currency })
  audit(draft.id, changedFields(null, draft))
  return wholeInvoiceOf(tx, caller, draft)
})
