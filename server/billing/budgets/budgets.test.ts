import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createInvoiceOfBudget,
  linkInvoiceToBudget,
  listUninvoicedBudgets,
  unlinkInvoiceFromBudget,
} from '#contract/billing/budgets.ts'
import {
  createInvoice,
  issueInvoice,
  listInvoices,
  readInvoice,
  rectifyInvoice,
  removeInvoice,
  updateInvoice,
  voidInvoice,
} from '#contract/billing/invoices.ts'
import { archiveClient } from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { line, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeBudget, plantSignedBudget } from '#tests/support/crm/budgets.ts'
import { auditedChanges, makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { exactly, itemAt } from '#tests/support/elements.ts'
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
const plantSigned = (input: object = offer) => plantSignedBudget(server, owner, input)
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
    const [made, refused] = first.status === 201 ? [first, second] : [second, first]
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

describe('the link between an invoice and a signed budget', () => {
  const written = async (clientId: string) => owner.call(createInvoice, { body: { clientId, lines: [line] } })
  const link = (id: string, budgetId: string, by = owner) =>
    by.send(linkInvoiceToBudget, { params: { id }, body: { budgetId } })
  const unlink = (id: string, by = owner) => by.send(unlinkInvoiceFromBudget, { params: { id } })

  test('makes the budget invoiced until it is removed', async () => {
    const budget = await plantSigned({ ...offer, clientId: (await makeClient(owner, whereabouts)).id })
    const { id, updatedAt } = await written(budget.clientId)
    const { status, body } = await link(id, budget.id)
    expect([status, body.budget]).toEqual([200, { id: budget.id, code: budget.code }])
    expect(body.updatedAt > updatedAt).toBe(true)
    expect(await owner.call(readInvoice, { params: { id } })).toEqual(body)
    expect((await uninvoiced()).items).toEqual([])
    expect((await invoice(budget.id)).body).toMatchObject({ errorCode: 'BUDGET_INVOICED', invoiceId: id })
    expect((await link(id, budget.id)).body).toEqual(body)
    await owner.call(issueInvoice, { params: { id }, body: {} })
    const unlinked = await unlink(id)
    expect([unlinked.status, unlinked.body.budget]).toEqual([200, null])
    expect((await uninvoiced()).items.map(one => one.id)).toEqual([budget.id])
    expect((await unlink(id)).body).toEqual(unlinked.body)
    const changes = (await auditedChanges(server, id)).filter(names => names.includes('budgetId'))
    expect(changes).toEqual([['budgetId'], ['budgetId']])
    expect((await link(id, budget.id)).status).toBe(200)
    await owner.call(voidInvoice, { params: { id }, body: {} })
    expect((await uninvoiced()).total).toBe(1)
    expect(refusalOf(await unlink(id))).toEqual([409, 'INVOICE_STATE_INVALID'])
  })

  test('moves to another budget, and a budget has one invoice', async () => {
    const { id: clientId } = await makeClient(owner, whereabouts)
    const [first, second] = [await plantSigned({ clientId }), await plantSigned({ clientId })]
    const [one, two] = [await written(clientId), await written(clientId)]
    await link(one.id, first.id)
    expect((await link(one.id, second.id)).body.budget).toMatchObject({ id: second.id })
    const refused = await link(two.id, second.id)
    expect(refusalOf(refused)).toEqual([409, 'BUDGET_INVOICED'])
    expect(refused.body).toMatchObject({ invoiceId: one.id })
    const answers = await Promise.all([link(two.id, first.id), invoice(first.id)])
    const [made, later] = exactly(2, answers[0].status === 200 ? answers : answers.toReversed())
    expect(made.status).toBeLessThan(300)
    expect(refusalOf(later)).toEqual([409, 'BUDGET_INVOICED'])
    expect(later.body).toMatchObject({ invoiceId: made.body.id })
  })

  test('needs a signed budget of the client, which then stays the client', async () => {
    const { id: clientId } = await makeClient(owner, whereabouts)
    const { id } = await written(clientId)
    const other = await plantSigned()
    const refused = await link(id, other.id)
    expect(refusalOf(refused)).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused.body).toMatchObject({ details: [{ path: 'budgetId' }] })
    expect(refusalOf(await link(id, (await makeBudget(owner, { clientId })).id))).toEqual([
      409,
      'BUDGET_NOT_SIGNED',
    ])
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const theirs = await plantSignedBudget(server, stranger)
    expect([(await link(id, theirs.id)).status, (await link(id, theirs.id)).text]).toEqual([
      404,
      (await link(id, newId())).text,
    ])
    const budget = await plantSigned({ clientId })
    expect(refusalOf(await link(id, budget.id, stranger))).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
    await link(id, budget.id)
    expect(refusalOf(await unlink(id, stranger))).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
    const move = () => owner.send(updateInvoice, { params: { id }, body: { clientId: other.clientId } })
    expect((await move()).body).toMatchObject({ details: [{ path: 'clientId' }] })
    await unlink(id)
    expect((await move()).status).toBe(200)
  })

  test('is not for a rectifying invoice, or for people who may not read budgets', async () => {
    const budget = await plantSigned({ ...offer, clientId: (await makeClient(owner, whereabouts)).id })
    const { id } = await written(budget.clientId)
    const clerk = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
    for (const answer of [await link(id, budget.id, clerk), await unlink(id, clerk)])
      expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
    await owner.call(issueInvoice, { params: { id }, body: {} })
    const rectifying = await owner.call(rectifyInvoice, { params: { id }, body: { reason: 'Too much' } })
    expect(refusalOf(await link(rectifying.id, budget.id))).toEqual([409, 'INVOICE_STATE_INVALID'])
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
  const { body } = await invoice(itemAt(ids, 1))
  expect((await uninvoiced()).items.map(({ id }) => id)).toEqual([ids[0], ids[2]])
  await owner.call(issueInvoice, { params: { id: body.id }, body: {} })
  expect((await uninvoiced()).total).toBe(2)
  await owner.call(voidInvoice, { params: { id: body.id }, body: {} })
  expect((await uninvoiced()).total).toBe(3)
  expect(await uninvoiced({ offset: 5 })).toMatchObject({ items: [], total: 3 })
})
