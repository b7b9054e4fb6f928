import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { limits } from '#contract/limits.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const untouched = { phoneCountry: 'ES', signingReminders: null, portalGreeting: { es: null, en: null } }

test('the country of telephone numbers requires CRM_VIEW to read and ORG_MANAGE to change', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  expect(await viewer.call(readCrmSettings)).toEqual(untouched)
  const body = { phoneCountry: 'DE' }
  expect(refusalOf(await viewer.send(updateCrmSettings, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  const stored = { ...untouched, ...body }
  for (let time = 0; time < 2; time++) expect(await owner.call(updateCrmSettings, { body })).toEqual(stored)
  expect(await viewer.call(readCrmSettings)).toEqual(stored)
  for (const phoneCountry of ['ZZ', 'de', 'DEU'])
    expect(refusalOf(await owner.send(updateCrmSettings, { body: { phoneCountry } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  expect(await auditedChanges(server, organization.id)).toEqual([['phoneCountry'], []])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect(await other.call(readCrmSettings)).toEqual(untouched)
})

test('the reminders of signing links are set, kept when they are omitted, and ended', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const put = (body: object) => owner.send(updateCrmSettings, { body: { phoneCountry: 'ES', ...body } })
  const signingReminders = { days: 3, most: 2 }
  for (let time = 0; time < 2; time++)
    expect((await put({ signingReminders })).body).toEqual({ ...untouched, signingReminders })
  expect((await put({ phoneCountry: 'PT' })).body).toEqual({
    ...untouched,
    phoneCountry: 'PT',
    signingReminders,
  })
  for (const wrong of [
    { ...signingReminders, days: 0 },
    { ...signingReminders, days: limits.signingReminderDays + 1 },
    { ...signingReminders, most: limits.signingReminders + 1 },
  ])
    expect(refusalOf(await put({ signingReminders: wrong }))).toEqual([400, 'VALIDATION_ERROR'])
  expect((await put({ signingReminders: null })).body).toEqual(untouched)
  expect(await auditedChanges(server, organization.id)).toEqual([
    ['phoneCountry', 'signingReminders'],
    [],
    ['phoneCountry'],
    ['phoneCountry', 'signingReminders'],
  ])
})

test('the greeting of the portal is set, kept when it is omitted, bounded and removed', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const put = (body: object) => owner.send(updateCrmSettings, { body: { phoneCountry: 'ES', ...body } })
  const greeting = async (body: object) => (await put(body)).body.portalGreeting
  expect(await greeting({ portalGreeting: { es: ' Hola\r\nBienvenida ', en: '  ' } })).toEqual({
    es: 'Hola\nBienvenida',
    en: null,
  })
  expect(await greeting({})).toEqual({ es: 'Hola\nBienvenida', en: null })
  const longest = 'ñ'.repeat(limits.portalGreeting)
  expect(await greeting({ portalGreeting: { es: null, en: longest } })).toEqual({ es: null, en: longest })
  for (const wrong of [{ es: null, en: `${longest}x` }, { es: 'Hola' }, { es: null, en: null, fr: 'Salut' }])
    expect(refusalOf(await put({ portalGreeting: wrong }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(await greeting({ portalGreeting: { es: null, en: null } })).toEqual({ es: null, en: null })
  expect((await auditedChanges(server, organization.id)).map(names => names.at(-1))).toEqual([
    'portalGreeting',
    undefined,
    'portalGreeting',
    'portalGreeting',
  ])
})
