import type { FastifyReply } from 'fastify'
import { readBudgetPdf } from '#contract/crm/budgets.ts'
import type { Db } from '#platform/data/database.ts'
import { stream } from '#platform/http/operation.ts'
import { clientFor } from '../clients/client.access.ts'
import { issuerOf } from '../issuer/issuer.sql.ts'
import { budgetFor } from './budget.access.ts'
import type { BudgetRow } from './budget.row.ts'
import { budgetPdf } from './document.ts'

/** Renders the current state of a budget as PDF. */
export async function renderBudgetPdf(db: Db, budget: BudgetRow): Promise<Buffer> {
  const [issuer, client] = await Promise.all([issuerOf(db), clientFor(db, budget.client_id)])
  return budgetPdf(budget, issuer, client)
}

/** A safe file name: a code from another system may contain any character. */
export function pdfFileName({ code }: Pick<BudgetRow, 'code'>): string {
  return `${code.replaceAll(/[^\w.-]+/g, '-')}.pdf`
}

export const pdf = stream(readBudgetPdf, async ({ db, params, reply }) =>
  sendBudgetPdf(reply, db, await budgetFor(db, params.id)),
)

export async function sendBudgetPdf(reply: FastifyReply, db: Db, budget: BudgetRow): Promise<FastifyReply> {
  const bytes = await renderBudgetPdf(db, budget)
  return reply
    .type('application/pdf')
    .headers({
      'Content-Disposition': `inline; filename="${pdfFileName(budget)}"`,
      'Cache-Control': 'private, no-store',
    })
    .send(bytes)
}
