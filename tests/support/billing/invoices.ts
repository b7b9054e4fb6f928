import { createInvoice, issueInvoice } from '#contract/billing/invoices.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Client } from '#sdk/client.ts'
import type { InvoiceRow } from '#server/billing/invoices/invoice.row.ts'
import { makeClient } from '../crm/leads-and-clients.ts'
import type { TestApplication } from '../integrations/applications.ts'
import { insertRows, type SqlRunner } from '../rows.ts'
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
let userCount = 0
let moment = 0
/** The current time, at least a millisecond after the previous call, so that inserted rows have an order. */
function nextMoment(): string {
  moment = Math.max(moment + 1, Date.now())
  return new Date(moment).toISOString()
}

/** Inserts an invoice for a new user of the application, without calling the API. Omitted values are made up. */
export async function plantInvoice(
  server: SqlRunner,
  application: Pick<TestApplication, 'id' | 'organizationId'>,
  given: InvoiceOptions = {},
): Promise<PlantedInvoice> {
  const { organizationId } = application
  const { totalCents = 12_100, currency = 'eur', lifecycle = 'ISSUED' } = given
  const n = ++count
  const userId = given.userId ?? `user-${n}`
  const id = newId()
  const { clientId } = await plantUser(server, application, { userId, ...given })
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
  const subtotalCents = totalCents - tax
  const iva = { name: 'IVA', rate: '21' }
  const work = {
    description: 'Work',
    quantity: '1',
    unitPriceCents: subtotalCents,
    discountPercent: null,
    taxes: [iva],
    subtotalCents,
  }
  await insertRows(server, 'invoice', [
    {
      organization_id: organizationId,
      id,
      application_id: application.id,
      external_user_id: userId,
      client_id: clientId,
      lifecycle,
      series: number && 'T2026',
      number,
      issue_date: number && '2026-11-02',
      due_date: number && '2999-12-02',
      currency,
      lines: [work],
      taxes: [{ ...iva, baseCents: subtotalCents, amountCents: tax }],
      subtotal_cents: subtotalCents,
      tax_cents: tax,
      total_cents: totalCents,
      issuer: number && party,
      recipient: number && party,
      issued_at: number && new Date(),
      voided_at: lifecycle === 'VOIDED' ? new Date() : null,
      created_at: nextMoment(),
    },
  ])
  return { id, userId, clientId, number }
}

/** Inserts a user of an application and, unless `clientId` names one, the client that pays for them. */
export async function plantUser(
  server: SqlRunner,
  { id: applicationId, organizationId }: Pick<TestApplication, 'id' | 'organizationId'>,
  given: { userId: string; clientId?: string; email?: string | null },
): Promise<{ clientId: string }> {
  const { userId, clientId = newId(), email } = given
  const n = ++userCount
  if (given.clientId === undefined) {
    const client = {
      organization_id: organizationId,
      id: clientId,
      name: `Client ${n}`,
      name_folded: `client ${n}`,
      search: ` client ${n}`,
    }
    await insertRows(server, 'crm_client', [client])
  }
  const user = {
    organization_id: organizationId,
    application_id: applicationId,
    external_id: userId,
    client_id: clientId,
    name: `User ${n}`,
    email: email ?? `${userId}@example.test`,
  }
  await insertRows(server, 'external_user', [user], { orSkip: true })
  return { clientId }
}

/** Inserts the issuer of the organization. */
export async function plantIssuer(server: TestServer, organizationId: string, country = 'ES'): Promise<void> {
  const issuer = {
    organization_id: organizationId,
    legal_name: 'Talleres Patio SL',
    tax_id: 'B76543214',
    address: 'Calle Sol 3',
    city: 'Cádiz',
    postal_code: '11003',
    country,
    email: 'hola@patio.example',
    currency: 'eur',
  }
  await insertRows(server, 'crm_issuer', [issuer], { orSkip: true })
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
