import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSecretNames, updateSecretNames } from '#contract/error-reports/secret-names.ts'
import { readErrorGroup } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { only } from '#tests/support/elements.ts'
import { createReporter, listErrorsOf, reportTestError } from '#tests/support/error-reports/reports.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('are set for the organization by people who manage error reports', async () => {
  const organization = await server.organization()
  const manager = await organization.person({ permissions: ['ERROR_REPORTS_MANAGE'] })
  const member = await organization.person({ role: 'MEMBER' })
  expect(await manager.call(readSecretNames)).toEqual({ names: [] })
  const body = { names: ['Número de socio', ' nss ', 'nss'] }
  expect(refusalOf(await member.send(updateSecretNames, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await member.send(readSecretNames))).toEqual([403, 'PERMISSION_DENIED'])
  for (let time = 0; time < 2; time++)
    expect(await manager.call(updateSecretNames, { body })).toEqual({ names: ['Número de socio', 'nss'] })
  expect(await manager.call(readSecretNames)).toEqual({ names: ['Número de socio', 'nss'] })
  expect(await auditedChanges(server, organization.id)).toEqual([['secretNames'], []])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect(await other.call(readSecretNames)).toEqual({ names: [] })
})

test('apply to every part of a report of that organization only', async () => {
  const stored: unknown[] = []
  for (const names of [['Número de socio'], []]) {
    const organization = await server.organization()
    const manager = await organization.person({ permissions: ['ERROR_REPORTS_MANAGE'] })
    await manager.call(updateSecretNames, { body: { names } })
    const source = await createReporter(server, organization)
    await reportTestError(source, {
      message: 'No such member: numero_de_socio=A-77',
      stack: 'Error: {"númeroDeSocio":"A-77"}',
      endpoint: '/members?numero-de-socio=A-77',
      context: { deep: { numeroDeSocio: 'A-77', plan: 'TEAM' } },
    })
    const error = only(await listErrorsOf(source))
    const params = { id: source.id, errorId: error.id }
    stored.push([
      error.message,
      JSON.stringify(await manager.call(readErrorGroup, { params })).includes('A-77'),
    ])
  }
  expect(stored).toEqual([
    ['No such member: numero_de_socio=[filtered]', false],
    ['No such member: numero_de_socio=A-77', true],
  ])
})

test.each([
  ['', 'names'],
  ['---', 'names'],
  ['a\nb', 'names'],
  ['x'.repeat(limits.secretName + 1), 'names'],
])('cannot be %j', async (name, path) => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const answer = await owner.send(updateSecretNames, { body: { names: [name] } })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: expect.stringContaining(path) }] } })
})

test('are limited in number', async () => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const names = Array.from({ length: limits.secretNames + 1 }, (_, n) => `name ${n}`)
  expect((await owner.send(updateSecretNames, { body: { names } })).status).toBe(400)
  expect((await owner.send(updateSecretNames, { body: { names: names.slice(1) } })).status).toBe(200)
})
