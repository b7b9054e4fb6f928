import { makeApplication } from '../integrations/applications.ts'
import { dayAfter, insertMany, secondsAgo } from '../rows.ts'
import type { Organization, TestServer } from '../test-server.ts'
import { currentAccount } from './charges.ts'
import { plantInvoice } from './invoices.ts'

/**
 * An organization with `count` invoices, each with a payment, a charge, a refund and the signed budget that it bills. The client
 * has every 500th invoice; as rare are payments in cash and in dollars, and charges that succeeded.
 */
export async function plantManyInvoices(
  server: TestServer,
  count: number,
): Promise<{ organization: Organization; clientId: string }> {
  const organization = await server.organization()
  const { id: organizationId } = organization
  const shop = await makeApplication(server, organization)
  const accountId = await currentAccount(server, organizationId)
  const few = await plantInvoice(server, shop)
  const common = await plantInvoice(server, shop)
  await insertMany(server, 'budget', count, n => ({
    organization_id: organizationId,
    id: `b${n}`,
    code: `B${n}`,
    status: 'SIGNED',
    client_id: few.clientId,
    subtotal_cents: 1,
    total_cents: 1,
    signed_at: secondsAgo(n * 60),
  }))
  await insertMany(server, 'invoice', count, n => {
    const { userId, clientId } = n % 500 === 0 ? few : common
    return {
      organization_id: organizationId,
      id: invoiceId(n),
      application_id: shop.id,
      external_user_id: userId,
      client_id: clientId,
      number: `X${padded(n)}`,
      subtotal_cents: n,
      total_cents: n,
      paid_cents: n % 3 > 0 ? n : 0,
      issue_date: dayAfter('2026-01-01', n % 300),
      due_date: dayAfter('2026-02-01', n % 300),
      created_at: secondsAgo(n * 60),
      budget_id: `b${n}`,
    }
  })
  await insertMany(server, 'payment', count, n => ({
    organization_id: organizationId,
    id: `p${n}`,
    invoice_id: invoiceId(n),
    method: n % 500 === 0 ? 'CASH' : 'TRANSFER',
    amount_cents: n,
    currency: n % 500 === 0 ? 'usd' : 'eur',
    paid_at: secondsAgo(n * 60),
    reference: `Transfer ${n}`,
  }))
  await insertMany(server, 'charge_attempt', count, n => ({
    organization_id: organizationId,
    id: `a${n}`,
    invoice_id: invoiceId(n),
    state: n % 500 === 0 ? 'SUCCEEDED' : 'FAILED',
    amount_cents: n,
    gateway_account_id: accountId,
    payment_intent_id: `pi_${n}`,
    created_at: secondsAgo(n * 60),
    ended_at: new Date(),
  }))
  await insertMany(server, 'refund', count, n => ({
    organization_id: organizationId,
    id: `r${n}`,
    invoice_id: invoiceId(n),
    amount_cents: n,
    created_at: secondsAgo(n * 60),
  }))
  // VACUUM marks no page as visible to all while the commit of its rows is not flushed, and tests commit asynchronously
  await server.sql('begin; set local synchronous_commit = on; analyze invoice; commit')
  await server.sql('vacuum analyze invoice, payment, charge_attempt, refund, budget, crm_client')
  return { organization, clientId: few.clientId }
}

function invoiceId(n: number): string {
  return `i${padded(n)}`
}

function padded(n: number): string {
  return String(n).padStart(6, '0')
}
