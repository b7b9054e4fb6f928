import { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import { issueInvoice, rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { type InvoiceStatus, invoiceStatuses } from '#contract/billing/shapes.ts'
import { newId } from '#platform/ids.ts'
import type { AttemptState } from '#server/billing/charges/charge.row.ts'
import { replaceLink } from '#server/billing/links/payment-link.sql.ts'
import { newLinkToken } from '#server/billing/links/payment-link.token.ts'
import { makeClient } from '../crm/leads-and-clients.ts'
import { defined } from '../elements.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import type { Organization, Person, TestServer } from '../test-server.ts'
import { cards, plantAccount, sandboxPayer } from './charges.ts'
import { plantInvoice, plantIssuer, whereabouts } from './invoices.ts'

// INV-1: every state of an invoice, including those of its payments, charges and refunds

/** An organization that is ready to collect, and the application that its invoices belong to. */
export type InvoiceScenario = {
  server: TestServer
  organization: Organization
  owner: Person
  shop: TestApplication
  clientId: string
}
/** An invoice of 121.00 whose user has a saved card, and the token of its link. */
export type ScenarioInvoice = { id: string; userId: string; token: string }

/** Users of the application, by the behaviour of their card. */
const payers = { good: cards.good, asks: cards.asks, slow: '4000000000007726' } as const
type Payer = keyof typeof payers

type OpenState = Exclude<AttemptState, 'SUCCEEDED' | 'FAILED'>
const openStates: Record<OpenState, true> = {
  CREATED: true,
  CONFIRMING: true,
  REQUIRES_ACTION: true,
  PROCESSING: true,
  CANCELING: true,
}
/** The payments of an invoice, and those in progress. */
export const paymentStates = [
  ...(Object.keys(openStates) as OpenState[]).map(state => `charge ${state}` as const),
  'charge FAILED',
  'PAID by card',
  'PAID in part by card',
  'refunded in part',
  'refunded',
  'refund PENDING',
  'disputed',
  'rectified in part',
  'rectified when it was paid',
] as const
export type PaymentState = (typeof paymentStates)[number]
export type ScenarioState = InvoiceStatus | PaymentState
export const scenarioStates: readonly ScenarioState[] = [...invoiceStatuses, ...paymentStates]

export async function openInvoiceScenario(server: TestServer): Promise<InvoiceScenario> {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
  const shop = await makeApplication(server, organization, {
    scopes: [
      'crm:invoices:read',
      'crm:invoices:send',
      'crm:invoices:write',
      'billing:charge',
      'billing:refund',
    ],
  })
  const accountId = await plantAccount(server, organization.id)
  const { id: clientId } = await makeClient(owner, whereabouts)
  for (const [userId, card] of Object.entries(payers)) {
    await plantInvoice(server, shop, { userId, clientId, lifecycle: 'DRAFT' })
    await sandboxPayer(server, shop, accountId, userId, { card })
  }
  return { server, organization, owner, shop, clientId }
}

/** Creates an invoice in a state: through the product where money moves, in its row otherwise. */
export async function invoiceInState(cast: InvoiceScenario, state: ScenarioState): Promise<ScenarioInvoice> {
  const { server, shop, organization, clientId } = cast
  const userId: Payer = state.startsWith('charge ') ? 'asks' : state === 'refund PENDING' ? 'slow' : 'good'
  const lifecycle = state === 'DRAFT' ? state : 'ISSUED'
  const { id } = await plantInvoice(server, shop, { userId, clientId, lifecycle })
  const token = newLinkToken(organization.id)
  // a draft never has a link
  if (lifecycle === 'ISSUED')
    await server.api.services.database.transact(organization.id, tx =>
      replaceLink(tx, { id: newId(), invoiceId: id, token, createdBy: null, days: 30 }),
    )
  await bringToState(cast, id, state)
  return { id, userId, token }
}

async function bringToState(
  { server, owner }: InvoiceScenario,
  id: string,
  state: ScenarioState,
): Promise<void> {
  const params = { id }
  const write = (facts: string) => server.sql(`update invoice set ${facts} where id = $1`, [id])
  const charge = () => owner.call(chargeInvoiceByHand, { params, body: {} })
  const refund = (body: object) => owner.call(refundInvoiceByHand, { params, body })
  const rectify = async (body: object) => {
    const { id } = await owner.call(rectifyInvoice, { params, body: { reason: 'Wrong', ...body } })
    await owner.call(issueInvoice, { params: { id }, body: {} })
  }
  const pay = (amount: number) => owner.call(registerPayment, { params, body: { method: 'CASH', amount } })
  switch (state) {
    case 'DRAFT':
    case 'ISSUED':
      return
    case 'VOIDED':
      await owner.call(voidInvoice, { params, body: {} })
      return
    case 'SENT':
      await write('sent_at = now()')
      return
    case 'PARTIALLY_PAID':
      await pay(21)
      return
    case 'PAID':
      await pay(121)
      return
    case 'rectified in part':
      await rectify({ lines: [{ description: 'Less', unitPriceCents: -2_100 }] })
      return
    case 'RECTIFIED':
      await rectify({})
      return
    case 'rectified when it was paid':
      await pay(121)
      await rectify({})
      return
    case 'PAID in part by card':
      await write('rectified_cents = 2100')
      await charge()
      await write('rectified_cents = 0')
      return
    case 'PAID by card':
      await charge()
      return
    case 'refunded in part':
      await charge()
      await refund({ amountCents: 2_100 })
      return
    case 'refunded':
      await charge()
      await refund({})
      return
    case 'refund PENDING':
      await charge()
      await refund({})
      // no poller touches it
      await server.sql(
        `update refund_part p set next_poll_at = null from refund r
         where r.organization_id = p.organization_id and r.id = p.refund_id and r.invoice_id = $1`,
        [id],
      )
      return
    case 'disputed':
      await charge()
      await server.sql('update payment set is_disputed = true where invoice_id = $1', [id])
      return
    default: {
      await charge()
      const at = state.split(' ')[1]
      // no poller touches it
      await server.sql(
        `update charge_attempt set state = $2, next_poll_at = null, ended_at = $3,
           payment_intent_id = case when $2 <> 'CREATED' then payment_intent_id end where invoice_id = $1`,
        [id, at, at === 'FAILED' ? new Date() : null],
      )
    }
  }
}

/** Everything stored about an invoice except its polls: a refused request leaves it unchanged. */
export function storedState({ server, organization }: InvoiceScenario, id: string): Promise<unknown> {
  return server.sql(
    `select i.*, (select count(*) from payment where organization_id = $1 and invoice_id = $2) as payments,
       (select count(*) from ledger_entry where organization_id = $1 and invoice_id = $2) as entries,
       (select count(*) from refund where organization_id = $1 and invoice_id = $2) as refunds,
       (select count(*) from invoice
        where organization_id = $1 and rectifies_invoice_id = $2 and lifecycle <> 'DRAFT') as rectifying,
       (select string_agg(id, ' ' order by id) from invoice_link
        where organization_id = $1 and invoice_id = $2 and revoked_at is null) as links,
       (select count(*) from invoice_delivery where organization_id = $1 and invoice_id = $2) as deliveries,
       (select string_agg(state, ' ' order by id) from charge_attempt
        where organization_id = $1 and invoice_id = $2) as charges
     from invoice i where i.organization_id = $1 and i.id = $2`,
    [organization.id, id],
  )
}

/** The events of each invoice, in order. */
export async function eventNames({ server }: InvoiceScenario, ids: string[]): Promise<Map<string, string[]>> {
  await server.relayed()
  const rows = await server.sql<{ id: string; name: string }>(
    `select data ->> 'invoiceId' as id, name from event where data ->> 'invoiceId' = any($1)
     order by (data ->> 'sequence')::int`,
    [ids],
  )
  const byInvoice = new Map(ids.map(id => [id, [] as string[]]))
  for (const { id, name } of rows) defined(byInvoice.get(id)).push(name)
  return byInvoice
}
