import { declineInPortal } from '#contract/crm/portal.ts'
import { fail } from '#platform/fail.ts'
import { languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { workflow } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { declinedPage } from '../signing/page/signing-page.html.ts'
import { declineBudget } from '../signing/settle-budget.ts'
import { lockBudgetSentTo } from './portal.sql.ts'
import { customerFor } from './session.ts'

/** Declines the budget; nobody else can sign it. */
export const decline = workflow(
  declineInPortal,
  async ({ params, body, headers, origin, services, transact }) => {
    const { db, client_id, contact_id, sender } = await customerFor(services, headers)
    const budget = await transact(
      async tx => {
        const budget = (await lockBudgetSentTo(tx, client_id, params.id)) ?? fail('BUDGET_NOT_FOUND')
        if (budget.status !== 'SENT') fail('BUDGET_SETTLED')
        return declineBudget(tx, budget.id, {
          by: { contactId: contact_id },
          reason: body.reason,
          origin,
          headers,
        })
      },
      { subject: params.id, changed: ['status', 'declineReason'], detail: { contactId: contact_id } },
      db.organizationId,
    )
    return wantsHtml(headers)
      ? declinedPage(languageOf(headers), { code: budget.code, sender })
      : { declinedAt: required(budget.declined_at, 'the time of a refusal') }
  },
)
