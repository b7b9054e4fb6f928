import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as promised from '#contract/billing/invoices.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { archiveClient } from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { line, makeInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { auditedChanges, makeClient, sendTo } from '#tests/support/crm/leads-and-clients.ts'
import { makeAll } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
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
let shop: TestApplication
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:read', 'crm:invoices:write'] })
})
afterAll(() => server?.close())

const draft = (input: object = {}) => makeInvoice(owner, { draft: true, ...input })
const change = (id: string, body: object) => owner.send(promised.updateInvoice, { params: { id }, body })

describe('a draft of members', () => {
  test('is created with its amounts, read and changed', async () => {
    const client = await makeClient(owner, { name: 'Atelier Nord' })
    const body = {
      clientId: client.id,
      lines: [line],
      currency: 'usd',
      dueDate: '2031-01-31',
      notes: 'Thank\r\nyou',
      internalNotes: 'Pays late',
      isSubscription: true,
    }
    const made = await owner.call(promised.createInvoice, { body })
    const { id } = made
    expect(made).toEqual({
      id,
      number: null,
      series: null,
      status: 'DRAFT',
      isOverdue: false,
      refundStatus: 'NONE',
      currency: 'usd',
      issueDate: null,
      dueDate: '2031-01-31',
      clientId: client.id,
      clientName: 'Atelier Nord',
      userId: null,
      subtotalCents: 10_000,
      taxCents: 2_100,
      totalCents: 12_100,
      paidCents: 0,
      dueCents: 12_100,
      refundedCents: 0,
      rectifiedCents: 0,
      sentAt: null,
      lastPaymentAt: null,
      isSubscription: true,
      rectifiesInvoiceId: null,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
      applicationId: null,
      budget: null,
      isRectifying: false,
      rectifyingReason: null,
      rectifiedBy: [],
      overpaidCents: 0,
      issuer: null,
      recipient: null,
      lines: [{ ...line, quantity: '1', discountPercent: null, subtotalCents: 10_000 }],
      taxes: [{ name: 'IVA', rate: '21', baseCents: 10_000, amountCents: 2_100 }],
      notes: 'Thank\nyou',
      internalNotes: 'Pays late',
      payments: [],
      issuedAt: null,
      voidedAt: null,
    })
    expect(await owner.call(promised.readInvoice, { params: { id } })).toEqual(made)
    const other = await makeClient(owner)
    const { body: changed } = await change(id, {
      clientId: other.id,
      lines: [line, { ...line, quantity: '2.0' }],
      notes: null,
      dueDate: null,
    })
    expect(changed).toMatchObject({
      clientId: other.id,
      totalCents: 36_300,
      notes: null,
      dueDate: null,
      internalNotes: 'Pays late',
    })
    expect(await owner.call(promised.readInvoice, { params: { id } })).toEqual(changed)
    expect((await change(id, { notes: null })).body).toEqual(changed)
    expect(await auditedChanges(server, id)).toEqual([
      ['clientId', 'lines', 'currency', 'dueDate', 'isSubscription', 'notes', 'internalNotes'],
      ['clientId', 'lines', 'dueDate', 'notes'],
      [],
    ])
  })

  test('has the issuer’s currency by default', async () => {
    expect((await draft()).currency).toBe('eur')
    await server.sql(`update crm_issuer set currency = 'gbp' where organization_id = $1`, [organization.id])
    expect((await draft()).currency).toBe('gbp')
  })

  test('needs an existing client', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const archived = await makeClient(owner)
    await owner.call(archiveClient, { params: { id: archived.id } })
    const { id } = await draft()
    for (const clientId of [newId(), archived.id, (await makeClient(stranger)).id]) {
      const made = await owner.send(promised.createInvoice, { body: { clientId, lines: [line] } })
      expect(made).toMatchObject({ status: 422, body: { details: [{ path: 'clientId' }] } })
      expect((await change(id, { clientId })).status).toBe(422)
    }
  })

  test.each([
    ['lines', [{ ...line, quantity: '1e3' }]],
    ['lines', [{ ...line, quantity: '1.12345' }]],
    ['lines', [{ ...line, quantity: 1 }]],
    ['lines', [{ ...line, unitPriceCents: 0.5 }]],
    ['lines', [{ ...line, unitPriceCents: limits.invoiceCents + 1 }]],
    ['lines', [{ ...line, description: '' }]],
    ['lines', [{ ...line, description: 'x'.repeat(limits.invoiceLineText + 1) }]],
    ['lines', [{ ...line, discountPercent: '100.1' }]],
    ['lines', [{ ...line, discountPercent: '-1' }]],
    ['lines', [{ ...line, taxes: [...line.taxes, { name: 'IVA', rate: '21.0' }] }]],
    ['lines', [{ ...line, taxes: Array(limits.invoiceTaxes + 1).fill(line.taxes[0]) }]],
    ['lines', [{ ...line, unitPriceCents: limits.invoiceCents }]],
    ['lines', [{ ...line, quantity: '999999999' }]],
    ['lines', [{ ...line, unitPriceCents: -1 }]],
    ['lines', Array(limits.invoiceLines + 1).fill(line)],
    ['currency', 'EUR'],
    ['dueDate', '2026-02-30'],
    ['notes', 'x'.repeat(limits.invoiceNotes + 1)],
    ['internalNotes', 'x'.repeat(limits.invoiceNotes + 1)],
    ['rectifyingReason', 'It rectifies nothing'],
    ['status', 'PAID'],
  ])('cannot have the %s %j', async (field, value) => {
    const { id } = await draft()
    const answer = await change(id, { [field]: value })
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(answer.body)).toContain(`"path":"${field}`)
  })

  test('can be changed and deleted until it is issued; internal notes at any time', async () => {
    expect(refusalOf(await change((await draft()).id, {}))).toEqual([422, 'VALIDATION_ERROR'])
    const { id } = await makeInvoice(owner)
    expect(refusalOf(await change(id, { notes: 'Late' }))).toEqual([409, 'INVOICE_NOT_DRAFT'])
    expect((await change(id, { internalNotes: 'Call them' })).body).toMatchObject({
      status: 'ISSUED',
      internalNotes: 'Call them',
    })
    expect(refusalOf(await sendTo(owner, promised.removeInvoice, id))).toEqual([409, 'INVOICE_NOT_DRAFT'])
    const { id: other } = await draft()
    expect((await sendTo(owner, promised.removeInvoice, other)).status).toBe(204)
    expect(refusalOf(await sendTo(owner, promised.readInvoice, other))).toEqual([
      404,
      'INVOICE_NOT_ACCESSIBLE',
    ])
  })

  test('is created once for each Idempotency-Key of a member, and a payment is registered once', async () => {
    const { id: clientId } = await makeClient(owner, whereabouts)
    const headers = { 'idempotency-key': 'twice' }
    const create = (by: Person, notes = 'Once') =>
      by.send(promised.createInvoice, { body: { clientId, lines: [line], notes }, headers })
    const [first, again] = await Promise.all([create(owner), create(owner)])
    expect([first.status, again.body]).toEqual([201, first.body])
    expect(refusalOf(await create(owner, 'Other'))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const colleague = await organization.person({ role: 'OWNER' })
    expect((await create(colleague)).body.id).not.toBe(first.body.id)
    const params = { id: first.body.id }
    await owner.call(promised.issueInvoice, { params, body: {} })
    const paid = { params, body: { method: 'CASH', amount: 10 }, headers } as const
    for (let time = 0; time < 2; time++)
      expect((await owner.call(registerPayment, paid)).paidCents).toBe(1_000)
  })

  test('that rectifies an invoice keeps its client and currency', async () => {
    const { id } = await makeInvoice(owner)
    const body = { reason: 'Wrong price' }
    const { id: draftId } = await owner.call(promised.rectifyInvoice, { params: { id }, body })
    for (const [field, value] of [
      ['clientId', (await makeClient(owner, whereabouts)).id],
      ['currency', 'usd'],
    ] as const)
      expect(await change(draftId, { [field]: value })).toMatchObject({
        status: 400,
        body: { details: [{ path: field }] },
      })
  })

  test('is read with BILLING_VIEW and changed with BILLING_EDIT, in its organization', async () => {
    const { id } = await draft()
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    const nobody = await organization.person()
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const changing = [
      promised.updateInvoice,
      promised.removeInvoice,
      promised.issueInvoice,
      promised.voidInvoice,
      promised.rectifyInvoice,
    ] as const
    for (const operation of [promised.readInvoice, ...changing]) {
      const ask = (by: Person, at = id) =>
        sendTo(by, operation, at, operation === promised.rectifyInvoice ? { reason: 'x' } : {})
      if (operation !== promised.updateInvoice) {
        const unknown = await ask(stranger, newId())
        expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
        expect((await ask(stranger)).body).toEqual(unknown.body)
      }
      expect(refusalOf(await ask(nobody))).toEqual([403, 'PERMISSION_DENIED'])
      if (operation !== promised.readInvoice)
        expect(refusalOf(await ask(viewer))).toEqual([403, 'PERMISSION_DENIED'])
    }
    await viewer.call(promised.readInvoice, { params: { id } })
    const unknown = await sendTo(stranger, promised.updateInvoice, id, { notes: 'x' })
    expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  })
})

describe('an invoice of an application', () => {
  const user = { name: 'Ada King', company: 'Engines SL', email: 'ada@engines.example', ...whereabouts }
  const make = (body: object) =>
    shop.client.send(promised.createInvoiceOfUser, { body: { userId: 'u-1', lines: [line], ...body } })
  const clients = () =>
    server.sql('select id, name, tax_id, city from crm_client where organization_id = $1 order by id', [
      organization.id,
    ])

  test('is issued for a user whom it creates', async () => {
    const { status, body } = await make({ user, isSubscription: true, notes: 'March' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'ISSUED',
      userId: 'u-1',
      applicationId: shop.id,
      clientName: 'Engines SL',
      totalCents: 12_100,
      isSubscription: true,
      notes: 'March',
      recipient: { name: 'Engines SL', email: 'ada@engines.example', ...whereabouts },
      issuer: { name: 'Talleres Patio SL', taxId: 'B76543214' },
    })
    expect(body.number).toMatch(/^F\d{4}-000001$/)
    expect(body).not.toHaveProperty('internalNotes')
    const params = { id: body.id }
    expect(await shop.client.call(promised.readInvoice, { params })).toEqual(body)
    const own = { params, query: { userId: 'u-1' } }
    expect(await shop.client.call(promised.readInvoice, own)).toEqual(body)
    const byPeople = await owner.call(promised.readInvoice, { params })
    expect(byPeople).toEqual({ ...body, internalNotes: null, budget: null })
  })

  test('for a known user needs no user data, and keeps the members’ data of the client', async () => {
    expect(refusalOf(await make({}))).toEqual([404, 'EXTERNAL_USER_NOT_FOUND'])
    const first = await make({ user: { name: 'Ada King' }, issue: false })
    expect(first.body).toMatchObject({ status: 'DRAFT', clientName: 'Ada King' })
    const { clientId } = first.body
    expect(await make({})).toMatchObject({ status: 422, body: { errorCode: 'RECIPIENT_INCOMPLETE' } })
    await server.sql(`update crm_client set city = 'Madrid' where id = $1`, [clientId])
    const second = await make({ user })
    expect(second.body).toMatchObject({ status: 'ISSUED', clientId, clientName: 'Ada King' })
    expect(second.body.recipient).toMatchObject({ ...whereabouts, city: 'Madrid', email: user.email })
    expect(await clients()).toHaveLength(1)
    // omitted fields stay
    await make({ user: { name: 'Ada Lovelace' } })
    expect(
      await server.sql('select name, email from external_user where client_id = $1', [clientId]),
    ).toEqual([{ name: 'Ada Lovelace', email: user.email }])
  })

  test('is for an existing client with the same name and tax id', async () => {
    const client = await makeClient(owner, { name: 'ENGINES sl', taxId: 'b12345674' })
    await makeClient(owner, { name: 'Engines SL', taxId: 'B00000000' })
    const { body } = await make({ user })
    expect(body.clientId).toBe(client.id)
    const other = await make({ userId: 'u-2', user: { ...user, company: 'Other SL' } })
    expect(other.body.clientId).not.toBe(client.id)
  })

  test('creates one user and one client from simultaneous requests', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => make({ user })))
    expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(new Set(made.map(({ body }) => body.number)).size).toBe(10)
    expect(await clients()).toHaveLength(1)
  })

  test('is created once for each Idempotency-Key', async () => {
    const input = { body: { userId: 'u-1', user, lines: [line] }, headers: { 'idempotency-key': 'k-1' } }
    const [first, ...others] = await makeAll(5, () => shop.client.send(promised.createInvoiceOfUser, input))
    for (const other of others) expect(other.body).toEqual(first.body)
    expect((await shop.client.call(promised.listInvoices, { query: {} })).pagination.total).toBe(1)
  })

  test('with invalid amounts is refused before anything is read', async () => {
    const dated = await make({ user, issue: false, issueDate: '2026-01-02' })
    expect(dated).toMatchObject({ status: 400, body: { details: [{ path: 'issueDate' }] } })
    const lines = [{ ...line, discountPercent: '101' }]
    expect(refusalOf(await make({ lines }))).toEqual([400, 'VALIDATION_ERROR'])
    const made = await owner.send(promised.createInvoice, { body: { clientId: newId(), lines } })
    expect(refusalOf(made)).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('leaves nothing behind when it cannot be issued', async () => {
    expect(refusalOf(await make({ user, lines: [] }))).toEqual([422, 'INVOICE_EMPTY'])
    await server.sql('delete from crm_issuer where organization_id = $1', [organization.id])
    expect(refusalOf(await make({ user }))).toEqual([409, 'ISSUER_REQUIRED'])
    expect(await clients()).toEqual([])
    expect(await server.sql('select from invoice where organization_id = $1', [organization.id])).toEqual([])
  })

  test('of another application or user does not exist for the caller', async () => {
    const { body: invoice } = await make({ user })
    const scopes = ['crm:invoices:read', 'crm:invoices:write'] as const
    const other = await makeApplication(server, organization, { scopes })
    const read = (by: TestApplication, id: string, userId?: string) =>
      by.client.send(promised.readInvoice, { params: { id }, query: userId === undefined ? {} : { userId } })
    const unknown = await read(shop, newId())
    expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
    for (const answer of [await read(other, invoice.id), await read(shop, invoice.id, 'u-2')])
      expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body])
    for (const operation of [promised.issueInvoice, promised.voidInvoice])
      expect(refusalOf(await sendTo(shop.client, operation, invoice.id, { userId: 'u-2' }))).toEqual([
        404,
        'INVOICE_NOT_ACCESSIBLE',
      ])
    expect((await other.client.call(promised.listInvoices, { query: {} })).data).toEqual([])
    const bare = await makeApplication(server, organization)
    expect(refusalOf(await read(bare, invoice.id))).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })

  test('cannot be for an archived client', async () => {
    const { body } = await make({ user })
    await owner.call(archiveClient, { params: { id: body.clientId } })
    expect(refusalOf(await make({}))).toEqual([409, 'CLIENT_ARCHIVED'])
    expect(refusalOf(await make({ user }))).toEqual([409, 'CLIENT_ARCHIVED'])
  })

  test('keeps the client of its user', async () => {
    const { body } = await make({ user, issue: false })
    const { id: clientId } = await makeClient(owner)
    expect(await change(body.id, { clientId })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'clientId' }] },
    })
  })
})
