import { makeBudgetPdfAddress, openBudgetPdf } from '#contract/crm/budgets.ts'
import type { Operation } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { query, stream } from '#platform/http/operation.ts'
import { documentAddress, openerOf } from '#server/identity/index.ts'
import { budgetFor } from './budget.access.ts'
import { sendBudgetPdf } from './pdf.ts'

const kind = 'budget'

export const makePdfAddress = query(makeBudgetPdfAddress, async ({ db, caller, params, services }) => {
  const { id, updated_at: version } = await budgetFor(db, params.id)
  return documentAddress(services, caller, { kind, id, version }, openBudgetPdf)
})

/** Opens the PDF for the person who made the address (ADDR-2, ADDR-3). */
export const openPdf = stream(openBudgetPdf, async ({ params, query, services, reply }) => {
  const document = { kind, id: params.id }
  const { organizationId } = await openerOf(services, document, query, makeBudgetPdfAddress as Operation)
  const db = services.database.of(organizationId)
  const budget = await budgetFor(db, params.id)
  if (budget.updated_at !== query.version) fail('DOCUMENT_ADDRESS_INVALID')
  return sendBudgetPdf(reply, services.files, db, budget)
})
