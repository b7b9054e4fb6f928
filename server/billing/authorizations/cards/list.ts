import { listPaymentMethods, type PaymentMethod } from '#contract/billing/authorizations.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { numberedPageOf, paginated } from '#platform/http/pagination.ts'
import { applicationOf } from '../authorization.rules.ts'
import { type CardRow, listCards } from './saved-card.sql.ts'

export const list = query(listPaymentMethods, async ({ db, caller, query }) => {
  const page = numberedPageOf(query)
  const user = { applicationId: applicationOf(caller, query.applicationId), userId: query.userId }
  const { rows, total } = await listCards(db, user, page)
  return paginated(rows.map(showCard), { ...page, total, pages: limits.invoicePages })
})

function showCard(card: CardRow): PaymentMethod {
  return {
    id: card.id,
    brand: card.brand,
    last4: card.last4,
    expiresMonth: card.expires_month,
    expiresYear: card.expires_year,
    status: card.status,
    createdAt: card.created_at,
  }
}
