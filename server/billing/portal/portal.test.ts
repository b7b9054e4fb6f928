import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueInvoice, rectifyInvoice } from '#contract/billing/invoices.ts'
import { listInvoiceLinks, makePublicLink } from '#contract/billing/links.ts'
import {
  listPortalInvoices,
  openPortalEInvoice,
  openPortalInvoice,
  payPortalInvoice,
} from '#contract/billing/portal.ts'
import { updateContact } from '#contract/crm/contacts.ts'
import { newId } from '#platform/ids.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { openPortal, type TestCustomer } from '#tests/support/crm/portal.ts'
import { captured, defined } from '#tests/support/elements.ts'
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
let app: TestApplication
let customer: TestCustomer
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  app = await makeApplication(server, organization, {})
  customer = await openPortal(server, owner)
})
afterAll(() => server?.close())

const portal = ({ token } = customer) => server.client(token)
const page = async ({ token } = customer) => {
  const headers = { accept: 'text/html', cookie: `patio_portal=${token}` }
  return (await fetch(`${server.url}/portal/invoices`, { headers })).text()
}

test('only invoices issued to the client are listed, with their PDF', async () => {
  expect(await page()).toContain('Todavía no hay ninguna')
  const { clientId } = customer
  const paid = await plantInvoice(server, app, { clientId })
  await server.sql('update invoice set paid_cents = total_cents where id = $1', [paid.id])
  const due = await plantInvoice(server, app, { clientId })
  await server.sql(`update invoice set due_date = '2020-01-02' where id = $1`, [due.id])
  const others = await Promise.all([
    plantInvoice(server, app, { clientId, lifecycle: 'DRAFT' }),
    plantInvoice(server, app, { clientId, lifecycle: 'VOIDED' }),
    plantInvoice(server, app),
  ])
  const { items } = await portal().call(listPortalInvoices)
  const common = { issueDate: '2026-11-02', currency: 'eur', totalCents: 12_100 }
  expect(items).toEqual([
    {
      ...common,
      id: due.id,
      number: due.number,
      status: 'ISSUED',
      dueDate: '2020-01-02',
      isOverdue: true,
      dueCents: 12_100,
      isPayable: false,
      formats: ['UBL', 'FACTURAE'],
    },
    {
      ...common,
      id: paid.id,
      number: paid.number,
      status: 'PAID',
      dueDate: '2999-12-02',
      isOverdue: false,
      dueCents: 0,
      isPayable: false,
      formats: ['UBL', 'FACTURAE'],
    },
  ])
  const text = (await page()).replaceAll('\u00a0', ' ')
  for (const shown of [
    'Pagada',
    'Vencida: 121,00 €',
    '2 de enero de 2020',
    '2 de noviembre de 2026',
    `/portal/invoices/${due.id}/pdf`,
  ])
    expect(text).toContain(shown)
  const pdf = await portal().send(openPortalInvoice, { params: { id: due.id } })
  expect([pdf.status, pdf.headers.get('content-disposition')]).toEqual([
    200,
    `inline; filename="${due.number}.pdf"`,
  ])
  const unknown = await portal().send(openPortalInvoice, { params: { id: newId() } })
  expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  for (const { id } of others)
    expect((await portal().send(openPortalInvoice, { params: { id } })).text).toBe(unknown.text)
})

test('the electronic formats of an invoice are offered as far as they can represent it', async () => {
  const client = await openPortal(server, owner)
  const { id, number } = await plantInvoice(server, app, { clientId: client.clientId })
  const foreign = await plantInvoice(server, app, { clientId: client.clientId, currency: 'usd' })
  const open = (at: string, format: 'UBL' | 'FACTURAE', by = client) =>
    portal(by).send(openPortalEInvoice, { params: { id: at }, query: { format } })
  const { items } = await portal(client).call(listPortalInvoices)
  expect(items.map(item => [item.id, item.formats])).toEqual([
    [foreign.id, ['UBL']],
    [id, ['UBL', 'FACTURAE']],
  ])
  const text = await page(client)
  expect(text).toContain(`/portal/invoices/${id}/e-invoice?format=FACTURAE`)
  expect(text).not.toContain(`/portal/invoices/${foreign.id}/e-invoice?format=FACTURAE`)
  const file = await open(id, 'FACTURAE')
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="${number}-facturae.xml"`,
  ])
  expect(refusalOf(await open(foreign.id, 'FACTURAE'))).toEqual([422, 'INVOICE_FORMAT_UNAVAILABLE'])
  expect(refusalOf(await open(id, 'UBL', customer))).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  expect((await open(id, 'UBL', { ...client, token: 'no' })).status).toBe(401)
})

test('a rectified invoice without payments is not shown as paid in the portal, on its page and in the PDF', async () => {
  const client = await openPortal(server, owner)
  const invoice = await plantInvoice(server, app, { clientId: client.clientId })
  await plantIssuer(server, organization.id)
  await server.sql(
    `update crm_client set tax_id = 'B12345674', address = 'Calle 1', city = 'Bilbao', postal_code = '48001', country = 'ES'
     where id = $1`,
    [client.clientId],
  )
  const params = { id: invoice.id }
  const { publicUrl } = await owner.call(makePublicLink, { params, body: {} })
  const draft = await owner.call(rectifyInvoice, { params, body: { reason: 'Error' } })
  const { number } = await owner.call(issueInvoice, { params: { id: draft.id }, body: {} })
  const { items } = await portal(client).call(listPortalInvoices)
  expect(items.find(({ id }) => id === invoice.id)).toMatchObject({ status: 'RECTIFIED', dueCents: 0 })
  expect(await page(client)).toContain('Rectificada: no hay nada que pagar')
  const payPage = await fetch(`${server.url}/p/${captured(/\/p\/(.+)/, publicUrl)}`)
  expect(await payPage.text()).toMatch(/rectified: nothing is due|se ha rectificado: no hay nada que pagar/)
  const headers = { authorization: `Bearer ${owner.token}` }
  const pdf = await fetch(`${server.url}/api/billing/invoices/${invoice.id}/pdf`, { headers })
  const proxy = await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer()))
  const { text } = await extractText(proxy, { mergePages: true })
  expect(text).toMatch(/Rectificada por: R\d{4}-\d{6}\./)
  expect(text).toContain(`Rectificada por: ${number}.`)
})

test('contacts who receive no invoices, visitors without a session and organizations without the module see none', async () => {
  const { id } = await plantInvoice(server, app, { clientId: customer.clientId })
  const visibility = async () => {
    const { items } = await portal().call(listPortalInvoices)
    return [items.length > 0, (await portal().send(openPortalInvoice, { params: { id } })).status]
  }
  expect(await visibility()).toEqual([true, 200])
  const params = { id: customer.contactId }
  await owner.call(updateContact, { params, body: { receivesInvoices: false } })
  expect(await visibility()).toEqual([false, 404])
  await owner.call(updateContact, { params, body: { receivesInvoices: true } })
  await server.sql(`update organization set modules_removed = '{finance}' where id = $1`, [organization.id])
  expect(await visibility()).toEqual([false, 404])
  for (const token of [undefined, owner.token]) {
    expect((await server.client(token).send(listPortalInvoices)).status).toBe(401)
    expect((await server.client(token).send(openPortalInvoice, { params: { id } })).status).toBe(401)
  }
})

test('an invoice is paid from the portal with a link of its own (PRT-13)', async () => {
  const other = await server.organization()
  const payee = await other.person({ role: 'OWNER' })
  const payer = await openPortal(server, payee)
  const shop = await makeApplication(server, other, {})
  const { id } = await plantInvoice(server, shop, { clientId: payer.clientId })
  const params = { id }
  const pay = () => portal(payer).send(payPortalInvoice, { params })
  // without a gateway account, nobody can pay by card
  expect(refusalOf(await pay())).toEqual([409, 'INVOICE_STATE_INVALID'])
  expect(await page(payer)).not.toContain('<button aria-label="Pagar')
  await plantAccount(server, other.id)
  const { publicUrl } = await payee.call(makePublicLink, { params, body: {} })
  expect(await page(payer)).toContain(`action="/portal/invoices/${id}/pay"`)

  const headers = { accept: 'text/html', cookie: `patio_portal=${payer.token}` }
  const answer = await fetch(`${server.url}/portal/invoices/${id}/pay`, {
    method: 'POST',
    headers,
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  const { pathname } = new URL(defined(answer.headers.get('location')))
  expect(pathname).toMatch(/^\/p\//)
  for (const path of [pathname, new URL(defined(publicUrl)).pathname])
    expect(await (await fetch(`${server.url}${path}`)).text()).toContain(`${path}/pay`)
  const { items } = await payee.call(listInvoiceLinks, { params })
  expect(items.map(({ kind, isCurrent }) => [kind, isCurrent])).toEqual([
    ['ACTION', true],
    ['PRIMARY', true],
  ])

  await server.sql('update invoice set paid_cents = total_cents where id = $1', [id])
  expect(refusalOf(await pay())).toEqual([409, 'INVOICE_STATE_INVALID'])
  // a contact of another client
  const stranger = await portal().send(payPortalInvoice, { params })
  expect(refusalOf(stranger)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
})
