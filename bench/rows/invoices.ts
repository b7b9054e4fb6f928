import { newId } from '#platform/ids.ts'
import { plantUser } from '#tests/support/billing/invoices.ts'
import { onPool } from '#tests/support/rows.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { makeApplication, makeOrganization, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { percentile, short, spread } from '../statistics.ts'
import { compare } from './requests.ts'

const invoices = '/api/billing/invoices'
const printedLines = 30

/**
 * Partial payments that people record per second, over those of the bare program with the same statements.
 */
export async function markPaid(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens, ids } = await issued(environment, 2_000)
  const body = JSON.stringify({ method: 'TRANSFER', amount: 0.01, reference: 'BX-7' })
  const path = `${invoices}/{id}/mark-paid`
  return [
    await compare(environment, 'mark-paid', {
      name: 'mark-paid',
      method: 'POST',
      path,
      status: 200,
      tokens,
      ids,
      body,
    }),
  ]
}

/** The time of an invoice with 30 lines as PDF, with its tax QR code, one after the other. */
export async function invoicePdf(environment: BenchEnvironment): Promise<Figure[]> {
  const perRound = Math.ceil(environment.size.pairs / 8)
  const { tokens, ids } = await issued(environment, perRound)
  const rounds: number[] = []
  for (let round = 0; round <= environment.size.rounds; round++) {
    const times: number[] = []
    for (const id of ids) {
      const startedAt = performance.now()
      const answer = await fetch(`http://127.0.0.1:${environment.api.port}${invoices}/${id}/pdf`, {
        headers: { Authorization: `Bearer ${tokens[0]}` },
      })
      const bytes = await answer.arrayBuffer()
      times.push(performance.now() - startedAt)
      if (answer.status !== 200 || bytes.byteLength < 5_000) throw new Error(`No PDF: ${answer.status}`)
    }
    // the first one warms up
    if (round > 0) rounds.push(percentile(times, 0.95))
  }
  return [
    {
      name: 'invoice-pdf',
      value: spread(rounds.map(ms => ms / bounds.invoicePdfMs)),
      raw: [`p95 ${short(spread(rounds).median)} ms, ${printedLines} lines`],
    },
  ]
}

const party = (name: string) => ({
  name,
  taxId: 'B12345674',
  address: 'Calle Mayor 1',
  city: 'Bilbao',
  postalCode: '48001',
  country: 'ES',
  email: null,
})
const lines = Array.from({ length: printedLines }, (_, at) => ({
  description: `Diseño de la página ${at}`,
  quantity: '2.5',
  unitPriceCents: 400_000_000,
  discountPercent: null,
  taxes: [{ name: 'IVA', rate: '21' }],
  subtotalCents: 1_000_000_000,
}))

/** Invoices of an external user that nobody pays during the run. */
async function issued(
  environment: BenchEnvironment,
  count: number,
): Promise<{ tokens: string[]; ids: string[] }> {
  const organization = await makeOrganization(environment.sql, 'invoices', 16)
  const application = await makeApplication(environment.sql, organization, [])
  const ids = Array.from({ length: count }, newId)
  const { clientId } = await plantUser(onPool(environment.sql), application, { userId: 'user' })
  const sql = (text: string, ...values: unknown[]) =>
    environment.sql.query(text, [organization.id, ...values])
  await sql(`update membership set role = 'ADMIN' where organization_id = $1 and role = 'MEMBER'`)
  await sql(
    `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, series, number,
       issue_date, due_date, currency, lines, taxes, subtotal_cents, tax_cents, total_cents, issuer, recipient, issued_at)
     select $1, id, $3, 'user', $4, 'ISSUED', 'B2026', 'B2026-' || n, '2026-11-02', '2999-12-02', 'eur', $5, $6,
       30000000000, 6300000000, 36300000000, $7, $8, now()
     from unnest($2::text[]) with ordinality g (id, n)`,
    ids,
    application.id,
    clientId,
    JSON.stringify(lines),
    JSON.stringify([{ name: 'IVA', rate: '21', baseCents: 30_000_000_000, amountCents: 6_300_000_000 }]),
    JSON.stringify(party('Talleres Patio SL')),
    JSON.stringify(party('Ánimas & Sons')),
  )
  await environment.sql.query('vacuum analyze invoice, membership')
  return { tokens: await tokensOf(organization), ids }
}
