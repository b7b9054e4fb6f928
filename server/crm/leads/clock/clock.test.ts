import { afterAll, beforeAll, expect, test } from 'vitest'
import { qualifyLead } from '#contract/crm/lead-moves.ts'
import { createLead } from '#contract/crm/leads.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('the database refuses a write that bypasses the clock', async () => {
  const organization = await server.organization()
  const person = await organization.person()
  const { lead } = await person.call(createLead, {
    query: {},
    body: { email: 'Ada@Example.com', phone: '600 123 456' },
  })
  const { lead: qualified } = await person.call(qualifyLead, { params: { id: lead.id }, body: {} })
  expect(qualified.status).toBe('QUALIFIED')
  expect(Date.parse(qualified.updatedAt)).toBeGreaterThan(Date.parse(lead.updatedAt))
  const raw = (set: string) =>
    server.sql(`update lead set ${set} where organization_id = $1 and id = $2`, [organization.id, lead.id])
  await expect(raw(`company = 'Elsewhere'`)).rejects.toThrow('lead_clock')
  await expect(raw('updated_at = now()')).rejects.toThrow('lead_clock')
  const [clock] = await server.sql('select * from lead_clock where organization_id = $1', [organization.id])
  expect(clock).toMatchObject({ new_count: 0, qualified_count: 1 })
  const again = await person.call(createLead, { query: {}, body: { email: 'ada@example.com' } })
  expect(again.duplicates).toEqual([{ id: lead.id, matchedOn: 'email' }])
})
