import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as invoices from '#contract/billing/invoices.ts'
import { issuePublicLink, readPublicLink } from '#contract/billing/links.ts'
import { markInvoicePaid } from '#contract/billing/payments.ts'
import { sendInvoice } from '#contract/billing/sending.ts'
import { type InvoiceStatus, invoiceStatuses } from '#contract/billing/shapes.ts'
import { type Application, application } from '#tests/applications.ts'
import { plantInvoice, plantIssuer, whereabouts } from '#tests/billing.ts'
import { makeClient } from '#tests/crm.ts'
import { refusalOf } from '#tests/refusals.ts'
import { type Organization, openWorld, type Person, type TestWorld } from '#tests/world.ts'

// Document 3, Invoice: every action in every state; what is charged and refunded is tried beside it

let world: TestWorld
let organization: Organization
let owner: Person
let shop: Application
beforeAll(async () => {
  world = await openWorld()
  organization = await world.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(world, organization.id)
  shop = await application(world, organization, {
    scopes: ['crm:invoices:read', 'crm:invoices:send', 'crm:invoices:write'],
  })
})
afterAll(() => world?.close())

const userId = 'u-1'
/** An invoice of 121.00 in a state; in part, 21.00 are paid. */
async function inState(status: InvoiceStatus): Promise<string> {
  const { id: clientId } = await makeClient(owner, whereabouts)
  const lifecycle = status === 'DRAFT' || status === 'VOIDED' ? status : 'ISSUED'
  const { id } = await plantInvoice(world, shop, { userId, clientId, lifecycle, email: 'user@example.test' })
  const facts: Partial<Record<InvoiceStatus, string>> = {
    SENT: 'sent_at = now()',
    PARTIALLY_PAID: 'sent_at = now(), paid_cents = 2100',
    PAID: 'paid_cents = 12100',
  }
  if (facts[status]) await world.sql(`update invoice set ${facts[status]} where id = $1`, [id])
  return id
}

const on = (id: string) => ({ params: { id } })
const acts = {
  issue: (id: string) => shop.client.send(invoices.issueInvoice, { ...on(id), body: { userId } }),
  void: (id: string) => shop.client.send(invoices.voidInvoice, { ...on(id), body: { userId } }),
  rectify: (id: string) => owner.send(invoices.rectifyInvoice, { ...on(id), body: { reason: 'Wrong' } }),
  change: (id: string) => owner.send(invoices.updateInvoice, { ...on(id), body: { notes: 'New' } }),
  delete: (id: string) => owner.send(invoices.removeInvoice, on(id)),
  'mark-paid': (id: string) =>
    shop.client.send(markInvoicePaid, { ...on(id), body: { userId, method: 'TRANSFER' } }),
  'mark-paid in part': (id: string) =>
    shop.client.send(markInvoicePaid, { ...on(id), body: { userId, method: 'TRANSFER', amount: 50 } }),
  send: (id: string) => shop.client.send(sendInvoice, { ...on(id), body: { userId } }),
  'public-link': (id: string) => shop.client.send(issuePublicLink, { ...on(id), body: { userId } }),
}
/** The state that comes of it, or the code of the refusal. */
type Outcomes = Record<InvoiceStatus, string>
const [invalid, notDraft] = ['INVOICE_STATE_INVALID', 'INVOICE_NOT_DRAFT']
const draftOnly = (outcome: string): Outcomes => ({
  ...{ DRAFT: outcome, ISSUED: notDraft, SENT: notDraft, PARTIALLY_PAID: notDraft, PAID: notDraft },
  VOIDED: notDraft,
})
const stays: Outcomes = {
  ...{ DRAFT: invalid, ISSUED: 'ISSUED', SENT: 'SENT', PARTIALLY_PAID: 'PARTIALLY_PAID', PAID: 'PAID' },
  VOIDED: invalid,
}
const outcomes: Record<keyof typeof acts, Outcomes> = {
  issue: draftOnly('ISSUED'),
  change: draftOnly('DRAFT'),
  delete: draftOnly('gone'),
  void: {
    ...{ DRAFT: invalid, ISSUED: 'VOIDED', SENT: 'VOIDED', PARTIALLY_PAID: 'INVOICE_HAS_MONEY' },
    ...{ PAID: 'INVOICE_HAS_MONEY', VOIDED: invalid },
  },
  rectify: stays,
  send: { ...stays, ISSUED: 'SENT' },
  'public-link': stays,
  'mark-paid': {
    ...{ DRAFT: invalid, ISSUED: 'PAID', SENT: 'PAID', PARTIALLY_PAID: 'PAID' },
    ...{ PAID: 'INVOICE_ALREADY_PAID', VOIDED: invalid },
  },
  'mark-paid in part': {
    ...{ DRAFT: invalid, ISSUED: 'PARTIALLY_PAID', SENT: 'PARTIALLY_PAID' },
    ...{ PARTIALLY_PAID: 'PARTIALLY_PAID', PAID: 'INVOICE_ALREADY_PAID', VOIDED: invalid },
  },
}

describe.each(Object.keys(acts) as (keyof typeof acts)[])('%s', act => {
  test.each(invoiceStatuses)(`of one that is %s`, async from => {
    const to = outcomes[act][from]
    const id = await inState(from)
    const kept = () =>
      world.sql('select i.*, (select count(*) from payment) from invoice i where i.id = $1', [id])
    const before = await kept()
    await world.sql('delete from rate_window')
    const answer = await acts[act](id)
    const after = await owner.send(invoices.readInvoice, on(id))
    if (to === 'gone') expect([answer.status, after.status]).toEqual([204, 404])
    else if (/^[A-Z]+_[A-Z_]+$/.test(to) && to !== 'PARTIALLY_PAID') {
      expect(refusalOf(answer)).toEqual([409, to])
      expect(await kept()).toEqual(before)
    } else {
      expect(answer.status).toBe(act === 'rectify' ? 201 : 200)
      expect(after.body.status).toBe(to)
    }
  })
})

test.each(invoiceStatuses)('the link of one that is %s is asked for', async status => {
  const answer = await shop.client.send(readPublicLink, {
    ...on(await inState(status)),
    query: { userId },
  })
  expect(refusalOf(answer)).toEqual([404, 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'])
})
