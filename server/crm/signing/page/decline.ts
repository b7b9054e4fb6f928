import { declineByLink } from '#contract/crm/signing-page.ts'
import { languageOf, wantsPage } from '#platform/page.ts'
import { steps } from '#platform/serve.ts'
import { plainIp } from '../../signatures/mask.ts'
import { lockOpenLink, openLinkFor, organizationNamedBy } from '../access.ts'
import { userAgentOf } from '../agent.ts'
import { insertEvents } from '../events/store.ts'
import { settleBudget } from '../settle.ts'
import { setDeclined } from '../store.ts'
import { declinedPage } from './pages.ts'

/** The budget is declined then, and nobody else can sign it. */
export const decline = steps(
  declineByLink,
  async ({ params: { token }, body, headers, origin, world, transact }) => {
    const organizationId = organizationNamedBy(token)
    const seen = await openLinkFor(world.database.of(organizationId), token)
    const budget = await transact(
      async tx => {
        const { link, budget } = await lockOpenLink(tx, token)
        await Promise.all([
          setDeclined(tx, link.id),
          insertEvents(tx, {
            ...{ budgetId: budget.id, linkId: link.id, kind: 'DECLINED', actorId: null },
            ...{ ip: plainIp(origin.ip), userAgent: userAgentOf(headers) },
          }),
        ])
        const reason = body.reason.trim() || null
        return settleBudget(tx, budget.id, { status: 'DECLINED', actorId: null, reason })
      },
      { subject: seen.budget_id, changed: ['status', 'declineReason'], detail: { linkId: seen.id } },
      organizationId,
    )
    if (wantsPage(headers)) return declinedPage(languageOf(headers), budget.code)
    return { declinedAt: budget.declined_at! }
  },
)
