import { createInvoice, issueInvoice } from '#contract/billing/invoices.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Client } from '#sdk/client.ts'
import type { InvoiceRow } from '#server/billing/invoices/invoice.row.ts'
import { makeClient } from '../crm/leads-and-clients.ts'
import type { TestApplication } from '../integrations/applications.ts'
import type { TestServer } from '../test-server.ts'

type InvoiceOptions = {
  userId?: string
  totalCents?: number
  currency?: string
  lifecycle?: InvoiceRow['lifecycle']
  email?: string | null
  clientId?: string
}
export type PlantedInvoice = { id: string; userId: string; clientId: string; number: string | null }

let count = 0
let moment = 0
/** The current time, at least a millisecond after the previous call, so that inserted rows have an order. */
function nextMoment(): string {
  moment = Math.max(moment + 1, Date.now())
  return new Date(moment).toISOString()
}

/** Inserts an invoice for a new user of the application, without calling the API. Omitted values are made up. */
export async function plantInvoice(
  server: Pick<TestServer, 'sql'>,
  application: Pick<TestApplication, 'id' | 'organizationId'>,
  given: InvoiceOptions = {},
): Promise<PlantedInvoice> {
  const { organizationId } = application
  const { totalCents = 12_100, currency = 'eur', lifecycle = 'ISSUED' } = given
  const n = ++count
  const userId = given.userId ?? `user-${n}`
  const id = newId()
  let clientId = given.clientId
  if (clientId === undefined) {
    clientId = newId()
    await server.sql(
      `insert into crm_client (organization_id, id, name, name_folded, search) values ($1, $2, $3, $4, $5)`,
      [organizationId, clientId, `Client ${n}`, `client ${n}`, ` client ${n}`],
    )
  }
  await server.sql(
    `insert into external_user (organization_id, application_id, external_id, client_id, name, email)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [organizationId, application.id, userId, clientId, `User ${n}`, given.email ?? `${userId}@example.test`],
  )
  const number = lifecycle === 'DRAFT' ? null : `T2026-${String(n).padStart(6, '0')}`
  const party = {
    name: 'Client',
    taxId: 'B12345678',
    address: 'Road 1',
    city: 'Cádiz',
    postalCode: '11001',
    country: 'ES',
    email: null,
  }
  const tax = totalCents - Math.round(totalCents / 1.21)
  await server.sql(
    `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, series, number,
       issue_date, due_date, currency, lines, taxes, subtotal_cents, tax_cents, total_cents, issuer, recipient, issued_at,
       voided_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      organizationId,
      id,
      application.id,
      userId,
      clientId,
      lifecycle,
      number && 'T2026',
      number,
      number && '2026-11-02',
      number && '2999-12-02',
      currency,
      JSON.stringify([
        {
          description: 'Work',
          quantity: '1',
          unitPriceCents: totalCents - tax,
          discountPercent: null,
          taxes: [{ name: 'IVA', rate: '21' }],
          subtotalCents: totalCents - tax,
        },
      ]),
      JSON.stringify([{ name: 'IVA', rate: '21', baseCents: totalCents - tax, amountCents: tax }]),
      totalCents - tax,
      tax,
      totalCents,
      number && JSON.stringify(party),
      number && JSON.stringify(party),
      number && new Date().toISOString(),
      lifecycle === 'VOIDED' ? new Date().toISOString() : null,
      nextMoment(),
    ],
  )
  return { id, userId, clientId, number }
}

/** Inserts the issuer of the organization. */
export async function plantIssuer(server: TestServer, organizationId: string, country = 'ES'): Promise<void> {
  await server.sql(
    `insert into crm_issuer (organization_id, legal_name, tax_id, address, city, postal_code, country, email, currency)
     values ($1, 'Talleres Patio SL', 'B76543214', 'Calle Sol 3', 'Cádiz', '11003', $2, 'hola@patio.example', 'eur')
     on conflict do nothing`,
    [organizationId, country],
  )
}

/** The data of a client that an invoice requires. */
export const whereabouts = {
  taxId: 'B12345674',
  address: 'Calle Mayor 1',
  city: 'Bilbao',
  postalCode: '48001',
  country: 'ES',
}

/** A line of 100.00 plus 21 % tax. */
export const line = {
  description: 'Work',
  unitPriceCents: 10_000,
  taxes: [{ name: 'IVA', rate: '21' }],
}

/**
 * Creates an invoice for a new client through the API, and issues it unless `draft` is set. Omitted values are made
 * up.
 */
export async function makeInvoice(
  by: Client,
  given: Partial<Input<typeof createInvoice>['body']> & { draft?: boolean } = {},
): Promise<Reply<typeof createInvoice>> {
  const { draft = false, clientId, ...body } = given
  const client = clientId ?? (await makeClient(by, whereabouts)).id
  const made = await by.call(createInvoice, { body: { clientId: client, lines: [line], ...body } })
  return draft ? made : by.call(issueInvoice, { params: { id: made.id }, body: {} })
}
