import type { FastifyReply } from 'fastify'
import { readBudgetPdf } from '#contract/crm/budgets.ts'
import type { Files } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import { stream } from '#platform/http/operation.ts'
import { clientFor } from '../clients/client.access.ts'
import { issuerOf } from '../issuer/issuer.sql.ts'
import { letterheadOf } from '../letterhead/letterhead.sql.ts'
import { readLogo } from '../letterhead/logo.ts'
import { budgetFor } from './budget.access.ts'
import type { BudgetRow } from './budget.row.ts'
import { budgetPdf } from './document.ts'

/** Renders the current state of a budget as PDF. */
export async function renderBudgetPdf(files: Files, db: Db, budget: BudgetRow): Promise<Buffer> {
  const [issuer, client, letterhead] = await Promise.all([
    issuerOf(db),
    clientFor(db, budget.client_id),
    letterheadOf(db),
  ])
  const logo = letterhead.logo ? await readLogo(files, letterhead.logo) : undefined
  return budgetPdf(budget, issuer, client, letterhead, logo)
}

/** A safe file name: a code from another system may contain any character. */
export function pdfFileName({ code }: Pick<BudgetRow, 'code'>): string {
  return `${code.replaceAll(/[^\w.-]+/g, '-')}.pdf`
}

export const pdf = stream(readBudgetPdf, async ({ db, params, services, reply }) =>
  sendBudgetPdf(reply, services.files, db, await budgetFor(db, params.id)),
)

export async function sendBudgetPdf(
  reply: FastifyReply,
  files: Files,
  db: Db,
  budget: BudgetRow,
): Promise<FastifyReply> {
  const bytes = await renderBudgetPdf(files, db, budget)
  return reply
    .type('application/pdf')
    .headers({
      'Content-Disposition': `inline; filename="${pdfFileName(budget)}"`,
      'Cache-Control': 'private, no-store',
    })
    .send(bytes)
}
