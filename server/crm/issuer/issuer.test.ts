import { afterAll, beforeAll, expect, test } from 'vitest'
import { readIssuer, updateIssuer } from '#contract/crm/issuer.ts'
import { limits } from '#contract/limits.ts'
import { anIssuer } from '#tests/support/crm/budgets.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('issuer details require CRM_VIEW to read and ORG_MANAGE to change', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  const nobody = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect(await viewer.call(readIssuer)).toEqual({ issuer: null })
  const input = anIssuer({ legalName: ' N\u0303andu\u0301 SL ' })
  expect(refusalOf(await viewer.send(updateIssuer, { body: input }))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await nobody.send(readIssuer))).toEqual([403, 'PERMISSION_DENIED'])
  const issuer = { ...input, legalName: 'Ñandú SL' }
  for (let time = 0; time < 2; time++)
    expect(await owner.call(updateIssuer, { body: input })).toEqual({ issuer })
  expect(await viewer.call(readIssuer)).toEqual({ issuer })
  const { email: _email, phone: _phone, currency: _currency, ...needed } = issuer
  const rest = { email: null, phone: null, currency: 'eur' }
  const less = await owner.call(updateIssuer, { body: { ...needed, city: 'Huelva' } })
  expect(less).toEqual({ issuer: { ...needed, ...rest, city: 'Huelva' } })
  expect(await auditedChanges(server, organization.id)).toEqual([
    ['legalName', 'taxId', 'address', 'city', 'postalCode', 'country', 'email', 'phone', 'currency'],
    [],
    ['city', 'email', 'phone'],
  ])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect(await other.call(readIssuer)).toEqual({ issuer: null })
})

test.each([
  ['legalName', ' '],
  ['legalName', 'x'.repeat(limits.clientName + 1)],
  ['taxId', 'x'.repeat(limits.clientTaxId + 1)],
  ['address', 'x'.repeat(limits.clientAddress + 1)],
  ['city', 'x'.repeat(limits.clientCity + 1)],
  ['postalCode', 'x'.repeat(limits.clientPostalCode + 1)],
  ['phone', '1'.repeat(limits.leadPhone + 1)],
  ['country', 'es'],
  ['email', 'nobody'],
  ['currency', 'EUR'],
])('refuses an invalid or too long %s', async (field, value) => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const body = { ...anIssuer(), [field]: value }
  expect(await owner.send(updateIssuer, { body })).toMatchObject({
    status: 400,
    body: { details: [{ path: field }] },
  })
})
