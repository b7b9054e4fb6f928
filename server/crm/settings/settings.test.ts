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

test('the country of telephone numbers requires CRM_VIEW to read and ORG_MANAGE to change', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  expect(await viewer.call(readCrmSettings)).toEqual({ phoneCountry: 'ES', signingReminders: null })
  const body = { phoneCountry: 'DE' }
  expect(refusalOf(await viewer.send(updateCrmSettings, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  const stored = { ...body, signingReminders: null }
  for (let time = 0; time < 2; time++) expect(await owner.call(updateCrmSettings, { body })).toEqual(stored)
  expect(await viewer.call(readCrmSettings)).toEqual(stored)
  for (const phoneCountry of ['ZZ', 'de', 'DEU'])
    expect(refusalOf(await owner.send(updateCrmSettings, { body: { phoneCountry } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  expect(await auditedChanges(server, organization.id)).toEqual([['phoneCountry'], []])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect(await other.call(readCrmSettings)).toEqual({ phoneCountry: 'ES', signingReminders: null })
})

test('the reminders of signing links are set, kept when they are omitted, and ended', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const put = (body: object) => owner.send(updateCrmSettings, { body: { phoneCountry: 'ES', ...body } })
  const signingReminders = { days: 3, most: 2 }
  for (let time = 0; time < 2; time++)
    expect((await put({ signingReminders })).body).toEqual({ phoneCountry: 'ES', signingReminders })
  expect((await put({ phoneCountry: 'PT' })).body).toEqual({ phoneCountry: 'PT', signingReminders })
  for (const wrong of [
    { ...signingReminders, days: 0 },
    { ...signingReminders, days: limits.signingReminderDays + 1 },
    { ...signingReminders, most: limits.signingReminders + 1 },
  ])
    expect(refusalOf(await put({ signingReminders: wrong }))).toEqual([400, 'VALIDATION_ERROR'])
  expect((await put({ signingReminders: null })).body).toEqual({ phoneCountry: 'ES', signingReminders: null })
  expect(await auditedChanges(server, organization.id)).toEqual([
    ['phoneCountry', 'signingReminders'],
    [],
    ['phoneCountry'],
    ['phoneCountry', 'signingReminders'],
  ])
})
