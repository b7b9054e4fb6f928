import { makeApplication } from '../integrations/applications.ts'
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
  await server.sql(
    `insert into budget (organization_id, id, code, title, status, client_id, issue_date, currency, content, subtotal_cents,
       discount_cents, tax_cents, total_cents, signed_at)
     select $1, 'b' || n, 'B' || n, 'x', 'SIGNED', $2, current_date, 'eur', '{}', 1, 0, 0, 1, now() - n * interval '1 minute'
     from generate_series(1, $3::int) n`,
    [organizationId, few.clientId, count],
  )
  await server.sql(
    `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, number, currency,
       lines, taxes, subtotal_cents, tax_cents, total_cents, paid_cents, issue_date, due_date, created_at, budget_id)
     select $1, 'i' || lpad(n::text, 6, '0'), $2, case when n % 500 = 0 then $3 else $5 end,
       case when n % 500 = 0 then $4 else $6 end, 'ISSUED', 'X' || lpad(n::text, 6, '0'), 'eur', '[]', '[]', n, 0, n,
       case when n % 3 > 0 then n else 0 end, date '2026-01-01' + n % 300, date '2026-02-01' + n % 300,
       now() - n * interval '1 minute', 'b' || n
     from generate_series(1, $7::int) n`,
    [organizationId, shop.id, few.userId, few.clientId, common.userId, common.clientId, count],
  )
  await server.sql(
    `insert into payment (organization_id, id, invoice_id, method, amount_cents, currency, paid_at, reference)
     select $1, 'p' || n, 'i' || lpad(n::text, 6, '0'), case when n % 500 = 0 then 'CASH' else 'TRANSFER' end, n,
       case when n % 500 = 0 then 'usd' else 'eur' end, now() - n * interval '1 minute', 'Transfer ' || n
     from generate_series(1, $2::int) n`,
    [organizationId, count],
  )
  await server.sql(
    `insert into charge_attempt (organization_id, id, invoice_id, kind, state, amount_cents, currency, gateway_account_id,
       payment_intent_id, created_at, ended_at)
     select $1, 'a' || n, 'i' || lpad(n::text, 6, '0'), 'OFF_SESSION', case when n % 500 = 0 then 'SUCCEEDED' else 'FAILED' end,
       n, 'eur', $3, 'pi_' || n, now() - n * interval '1 minute', now()
     from generate_series(1, $2::int) n`,
    [organizationId, count, accountId],
  )
  await server.sql(
    `insert into refund (organization_id, id, invoice_id, source, status, amount_cents, currency, is_full, created_at)
     select $1, 'r' || n, 'i' || lpad(n::text, 6, '0'), 'PEOPLE', 'SUCCEEDED', n, 'eur', false, now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [organizationId, count],
  )
  // VACUUM marks no page as visible to all while the commit of its rows is not flushed, and tests commit asynchronously
  await server.sql('begin; set local synchronous_commit = on; analyze invoice; commit')
  await server.sql('vacuum analyze invoice, payment, charge_attempt, refund, budget, crm_client')
  return { organization, clientId: few.clientId }
}
