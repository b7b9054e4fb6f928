import { readBudgetPdf } from '#contract/crm/budgets.ts'
import { streams } from '#platform/serve.ts'
import { clientFor } from '../clients/access.ts'
import { issuerOf } from '../issuer/store.ts'
import { budgetFor } from './access.ts'
import { budgetPdf } from './document.ts'

export const pdf = streams(readBudgetPdf, async ({ db, params, reply }) => {
  const budget = await budgetFor(db, params.id)
  const [issuer, client] = await Promise.all([issuerOf(db), clientFor(db, budget.client_id)])
  const bytes = await budgetPdf(budget, issuer, client)
  return reply
    .type('application/pdf')
    .headers({
      'Content-Disposition': `inline; filename="${budget.code}.pdf"`,
      'Cache-Control': 'private, no-store',
    })
    .send(bytes)
})
