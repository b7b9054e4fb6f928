import { listPaymentMethods, type PaymentMethod } from '#contract/billing/authorizations.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { paginated } from '#platform/http/pagination.ts'
import { applicationOf } from '../authorization.rules.ts'
import { type CardRow, listCards } from './saved-card.sql.ts'

export const list = query(listPaymentMethods, async ({ db, caller, query }) => {
  const { page = 1, limit = limits.pageLimitDefault, userId } = query
  const user = { applicationId: applicationOf(caller, query.applicationId), userId }
  const { rows, total } = await listCards(db, user, { limit, offset: (page - 1) * limit })
  return paginated(rows.map(showCard), { page, limit, total, pages: limits.invoicePages })
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
