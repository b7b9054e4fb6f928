import Type, { type Static } from 'typebox'
import { BudgetSummary } from '../crm/budgets.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Page, pageQuery, Time } from '../shapes.ts'
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
    'The draft has the client, the currency, the lines, discounts and taxes of the budget, and its total. ' +
    'Optional items count when they are selected. Also needs the permission CRM_VIEW. A second call is refused ' +
    'with BUDGET_INVOICED and `invoiceId`, unless that invoice was voided or its draft deleted.',
  params: { budgetId: Id },
  reply: Invoice,
  status: 201,
  errors: ['BUDGET_NOT_FOUND', 'BUDGET_NOT_SIGNED', 'BUDGET_INVOICED', 'BUDGET_TOO_LONG', 'CLIENT_ARCHIVED'],
  isIdempotent: true,
})
