import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLeadByEmail } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import type { Client } from '#sdk/client.ts'
import { makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
  client = (await makeApplication(server, organization, { scopes: ['crm:leads:read'] })).client
})
afterAll(() => server?.close())

const find = (email: string, by: Client = client) => by.send(findLeadByEmail, { query: { email } })

test('returns the most recently changed open lead and the number of matches', async () => {
  await makeLead(person, { email: 'Ada@Bücher.example' })
  const latest = await makeLead(person, { email: 'ada@xn--bcher-kva.example' })
  for (const email of ['ada@bücher.example', 'ADA@BÜCHER.EXAMPLE', ' ada@xn--bcher-kva.example\t']) {
    const { status, body } = await find(email)
    expect([status, body]).toEqual([200, { ...latest, matches: 2 }])
  }
  await setStatus(server, organization.id, latest.id, 'LOST')
  expect((await find('ada@bücher.example')).body.matches).toBe(1)
  for (const email of ['ad.a@bücher.example', 'ada+crm@bücher.example'])
    expect((await find(email)).status).toBe(404)
})

test('closed, erased, foreign and missing leads give the same reply after the same time', async () => {
  const closed = await Promise.all(
    (['LOST', 'WON'] as const).map(async status => {
      const email = `${status}@example.test`.toLowerCase()
      await setStatus(server, organization.id, (await makeLead(person, { email })).id, status)
      return email
    }),
  )
  const elsewhere = await (await server.organization()).person()
  await makeLead(elsewhere, { email: 'elsewhere@example.test' })
  const emails = [...closed, 'elsewhere@example.test', 'nowhere@example.test']
  const answers = new Set<string>()
  for (const by of [client, person]) {
    for (const email of emails) {
      const began = performance.now()
      const answer = await find(email, by)
      expect(refusalOf(answer)).toEqual([404, 'EMAIL_NOT_INDEXED_LEAD'])
      expect(performance.now() - began).toBeGreaterThanOrEqual(limits.leadByEmailMs)
      answers.add(answer.text)
    }
  }
  expect(answers.size).toBe(1)
})

test('refuses an invalid e-mail', async () => {
  for (const email of ['', 'ada', 'a@b', 'a b@example.test'])
    expect(refusalOf(await find(email))).toEqual([400, 'VALIDATION_ERROR'])
})

test('an application can make 300 requests per hour', async () => {
  await setUsed(server, limits.leadsByEmailPerHour, { bucket: 'leads-by-email' })
  const answer = await find('ada@example.test')
  expect(refusalOf(answer)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await find('ada@example.test', person)).status).toBe(404)
})
