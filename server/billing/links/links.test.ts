import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { voidInvoice } from '#contract/billing/invoices.ts'
import * as promised from '#contract/billing/links.ts'
import { newId } from '#platform/ids.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { captured, defined, firstOf } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { findLinkByToken } from './payment-link.sql.ts'

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
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:read', 'crm:invoices:write'] })
})
afterAll(() => server?.close())

const userId = 'u-1'
const plant = (given: object = {}) => plantInvoice(server, shop, { userId, ...given })
const issue = (id: string, body: object = {}) =>
  shop.client.send(promised.issuePublicLink, { params: { id }, body: { userId, ...body } })
const read = (id: string, query: object = {}) =>
  shop.client.send(promised.readPublicLink, { params: { id }, query: { userId, ...query } })
const opened = (url: string | null) =>
  findLinkByToken(server.api.services.database, captured(/\/p\/(.+)/, url))

describe('a public link', () => {
  test('returns its address once, and opens the invoice', async () => {
    const { id } = await plant()
    expect(refusalOf(await read(id))).toEqual([404, 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'])
    const { status, body: link } = await issue(id)
    expect(status).toBe(200)
    expect(link).toMatchObject({ invoiceId: id, allowedActions: ['VIEW', 'PAY'] })
    expect(link.publicUrl).toMatch(/^http:\/\/localhost:4000\/p\/c[0-9a-z]{24}\.[\w-]{43}$/)
    const days = (Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 86_400_000
    expect(Math.round(days)).toBe(30)
    expect((await read(id)).body).toEqual({ ...link, publicUrl: null })
    expect(await opened(link.publicUrl)).toMatchObject({ invoice_id: id })
    const stored = JSON.stringify([
      await server.sql('select * from invoice_link'),
      await server.sql('select * from idempotency'),
    ])
    expect(stored).not.toContain(defined(link.publicUrl).split('.').at(-1))
    expect(await auditedChanges(server, id)).toEqual([['links']])
  })

  test('ends when another one is issued, when it expires and when the invoice is voided', async () => {
    const { id } = await plant()
    const [first, second] = [(await issue(id)).body, (await issue(id, { expiresInDays: 365 })).body]
    expect(await opened(first.publicUrl)).toBeUndefined()
    expect(await opened(second.publicUrl)).toBeDefined()
    for (const [lifecycle, opens] of [
      ['VOIDED', false],
      ['ISSUED', true],
    ] as const) {
      await server.sql('update invoice set lifecycle = $2 where id = $1', [id, lifecycle])
      expect((await opened(second.publicUrl)) !== undefined).toBe(opens)
    }
    await server.sql(
      `update invoice_link set expires_at = now() - make_interval(secs => 0.001) where revoked_at is null`,
    )
    expect(await opened(second.publicUrl)).toBeUndefined()
    expect(refusalOf(await read(id))).toEqual([404, 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'])
    const { body: third } = await issue(id)
    await owner.call(voidInvoice, { params: { id }, body: {} })
    expect(await opened(third.publicUrl)).toBeUndefined()
    expect(refusalOf(await read(id))).toEqual([404, 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'])
    expect(refusalOf(await issue(id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    const draft = await plant({ lifecycle: 'DRAFT' })
    expect(refusalOf(await issue(draft.id))).toEqual([409, 'INVOICE_STATE_INVALID'])
  })

  test('stays the only current one after simultaneous requests, also with the same Idempotency-Key', async () => {
    const { id } = await plant()
    const headers = { 'idempotency-key': 'k' }
    const made = await Promise.all(
      Array.from({ length: 10 }, () =>
        shop.client.send(promised.issuePublicLink, { params: { id }, body: { userId }, headers }),
      ),
    )
    expect(new Set(made.map(({ body }) => body.publicUrl)).size).toBe(10)
    const open = await Promise.all(made.map(({ body }) => opened(body.publicUrl)))
    expect(open.filter(Boolean)).toHaveLength(1)
  })

  test('does not affect action links', async () => {
    const { id } = await plant()
    await insertRows(server, 'invoice_link', [
      { organization_id: organization.id, invoice_id: id, kind: 'ACTION', token_digest: '\\x02' },
    ])
    expect(refusalOf(await read(id))).toEqual([404, 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'])
    await issue(id)
    await issue(id)
    const open = await server.sql(
      'select kind from invoice_link where invoice_id = $1 and revoked_at is null',
      [id],
    )
    expect(open.map(({ kind }) => kind).sort()).toEqual(['ACTION', 'PRIMARY'])
  })

  test.each([0, 366, 1.5, '30'])('cannot last %s days', async expiresInDays => {
    const { id } = await plant()
    expect(refusalOf(await issue(id, { expiresInDays }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('belongs to an invoice of the application, for its user', async () => {
    const { id } = await plant()
    for (const ask of [issue, read]) {
      const unknown = await ask(newId())
      expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
      expect((await ask(id, { userId: 'u-2' })).body).toEqual(unknown.body)
      expect((await ask(id, { userId: undefined })).status).toBe(400)
    }
    const reader = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
    const input = { params: { id }, body: { userId } }
    expect(refusalOf(await reader.client.send(promised.issuePublicLink, input))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ])
  })

  test.each([
    '',
    '.',
    'x.y',
    `${newId()}.${'a'.repeat(43)}`,
    `${newId()}.${'a'.repeat(43)}.b`,
    'a'.repeat(10_000),
  ])('is not opened by %j', async token => {
    expect(await findLinkByToken(server.api.services.database, token)).toBeUndefined()
  })
})

describe('people', () => {
  test('issue links, list them and revoke one', async () => {
    const { id } = await plant()
    const params = { id }
    await issue(id)
    const { publicUrl } = await owner.call(promised.makePublicLink, { params, body: { expiresInDays: 2 } })
    expect(await owner.call(promised.showPublicLink, { params })).toMatchObject({ publicUrl: null })
    const { items } = await owner.call(promised.listInvoiceLinks, { params })
    expect(items.map(({ kind, isCurrent, createdBy }) => [kind, isCurrent, createdBy])).toEqual([
      ['PRIMARY', true, owner.id],
      ['PRIMARY', false, null],
    ])
    const at = { params: { id, linkId: firstOf(items).id } }
    const ofOther = { params: { id: (await plant()).id, linkId: firstOf(items).id } }
    expect(refusalOf(await owner.send(promised.revokeInvoiceLink, ofOther))).toEqual([
      404,
      'INVOICE_PUBLIC_LINK_NOT_AVAILABLE',
    ])
    const ended = await owner.call(promised.revokeInvoiceLink, at)
    expect(ended).toMatchObject({ isCurrent: false, revokedAt: expect.any(String) })
    expect(await owner.call(promised.revokeInvoiceLink, at)).toEqual(ended)
    expect(await opened(publicUrl)).toBeUndefined()
    const none = await owner.send(promised.revokeInvoiceLink, { params: { id, linkId: newId() } })
    expect(refusalOf(none)).toEqual([404, 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE'])
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    expect((await viewer.call(promised.listInvoiceLinks, { params })).items).toHaveLength(2)
    expect(refusalOf(await viewer.send(promised.makePublicLink, { params, body: {} }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    expect(refusalOf(await viewer.send(promised.revokeInvoiceLink, at))).toEqual([403, 'PERMISSION_DENIED'])
  })
})
