import { listInvoices as contract } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { paginated } from '#platform/http/pagination.ts'
import { showSummary } from '../invoice.json.ts'
import { invoiceSearchOf } from './invoice-list.rules.ts'
import { listInvoices, listOverdue } from './invoice-list.sql.ts'

/** Lists invoices, the newest first (INV-30 to INV-32). */
export const list = query(contract, async ({ db, caller, query }) => {
  const { page = 1, limit = limits.pageLimitDefault, status = null, clientId = null, userId = null } = query
  const applicationId = caller.applicationId ?? query.applicationId ?? null
  if (userId !== null && applicationId === null)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'applicationId', code: 'required', message: 'is required with a user' }],
    })
  const criteria = { status, clientId, applicationId, userId, search: invoiceSearchOf(query.search) }
  const listed = query.overdue ? listOverdue : listInvoices
  const { rows, total } = await listed(db, criteria, [limit, (page - 1) * limit])
  return paginated(rows.map(showSummary), { page, limit, total, pages: limits.invoicePages })
})
