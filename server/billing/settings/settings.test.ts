import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBillingSettings, updateBillingSettings } from '#contract/billing/settings.ts'
import { limits } from '#contract/limits.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const first = {
  invoiceSeries: 'F',
  rectifyingSeries: 'R',
  paymentDays: 30,
  linkDays: 30,
  taxQrUrl: 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu',
  issuesRectifyingAtOnce: false,
}

test('are read with BILLING_VIEW and changed with ORG_MANAGE', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const viewer = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
  expect(await viewer.call(readBillingSettings)).toEqual(first)
  const body = { ...first, invoiceSeries: 'FAC', linkDays: 365, taxQrUrl: null, issuesRectifyingAtOnce: true }
  expect(refusalOf(await viewer.send(updateBillingSettings, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  for (let time = 0; time < 2; time++) expect(await owner.call(updateBillingSettings, { body })).toEqual(body)
  expect(await viewer.call(readBillingSettings)).toEqual(body)
  expect(await auditedChanges(server, organization.id)).toEqual([
    ['invoiceSeries', 'linkDays', 'taxQrUrl', 'issuesRectifyingAtOnce'],
    [],
  ])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect(await other.call(readBillingSettings)).toEqual(first)
})

test.each([
  ['invoiceSeries', 'f'],
  ['invoiceSeries', 'F1'],
  ['invoiceSeries', 'F'.repeat(limits.invoiceSeries + 1)],
  ['rectifyingSeries', 'F'],
  ['paymentDays', limits.invoicePaymentDays + 1],
  ['paymentDays', -1],
  ['taxQrUrl', 'http://aeat.example/qr'],
  ['taxQrUrl', 'https://aeat.example/qr?a=b'],
  ['taxQrUrl', `https://${'a'.repeat(200)}`],
  ['linkDays', 0],
  ['linkDays', limits.invoiceLinkDays + 1],
])('%s cannot be %s', async (field, value) => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const answer = await owner.send(updateBillingSettings, { body: { ...first, [field]: value } })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
})

test('a series of one kind cannot be used for the other kind', async () => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const of = { organization_id: owner.organizationId, last: 1, last_date: '2026-01-01' }
  await insertRows(server, 'invoice_counter', [
    { ...of, series: 'F2026', prefix: 'F', is_rectifying: false },
    { ...of, series: 'R2026', prefix: 'R', is_rectifying: true },
  ])
  for (const [body, path] of [
    [{ ...first, invoiceSeries: 'R', rectifyingSeries: 'Q' }, 'invoiceSeries'],
    [{ ...first, invoiceSeries: 'Q', rectifyingSeries: 'F' }, 'rectifyingSeries'],
  ] as const)
    expect(await owner.send(updateBillingSettings, { body })).toMatchObject({
      status: 400,
      body: { details: [{ path }] },
    })
  expect((await owner.send(updateBillingSettings, { body: first })).status).toBe(200)
})
