import { linkInvoiceToBudget, unlinkInvoiceFromBudget } from '#contract/billing/budgets.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { setBudgetOfInvoice } from '../invoices/invoice.sql.ts'
import { showWholeInvoice } from '../invoices/show-invoice.ts'
import { assertMayReadBudgets } from './invoice-of-budget.rules.ts'
import { lockBudgetToInvoice } from './uninvoiced-budget.access.ts'

/** Links an invoice to the signed budget that it bills (INV-45). */
export const linkInvoice = command(linkInvoiceToBudget, async ({ tx, caller, params, body, audit }) => {
  assertMayReadBudgets(caller)
  const invoice = await lockInvoiceToLink(tx, caller, params.id)
  if (invoice.budget_id === body.budgetId) {
    audit(invoice.id)
    return showWholeInvoice(tx, caller, invoice)
  }
  const budget = await lockBudgetToInvoice(tx, body.budgetId)
  if (budget.client_id !== invoice.client_id)
    fail('VALIDATION_ERROR', {
      details: [
        { path: 'budgetId', code: 'fixed', message: 'must be a budget of the client of the invoice' },
      ],
    })
  audit(invoice.id, ['budgetId'])
  return showWholeInvoice(tx, caller, await setBudgetOfInvoice(tx, invoice.id, budget.id))
})

/** Removes the link between an invoice and its budget (INV-46). */
export const unlinkInvoice = command(unlinkInvoiceFromBudget, async ({ tx, caller, params, audit }) => {
  assertMayReadBudgets(caller)
  const invoice = await lockInvoiceToLink(tx, caller, params.id)
  const isLinked = invoice.budget_id !== null
  audit(invoice.id, isLinked ? ['budgetId'] : [])
  return showWholeInvoice(tx, caller, isLinked ? await setBudgetOfInvoice(tx, invoice.id, null) : invoice)
})

/** Refuses INVOICE_STATE_INVALID: a voided invoice does not change, and a rectifying one bills no budget (INV-42). */
async function lockInvoiceToLink(tx: Tx, caller: Caller, id: string): Promise<InvoiceRow> {
  const invoice = await lockInvoice(tx, caller, id)
  if (invoice.lifecycle === 'VOIDED' || invoice.is_rectifying) fail('INVOICE_STATE_INVALID')
  return invoice
}
