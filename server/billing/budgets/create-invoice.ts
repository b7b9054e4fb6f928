import { createInvoiceOfBudget } from '#contract/billing/budgets.ts'
import { limits } from '#contract/limits.ts'
import { currencyInUse } from '#platform/currency.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockActiveClient } from '#server/crm/index.ts'
import { blankDraft, changedDraftFields, withDraftFields } from '../invoices/drafts/draft.rules.ts'
import { insertDraft } from '../invoices/invoice.sql.ts'
import { showWholeInvoice } from '../invoices/show-invoice.ts'
import { assertMayReadBudgets, linesOfBudget, notesOfBudget } from './invoice-of-budget.rules.ts'
import { lockBudgetToInvoice } from './uninvoiced-budget.access.ts'

/** Creates the one draft of a signed budget (INV-39 to INV-41). */
export const createInvoice = command(createInvoiceOfBudget, async ({ tx, caller, params, audit }) => {
  assertMayReadBudgets(caller)
  const budget = await lockBudgetToInvoice(tx, params.budgetId)
  const lines = linesOfBudget(budget)
  if (lines.length > limits.invoiceLines) fail('BUDGET_TOO_LONG')
  const client = await lockActiveClient(tx, budget.client_id)
  const blank = blankDraft({
    id: newId(),
    client_id: client.id,
    currency: currencyInUse(budget.currency),
    created_by: caller.personId,
    budget_id: budget.id,
  })
  const draft = await insertDraft(tx, withDraftFields(blank, { lines, notes: notesOfBudget(budget) }))
  audit(draft.id, ['budgetId', ...changedDraftFields(null, draft)])
  return showWholeInvoice(tx, caller, draft)
})
