import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readLeadSyncStatus } from '#contract/crm/lead-sync-status.ts'
import { findLeadByEmail, listLeads, syncLeads } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import { connect } from '#sdk/client.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { defined, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { insertApplicationKey, makeApplication } from '#tests/support/integrations/applications.ts'
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
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const status = (by = owner) => by.call(readLeadSyncStatus, {})
const reader = (name: string) => makeApplication(server, organization, { name, scopes: ['crm:leads:read'] })
const full = [
  { calls: 'reads', limit: limits.leadReadsPerHour, left: limits.leadReadsPerHour },
  { calls: 'syncs', limit: limits.leadSyncsPerHour, left: limits.leadSyncsPerHour },
  { calls: 'lookUps', limit: limits.leadsByEmailPerHour, left: limits.leadsByEmailPerHour },
  { calls: 'writes', limit: limits.leadWritesPerHour, left: limits.leadWritesPerHour },
]

test('an application that has not called yet has no position', async () => {
  const { id } = await reader('Billing')
  await makeApplication(server, organization, { name: 'Writer', scopes: ['crm:leads:write'] })
  const elsewhere = await server.organization()
  await makeApplication(server, elsewhere, { scopes: ['crm:leads:read'] })
  expect(await status()).toEqual({
    lastChangeAt: null,
    resetsAt: expect.stringMatching(/:00:00.000Z$/),
    applications: [
      {
        applicationId: id,
        name: 'Billing',
        isActive: true,
        lastSyncAt: null,
        cursorAt: null,
        changesBehind: null,
        behindSince: null,
        callsLeft: full,
      },
    ],
  })
})

test('shows how far an application has read, also after more changes', async () => {
  const { client } = await reader('Newsletter')
  const empty = await client.call(syncLeads, {})
  expect((await status()).applications[0]).toMatchObject({ cursorAt: null, changesBehind: 0 })
  const leads = []
  for (let n = 0; n < 3; n++) leads.push(await makeLead(owner))
  await client.call(syncLeads, { query: { limit: 1, cursor: empty.nextCursor } })
  const partly = await status()
  expect(partly.lastChangeAt).toBe(itemAt(leads, 2).updatedAt)
  expect(partly.applications).toMatchObject([
    { cursorAt: firstOf(leads).updatedAt, changesBehind: 2, behindSince: itemAt(leads, 1).updatedAt },
  ])
  await client.call(syncLeads, {})
  const whole = only((await status()).applications)
  expect(whole).toMatchObject({ cursorAt: itemAt(leads, 2).updatedAt, changesBehind: 0, behindSince: null })
  expect(defined(whole.lastSyncAt) > defined(only(partly.applications).lastSyncAt)).toBe(true)
  // calls of people are no synchronization
  await owner.call(syncLeads, { query: { limit: 1 } })
  expect((await status()).applications[0]).toEqual(whole)
})

test('counts the calls of each limit, with the key that has the fewest left', async () => {
  const { client, ...application } = await reader('Dialler')
  const { key } = await insertApplicationKey(server, application)
  const second = connect(server.url, { apiKey: key }, { retries: 0 })
  await client.call(listLeads, {})
  await second.call(listLeads, {})
  await second.call(listLeads, {})
  await client.call(syncLeads, {})
  await client.send(findLeadByEmail, { query: { email: 'nobody@example.test' } })
  const found = only((await status()).applications)
  expect(found.callsLeft.map(({ limit, left }) => limit - left)).toEqual([2, 1, 1, 0])
  await server.sql(
    `update rate_window set used = 700 where bucket = 'lead-reads' and caller in (
       select id from application_key where application_id = $1)`,
    [application.id],
  )
  expect(firstOf(only((await status()).applications).callsLeft).left).toBe(0)
})

test('says which applications cannot call', async () => {
  await reader('A')
  const { keyId } = await reader('B')
  await makeApplication(server, organization, { name: 'C', scopes: ['crm:leads:read'], status: 'DISABLED' })
  await server.sql('update application_key set revoked_at = now() where id = $1', [keyId])
  const { applications } = await status()
  expect(applications.map(({ name, isActive }) => [name, isActive])).toEqual([
    ['A', true],
    ['B', false],
    ['C', false],
  ])
})

test('is for people who may see leads', async () => {
  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  expect((await status(viewer)).applications).toEqual([])
  const other = await organization.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  expect(refusalOf(await other.send(readLeadSyncStatus, {}))).toEqual([403, 'PERMISSION_DENIED'])
})
