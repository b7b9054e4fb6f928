import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLetterhead, updateLetterhead } from '#contract/crm/letterhead.ts'
import { limits } from '#contract/limits.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const letterhead = {
  accentColor: '#1f5f3a',
  accountHolder: 'Harbour Books SL',
  iban: 'ES9121000418450200051332',
  bic: 'CAIXESBBXXX',
  footer: 'Registro Mercantil de Cádiz\nTomo 1, folio 2',
}
const none = { accentColor: null, accountHolder: null, iban: null, bic: null, footer: null }
const blank = { ...none, logo: null }

test('a letterhead requires CRM_VIEW to read and ORG_MANAGE to change', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  expect(await viewer.call(readLetterhead)).toEqual(blank)
  const body = {
    ...letterhead,
    iban: 'ES91 2100 0418 4502 0005 1332',
    footer: ' Registro Mercantil de Ca\u0301diz\r\nTomo 1, folio 2 ',
  }
  expect(refusalOf(await viewer.send(updateLetterhead, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  for (let time = 0; time < 2; time++)
    expect(await owner.call(updateLetterhead, { body })).toEqual({ ...letterhead, logo: null })
  expect(await viewer.call(readLetterhead)).toEqual({ ...letterhead, logo: null })
  expect(await owner.call(updateLetterhead, { body: none })).toEqual(blank)
  expect(await auditedChanges(server, organization.id)).toEqual([
    ['accentColor', 'accountHolder', 'iban', 'bic', 'footer'],
    [],
    ['accentColor', 'accountHolder', 'iban', 'bic', 'footer'],
  ])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect(await other.call(readLetterhead)).toEqual(blank)
})

test.each([
  ['accentColor', '#777777'],
  ['accentColor', 'red'],
  ['accountHolder', 'x'.repeat(limits.clientName + 1)],
  ['iban', 'ES9121000418450200051333'],
  ['iban', 'ES9021000418450200051332'],
  ['iban', 'ES91'],
  ['iban', 'es9121000418450200051332'],
  ['bic', 'CAIX'],
  ['footer', 'x'.repeat(limits.letterheadFooter + 1)],
  ['footer', 'a\nb\nc\nd\ne'],
])('%s cannot be %s', async (field, value) => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const body = { ...letterhead, [field]: value }
  expect(await owner.send(updateLetterhead, { body })).toMatchObject({
    status: 400,
    body: { details: [{ path: field }] },
  })
})

test.each([
  'GB82WEST12345698765432',
  'DE89370400440532013000',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
])('%s is an IBAN', async iban => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  expect(await owner.call(updateLetterhead, { body: { ...letterhead, iban } })).toMatchObject({ iban })
})
