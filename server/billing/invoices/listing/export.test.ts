import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoice, issueInvoice } from '#contract/billing/invoices.ts'
import { limits } from '#contract/limits.ts'
import { plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { until } from '#tests/support/processes.ts'
import { dayAfter, insertMany } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
})
afterAll(() => server?.close())

async function exported(query = '', by = owner): Promise<{ response: Response; bytes: Buffer }> {
  const response = await fetch(`${server.url}/api/billing/invoices/export${query}`, {
    headers: { authorization: `Bearer ${by.token}` },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const linesIn = (bytes: Buffer) => bytes.toString().replace('\ufeff', '').trimEnd().split('\r\n')
const header =
  'id,number,status,issueDate,dueDate,clientId,clientName,userId,currency,subtotal,tax,total,paid,due,refunded,rectified'

test('a file has the mark of UTF-8, the decimals of each currency, and no formulas', async () => {
  const make = async (currency: string, unitPriceCents: number, name: string) => {
    const { id: clientId } = await makeClient(owner, { ...whereabouts, name })
    const lines = [{ description: 'x', unitPriceCents }]
    return owner.call(createInvoice, { body: { clientId, currency, lines, dueDate: '2031-01-31' } })
  }
  const euros = await make('eur', 1_250, '=HYPERLINK("x")')
  const yen = await make('jpy', 1_250, 'Ångström; Söhne')
  const dinars = await make('kwd', 5, '+34 600')
  const params = { id: euros.id }
  const { number } = await owner.call(issueInvoice, { params, body: { issueDate: '2026-03-02' } })
  const { response, bytes } = await exported()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="invoices.csv"')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const zeros = (zero: string) => [zero, zero].join(',')
  expect(linesIn(bytes)).toEqual([
    header,
    `${euros.id},${number},ISSUED,2026-03-02,2031-01-31,${euros.clientId},"'=HYPERLINK(""x"")",,eur,12.50,0.00,12.50,0.00,12.50,${zeros('0.00')}`,
    `${yen.id},,DRAFT,,2031-01-31,${yen.clientId},"Ångström; Söhne",,jpy,1250,0,1250,0,1250,${zeros('0')}`,
    `${dinars.id},,DRAFT,,2031-01-31,${dinars.clientId},'+34 600,,kwd,0.005,0.000,0.005,0.000,0.005,${zeros('0.000')}`,
  ])
  const bare = await exported('?byteOrderMark=false&status=ISSUED')
  expect(bare.bytes.toString().split('\r\n')).toEqual([header, expect.stringContaining(euros.id), ''])
  await server.sql('update invoice set total_cents = -1250, subtotal_cents = -1250 where id = $1', [euros.id])
  expect(linesIn((await exported(`?clientId=${euros.clientId}`)).bytes)[1]).toContain(
    ',eur,-12.50,0.00,-12.50,',
  )
})

test('an export takes the filters of the list, reads in batches, and is recorded', async () => {
  const organization = await server.organization()
  const person = await organization.person({ role: 'OWNER' })
  const shop = await makeApplication(server, organization)
  const { id, clientId, userId } = await plantInvoice(server, shop)
  await insertMany(server, 'invoice', 2 * limits.invoiceExportPage, n => ({
    organization_id: organization.id,
    id: `d${String(n).padStart(6, '0')}`,
    application_id: shop.id,
    external_user_id: userId,
    client_id: clientId,
    number: `Y${n}`,
    subtotal_cents: n,
    total_cents: n,
    issue_date: dayAfter('2026-01-01', n % 10),
  }))
  const all = linesIn((await exported('', person)).bytes)
  expect(new Set(all).size).toBe(2 * limits.invoiceExportPage + 2)
  const numbers = async (query: string) =>
    linesIn((await exported(query, person)).bytes)
      .slice(1)
      .map(line => line.split(',')[1])
  expect(await numbers(`?search=${limits.invoiceExportPage + 1}`)).toEqual([
    `Y${limits.invoiceExportPage + 1}`,
  ])
  expect(await numbers('?issuedFrom=2026-01-10&issuedTo=2026-01-10')).toHaveLength(
    (2 * limits.invoiceExportPage) / 10,
  )
  expect(await numbers(`?applicationId=${shop.id}&userId=nobody`)).toEqual([])
  const refused = await exported(`?userId=${userId}`, person)
  expect(refused.response.status).toBe(400)
  const details = () =>
    server.sql<{ detail: object }>(
      `select detail from audit where organization_id = $1 and operation = 'GET /api/billing/invoices/export' order by seq`,
      [organization.id],
    )
  await until('the exports are in the audit log', async () => (await details()).length === 4)
  expect((await details()).map(({ detail }) => detail)).toEqual([
    {},
    // the text may be a name
    { search: true },
    { issuedFrom: '2026-01-10', issuedTo: '2026-01-10' },
    { applicationId: shop.id, userId: 'nobody' },
  ])
  expect(id).toBeTruthy()
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(linesIn((await exported('', stranger)).bytes)).toEqual([header])
  const member = await organization.person({ permissions: ['CRM_VIEW'] })
  expect((await exported('', member)).response.status).toBe(403)
})
