import type { Static } from 'typebox'
import { BudgetSummary } from '../crm/budgets.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toEdit, toView } from './auth.ts'
import { Invoice } from './invoice.ts'

const { id, code, title, clientId, currency, totalCents } = BudgetSummary.properties
/** A signed budget without an invoice. */
export const UninvoicedBudget = Type.Object({
  id,
  code,
  title,
  clientId,
  clientName: Type.String(),
  currency,
  totalCents,
  signedAt: Time,
})
export type UninvoicedBudget = Static<typeof UninvoicedBudget>

export const listUninvoicedBudgets = operation('GET /budgets/uninvoiced', {
  ...toView,
  alsoModule: 'crm',
  summary: 'List signed budgets without an invoice, the last signed first',
  description:
    `Among the ${limits.signedBudgetsExamined} budgets that were signed last. A voided invoice does not count. ` +
    'Also needs the permission CRM_VIEW.',
  query: pageQuery,
  reply: Page(UninvoicedBudget),
})

export const createInvoiceOfBudget = operation('POST /budgets/:budgetId/invoice', {
  announces: { event: 'invoice.changed', change: 'created' },
  ...toEdit,
  alsoModule: 'crm',
  summary: 'Create a draft invoice from a signed budget',
  description:
    'The draft has the client, the currency, the counted items, discounts and taxes of the budget, and its total. ' +
    'A budget has one invoice that was not voided; see `invoiceId`. Also needs the permission CRM_VIEW.',
  params: { budgetId: Id },
  reply: Invoice,
  status: 201,
  errors: ['BUDGET_NOT_FOUND', 'BUDGET_NOT_SIGNED', 'BUDGET_INVOICED', 'BUDGET_TOO_LONG', 'CLIENT_ARCHIVED'],
  isIdempotent: true,
})

const budgetOfInvoice = {
  announces: { event: 'invoice.changed' },
  ...toEdit,
  alsoModule: 'crm',
  params: { id: Id },
  reply: Invoice,
} as const
const refusedToLink = ['INVOICE_NOT_ACCESSIBLE', 'INVOICE_STATE_INVALID'] as const

export const linkInvoiceToBudget = operation('PUT /invoices/:id/budget', {
  ...budgetOfInvoice,
  summary: 'Link an invoice to the signed budget that it bills',
  description:
    'Replaces an earlier link of the invoice. The budget must have the same client. Also needs the permission CRM_VIEW.',
  body: { budgetId: Id },
  errors: [...refusedToLink, 'BUDGET_NOT_FOUND', 'BUDGET_NOT_SIGNED', 'BUDGET_INVOICED'],
})

export const unlinkInvoiceFromBudget = operation('DELETE /invoices/:id/budget', {
  ...budgetOfInvoice,
  summary: 'Remove the link between an invoice and its budget',
  description: 'An invoice without a link is returned unchanged. Also needs the permission CRM_VIEW.',
  errors: refusedToLink,
})
