import { GatewayUnknown } from '#platform/adapters/gateway.ts'
import { newId } from '#platform/ids.ts'
import { gatewayOf, type PaymentContext } from '#server/billing/charges/payment-context.ts'
import { bookPayment } from '#server/billing/payments/payment.sql.ts'
import { only } from '../elements.ts'
import type { TestApplication } from '../integrations/applications.ts'
import type { TestServer } from '../test-server.ts'
import type { GatewayDouble } from './gateway/double.ts'
import { organizationOfInvoice } from './invoice-organization.ts'
import { type PlantedInvoice, plantInvoice } from './invoices.ts'

export type CollectedInvoice = PlantedInvoice & { intents: string[] }

/**
 * Repeats a call of the gateway whose answer did not come in time, as it may happen on a busy machine: a test's gateway waits
 * for a second. The key makes the repetition safe.
 */
async function untilAnswered<Answer>(call: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> {
  const key = newId()
  for (let attempt = 1; ; attempt++)
    try {
      return await call(key)
    } catch (error) {
      if (!(error instanceof GatewayUnknown) || attempt === 10) throw error
    }
}

/** An invoice of which the gateway double has collected these amounts, in this order, with cards of this number. */
export async function collectedInvoice(
  { sql, context, double }: { sql: TestServer['sql']; context: PaymentContext; double: GatewayDouble },
  app: Pick<TestApplication, 'id' | 'organizationId'>,
  accountId: string,
  given: { card?: string; amounts?: number[]; totalCents?: number } = {},
): Promise<CollectedInvoice> {
  const { card = '4242424242424242', amounts = [12_100] } = given
  const total = given.totalCents ?? amounts.reduce((sum, cents) => sum + cents, 0)
  const invoice = await plantInvoice({ sql }, app, { totalCents: total })
  const gateway = await gatewayOf(context, app.organizationId, accountId)
  const intents: string[] = []
  for (const amountCents of amounts) {
    const methodId = double.addMethod(card)
    const metadata = { organizationId: app.organizationId, invoiceId: invoice.id }
    const { id } = await untilAnswered(key =>
      gateway.createIntent({ amountCents, currency: 'eur', customerId: null, methodId, metadata }, key),
    )
    await untilAnswered(key => gateway.confirmIntent(id, { isOffSession: true }, key))
    await context.database.transact(app.organizationId, tx =>
      bookPayment(tx, {
        id: newId(),
        invoiceId: invoice.id,
        method: 'GATEWAY_CARD',
        amountCents,
        currency: 'eur',
        paidAt: null,
        reference: null,
        attempt: { id: newId(), accountId, intentId: id },
      }),
    )
    intents.push(id)
  }
  return { ...invoice, intents }
}

/** The amounts of an invoice in the database. */
export async function refundTotals(sql: TestServer['sql'], invoiceId: string) {
  const organizationId = await organizationOfInvoice(sql, invoiceId)
  return only(
    await sql<{ refunded: number; reserved: number; ledger: number; paid: number }>(
      `select i.refunded_cents::int as refunded, i.paid_cents::int as paid,
       (select coalesce(sum(p.refund_reserved_cents), 0)::int from payment p
        where p.organization_id = $1 and p.invoice_id = $2) as reserved,
       (select coalesce(sum(l.amount_cents), 0)::int from ledger_entry l
        where l.organization_id = $1 and l.invoice_id = $2) as ledger
     from invoice i where i.organization_id = $1 and i.id = $2`,
      [organizationId, invoiceId],
    ),
  )
}

/** The amount that the double refunded for these intents. */
export function refundedAtGateway(double: GatewayDouble, intents: string[]): number {
  return double
    .refunds()
    .filter(
      ({ payment_intent, status }) => intents.includes(String(payment_intent)) && status === 'succeeded',
    )
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** Makes every scheduled poll due now. */
export function makePollsDue(sql: TestServer['sql'], invoiceId: string): Promise<unknown> {
  return sql(
    `update refund_part p set next_poll_at = now() from refund r
     where r.organization_id = p.organization_id and r.id = p.refund_id and r.invoice_id = $1 and p.next_poll_at is not null`,
    [invoiceId],
  )
}
