import { declineByLink } from '#contract/crm/signing-page.ts'
import { languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { workflow } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { declineBudget } from '../settle-budget.ts'
import { lockOpenLink, openLinkFor, organizationOfToken } from '../signing-link.access.ts'
import { setDeclined } from '../signing-link.sql.ts'
import { declinedPage } from './signing-page.html.ts'

/** Declines the budget; nobody else can sign it. */
export const decline = workflow(
  declineByLink,
  async ({ params: { token }, body, headers, origin, services, transact }) => {
    const organizationId = organizationOfToken(token)
    const db = services.database.of(organizationId)
    const link = await openLinkFor(db, token)
    const budget = await transact(
      async tx => {
        const { link, budget } = await lockOpenLink(tx, token)
        await setDeclined(tx, link.id)
        return declineBudget(tx, budget.id, { by: { linkId: link.id }, reason: body.reason, origin, headers })
      },
      { subject: link.budget_id, changed: ['status', 'declineReason'], detail: { linkId: link.id } },
      organizationId,
    )
    if (wantsHtml(headers))
      return declinedPage(languageOf(headers), { code: budget.code, sender: link.sender })
    return { declinedAt: required(budget.declined_at, 'the time of a refusal') }
  },
)
