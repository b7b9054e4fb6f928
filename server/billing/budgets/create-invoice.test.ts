import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInvoiceOfBudget, listUninvoicedBudgets } from '#contract/billing/budgets.ts'
import {
  issueInvoice,
  listInvoices,
  readInvoice,
  rectifyInvoice,
  removeInvoice,
  voidInvoice,
} from '#contract/billing/invoices.ts'
import { archiveClient } from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { auditedChanges, makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
})
afterAll(() => server?.close())

const iva = { name: 'IVA', rate: '21' }
const offer = {
  currency: 'usd',
  sections: [
    {
      items: [
        {
          name: 'Design',
          description: 'All pages',
          quantity: '2.5',
          unit: 'h',
          unitPriceCents: 6_000,
          discount: { kind: 'PERCENT' as const, value: '10' },
          taxes: [iva],
        },
        {
          name: 'Book',
          unitPriceCents: 2_000,
          discount: { kind: 'AMOUNT' as const, value: 500 },
          taxes: [{ name: 'IVA', rate: '4' }],
        },
        { name: 'Extra', unitPriceCents: 9_000, optional: true, selected: false, taxes: [iva] },
      ],
    },
  ],
  discounts: [{ name: 'Launch', kind: 'PERCENT' as const, value: '5' }],
}
const signed = async (input: object = offer) => {
  const { id: clientId } = await makeClient(owner, whereabouts)
  return (await signedBudget(server, owner, { budget: { clientId, ...input }, isBare: true })).budget
}
/** A budget that counts as signed, without the work of signing it. */
async function plantSigned(input: object = offer): Promise<{ id: string }> {
  const { id } = await makeBudget(owner, input)
  await server.sql(`update budget set status = 'SIGNED', signed_at = now() where id = $1`, [id])
  return { id }
}
const invoice = (budgetId: string, by = owner) => by.send(createInvoiceOfBudget, { params: { budgetId } })
const uninvoiced = async (query: object = {}) => owner.call(listUninvoicedBudgets, { query })

describe('the invoice of a signed budget', () => {
  test('is a draft with the client, currency, lines and total of the budget', async () => {
    const budget = await signed()
    const { status, body } = await invoice(budget.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'DRAFT',
      clientId: budget.clientId,
      currency: 'usd',
      totalCents: budget.totalCents,
      taxCents: budget.taxCents,
      budget: { id: budget.id, code: budget.code },
      notes: expect.stringMatching(`^Según el presupuesto ${budget.code}, firmado el .+ de .+ de \\d{4}\\.$`),
      lines: [
        {
          description: 'Design (h)\nAll pages',
          quantity: '2.5',
          unitPriceCents: 6_000,
          discountPercent: '10',
          subtotalCents: 13_500,
        },
        { description: 'Book', subtotalCents: 2_000 },
        { description: 'Descuento: Book', subtotalCents: -500 },
        { description: 'Descuento: Launch (5\u00a0%)', subtotalCents: -675, taxes: [iva] },
        { description: 'Descuento: Launch (5\u00a0%)', subtotalCents: -75 },
      ],
    })
    expect(body.taxes).toEqual(budget.taxes)
    expect(await owner.call(readInvoice, { params: { id: body.id } })).toEqual(body)
    expect(await auditedChanges(server, body.id)).toEqual([
      ['budgetId', 'clientId', 'lines', 'currency', 'isSubscription', 'notes'],
    ])
    const { data } = await owner.call(listInvoices, { query: { budgetId: budget.id } })
    expect(data.map(({ id }) => id)).toEqual([body.id])
  })

  test('exists once: until it is voided or its draft is deleted', async () => {
    const { id } = await plantSigned({ ...offer, clientId: (await makeClient(owner, whereabouts)).id })
    const [first, second] = await Promise.all([invoice(id), invoice(id)])
    const [made, refused] = first!.status === 201 ? [first!, second!] : [second!, first!]
    expect(refusalOf(refused)).toEqual([409, 'BUDGET_INVOICED'])
    expect(refused.body).toMatchObject({ invoiceId: made.body.id })
    await owner.call(removeInvoice, { params: { id: made.body.id } })
    const again = (await invoice(id)).body
    await owner.call(issueInvoice, { params: { id: again.id }, body: {} })
    expect((await invoice(id)).body).toMatchObject({ errorCode: 'BUDGET_INVOICED', invoiceId: again.id })
    await owner.call(voidInvoice, { params: { id: again.id }, body: {} })
    const third = await invoice(id)
    expect(third.status).toBe(201)
    await owner.call(issueInvoice, { params: { id: third.body.id }, body: {} })
    const body = { reason: 'Too much' }
    const rectifying = await owner.call(rectifyInvoice, { params: { id: third.body.id }, body })
    expect(rectifying.budget).toBeNull()
    const { data } = await owner.call(listInvoices, { query: { budgetId: id } })
    expect(data.map(({ status }) => status)).toEqual(['ISSUED', 'VOIDED'])
  })

  test('needs a signed budget of an active client', async () => {
    const draft = await makeBudget(owner)
    expect(refusalOf(await invoice(draft.id))).toEqual([409, 'BUDGET_NOT_SIGNED'])
    expect((await invoice(newId())).status).toBe(404)
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const { id } = await plantSigned()
    expect((await invoice(id, stranger)).body).toEqual((await invoice(newId())).body)
    const client = await makeClient(owner)
    const other = await plantSigned({ ...offer, clientId: client.id })
    await owner.call(archiveClient, { params: { id: client.id } })
    expect(refusalOf(await invoice(other.id))).toEqual([409, 'CLIENT_ARCHIVED'])
  })

  test('is refused when the budget has more lines than an invoice can have', async () => {
    const one = { name: 'x', unitPriceCents: 2, discount: { kind: 'AMOUNT', value: 1 } }
    const items = Array(limits.invoiceLines / 2 + 1).fill(one)
    const { id } = await plantSigned({ sections: [{ items }] })
    expect(refusalOf(await invoice(id))).toEqual([422, 'BUDGET_TOO_LONG'])
  })

  test('needs the permission to read budgets too', async () => {
    const { id } = await plantSigned()
    const clerk = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
    expect(refusalOf(await invoice(id, clerk))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await clerk.send(listUninvoicedBudgets, {}))).toEqual([403, 'PERMISSION_DENIED'])
    const other = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT', 'CRM_VIEW'] })
    expect((await invoice(id, other)).status).toBe(201)
  })
})

test('signed budgets without an invoice are listed, the last signed first', async () => {
  const client = await makeClient(owner, { name: 'Atelier Nord', ...whereabouts })
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const { id } = await plantSigned({ ...offer, clientId: client.id })
    await server.sql(
      `update budget set signed_at = '2026-01-02T03:04:05Z'::timestamptz + $2 * interval '1 s'
      where id = $1`,
      [id, n],
    )
    ids.unshift(id)
  }
  await makeBudget(owner)
  const { items, ...page } = await uninvoiced({ limit: 2 })
  expect(page).toEqual({ total: 3, limit: 2, offset: 0 })
  expect(items).toEqual([
    {
      id: ids[0],
      code: expect.stringMatching(/^P-/),
      title: expect.any(String),
      clientId: client.id,
      clientName: 'Atelier Nord',
      currency: 'usd',
      totalCents: 17_000,
      signedAt: '2026-01-02T03:04:07.000Z',
    },
    expect.objectContaining({ id: ids[1] }),
  ])
  const { body } = await invoice(ids[1]!)
  expect((await uninvoiced()).items.map(({ id }) => id)).toEqual([ids[0], ids[2]])
  await owner.call(issueInvoice, { params: { id: body.id }, body: {} })
  expect((await uninvoiced()).total).toBe(2)
  await owner.call(voidInvoice, { params: { id: body.id }, body: {} })
  expect((await uninvoiced()).total).toBe(3)
  expect(await uninvoiced({ offset: 5 })).toMatchObject({ items: [], total: 3 })
})
