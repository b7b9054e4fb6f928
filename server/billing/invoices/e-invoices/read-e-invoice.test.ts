import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueInvoice, readEInvoice, rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { updateClient } from '#contract/crm/clients.ts'
import { newId } from '#platform/ids.ts'
import { line, makeInvoice, plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { readXml } from '#tests/support/billing/read-xml.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
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
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
})
afterAll(() => server?.close())

const read = (id: string, format: 'UBL' | 'FACTURAE', by: Person = owner) =>
  by.send(readEInvoice, { params: { id }, query: { format } })
const detailsOf = ({ body }: { body: unknown }) =>
  (body as { details: { path: string; code: string }[] }).details.map(({ path, code }) => [path, code])

test('an issued invoice is read in both formats, with the same bytes until its content changes', async () => {
  const { id, number, clientId } = await makeInvoice(owner, {
    lines: [{ ...line, description: 'Diseño & <más>' }],
  })
  const [ubl, facturae] = [await read(id, 'UBL'), await read(id, 'FACTURAE')]
  for (const [format, answer] of Object.entries({ ubl, facturae })) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/xml/)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${number}-${format}.xml"`)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  }
  readXml(ubl.text, root => {
    expect(root.text('cbc:ID')).toBe(number)
    expect(root.text('cbc:InvoiceTypeCode')).toBe('380')
    expect(root.text('cac:InvoiceLine/cac:Item/cbc:Name')).toBe('Diseño & <más>')
    expect(root.text('cac:LegalMonetaryTotal/cbc:PayableAmount')).toBe('121.00')
  })
  readXml(facturae.text, root => {
    const header = 'Invoices/Invoice/InvoiceHeader'
    expect(`${root.text(`${header}/InvoiceSeriesCode`)}${root.text(`${header}/InvoiceNumber`)}`).toBe(number)
    expect(root.text('Invoices/Invoice/InvoiceTotals/InvoiceTotal')).toBe('121.00')
  })
  await owner.call(registerPayment, { params: { id }, body: { method: 'CASH', amount: 1 } })
  await owner.call(updateClient, { params: { id: clientId }, body: { city: 'Vigo', taxId: 'B999' } })
  expect((await read(id, 'UBL')).bytes).toEqual(ubl.bytes)
  expect((await read(id, 'FACTURAE')).bytes).toEqual(facturae.bytes)
})

test('a rectifying invoice names the rectified one', async () => {
  const { id, number } = await makeInvoice(owner)
  const draft = await owner.call(rectifyInvoice, { params: { id }, body: { reason: 'Precio equivocado' } })
  await owner.call(issueInvoice, { params: { id: draft.id }, body: {} })
  readXml((await read(draft.id, 'UBL')).text, root => {
    expect(root.text('cbc:InvoiceTypeCode')).toBe('384')
    expect(root.text('cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID')).toBe(number)
    expect(root.text('cac:LegalMonetaryTotal/cbc:PayableAmount')).toBe('-121.00')
    expect(root.text('cac:InvoiceLine/cbc:InvoicedQuantity')).toBe('-1')
  })
  readXml((await read(draft.id, 'FACTURAE')).text, root => {
    const corrective = 'Invoices/Invoice/InvoiceHeader/Corrective'
    expect(root.text('Invoices/Invoice/InvoiceHeader/InvoiceClass')).toBe('OR')
    expect(`${root.text(`${corrective}/InvoiceSeriesCode`)}${root.text(`${corrective}/InvoiceNumber`)}`).toBe(
      number,
    )
    expect(root.text(`${corrective}/AdditionalReasonDescription`)).toBe('Precio equivocado')
  })
})

test('drafts and voided invoices have no electronic format', async () => {
  const draft = await makeInvoice(owner, { draft: true })
  const voided = await makeInvoice(owner)
  await owner.call(voidInvoice, { params: { id: voided.id }, body: {} })
  for (const { id } of [draft, voided])
    for (const format of ['UBL', 'FACTURAE'] as const)
      expect(refusalOf(await read(id, format))).toEqual([409, 'INVOICE_STATE_INVALID'])
})

test('a refusal names each missing datum, and the client can provide it later', async () => {
  const { taxId: _, postalCode: __, ...abroad } = { ...whereabouts, country: 'FR' }
  const client = await makeClient(owner, abroad)
  const { id } = await makeInvoice(owner, { clientId: client.id })
  expect((await read(id, 'UBL')).status).toBe(200)
  const refused = await read(id, 'FACTURAE')
  expect(refusalOf(refused)).toEqual([422, 'INVOICE_FORMAT_UNAVAILABLE'])
  expect(detailsOf(refused)).toEqual([['recipient.taxId', 'required']])
  // not for another address
  const params = { id: client.id }
  await owner.call(updateClient, { params, body: { taxId: '12345678901', address: 'Rue Neuve 2' } })
  expect((await read(id, 'FACTURAE')).status).toBe(422)
  await owner.call(updateClient, { params, body: { address: abroad.address } })
  expect((await read(id, 'FACTURAE')).text).toContain('<TaxIdentificationNumber>FR12345678901<')
})

test('an invoice that a format cannot express is refused with the lines and fields', async () => {
  const lines = [line, { ...line, taxes: [...line.taxes, { name: 'Recargo de equivalencia', rate: '5.2' }] }]
  const { id } = await makeInvoice(owner, { lines, currency: 'kwd' })
  expect(detailsOf(await read(id, 'UBL'))).toEqual([
    ['currency', 'not_supported'],
    ['lines.1.taxes', 'not_supported'],
  ])
  expect(detailsOf(await read(id, 'FACTURAE'))).toEqual([['currency', 'not_supported']])
})

test('an application reads its own', async () => {
  const shop = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  const { id, userId } = await plantInvoice(server, shop)
  const ask = (at: string, key: string, as = userId) =>
    fetch(`${server.url}/api/external/v1/invoices/${at}/e-invoice?format=UBL&userId=${as}`, {
      headers: { 'x-api-key': key },
    })
  const answer = await ask(id, shop.key)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml'])
  const unknown = await (await ask(newId(), shop.key)).text()
  expect(await (await ask(id, shop.key, 'other')).text()).toBe(unknown)
  const other = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  expect(await (await ask(id, other.key)).text()).toBe(unknown)
})
