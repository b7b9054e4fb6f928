import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadStatuses } from '#contract/crm/shapes.ts'
import { seedDemo } from '#server/identity/area.ts'
import { exactly, findIn, itemAt, only } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { seedCrm } from './demo.ts'
import { readStoredPdf } from './signing/stored-pdf.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('the demo has leads in all statuses, a client with budgets and a conversion, if the plan includes leads', async () => {
  const { database } = server.api.services
  const demo = await seedDemo(database, server.api.identity.signIn, [seedCrm(server.api.services)])
  const [acme, borealis] = exactly(2, demo.organizations)
  const leads = await server.sql<{ organization_id: string; status: string; client_id: string | null }>(
    'select organization_id, status, client_id from lead',
  )
  expect(new Set(leads.map(({ status }) => status))).toEqual(new Set(leadStatuses))
  expect(new Set(leads.map(({ organization_id }) => organization_id))).toEqual(new Set([acme.id]))
  expect(borealis.plan).toBe('FREE')
  const client = only(
    await server.sql(
      `select c.id, count(*)::int as contacts from crm_client c
       join crm_billing_contact b on b.organization_id = c.organization_id and b.client_id = c.id group by c.id`,
    ),
  )
  expect(client).toEqual({ id: findIn(leads, ({ status }) => status === 'WON').client_id, contacts: 2 })
  const budgets = 'select code, status, client_id, total_cents::int as cents from budget order by code'
  expect(await server.sql(budgets)).toEqual([
    { code: expect.stringMatching(/^P-\d{4}-0001$/), status: 'DRAFT', client_id: client.id, cents: 845_313 },
    { code: expect.stringMatching(/-0002$/), status: 'SENT', client_id: client.id, cents: 143_748 },
    { code: expect.stringMatching(/-0003$/), status: 'SIGNED', client_id: client.id, cents: 153_670 },
  ])
  const documents = await server.sql<{ code: string; sha256: string }>(
    `select b.code, d.sha256 from budget b
     join budget_document d on d.organization_id = b.organization_id and d.budget_id = b.id order by b.code`,
  )
  expect(documents.map(({ code }) => code.slice(-5))).toEqual(['-0002', '-0003'])
  for (const { sha256 } of documents) {
    const pdf = await readStoredPdf(server.api.services.files, sha256)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  }
  expect(await server.sql('select document_hash, hash_version from budget_signature')).toEqual([
    { document_hash: itemAt(documents, 1).sha256, hash_version: 3 },
  ])
  expect(await server.sql('select organization_id from crm_issuer')).toEqual([{ organization_id: acme.id }])
  await server.relayed()
  const events = await server.sql('select distinct name from event order by name')
  expect(events.map(({ name }) => name)).toEqual([
    'BUDGET_SIGNED',
    'LEAD_CONVERTED',
    'LEAD_CREATED',
    'LEAD_DISQUALIFIED',
    'LEAD_QUALIFIED',
    'LEAD_UPDATED',
    'contact.changed',
    'opportunity.changed',
  ])
})
