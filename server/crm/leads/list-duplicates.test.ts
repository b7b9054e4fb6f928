import { afterAll, beforeAll, expect, test } from 'vitest'
import { listLeadDuplicates } from '#contract/crm/team.ts'
import { newId } from '#platform/ids.ts'
import { eraseLeadOf, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('lists leads with the same e-mail or telephone in any status, without those of others', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const input = { email: 'ada@example.test', phone: '+34 600 111 222' }
  const first = await makeLead(owner, { email: 'ADA@example.test', firstName: 'Ada' })
  const second = await makeLead(owner, { email: 'other@example.test', phone: '600111222', notes: 'Secret' })
  const erased = await makeLead(owner, input)
  await eraseLeadOf(owner, erased.id)
  await makeLead(owner, { email: 'third@example.test' })
  await makeLead(stranger, input)
  await setStatus(server, organization.id, second.id, 'LOST')
  const lead = await makeLead(owner, input)
  const list = (id: string, by = owner) => by.send(listLeadDuplicates, { params: { id } })
  const { body } = await list(lead.id)
  expect(body.items).toMatchObject([
    { lead: { id: first.id, firstName: 'Ada', status: 'NEW' }, matchedOn: 'email' },
    { lead: { id: second.id, status: 'LOST' }, matchedOn: 'phone' },
  ])
  expect(body.items).toHaveLength(2)
  expect(JSON.stringify(body)).not.toContain('Secret')
  const alone = await makeLead(owner, { email: 'alone@example.test' })
  expect((await list(alone.id)).body).toEqual({ items: [] })
  const [away, unknown] = [await list(lead.id, stranger), await list(newId())]
  expect([away.status, away.text]).toEqual([404, unknown.text])
  const other = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect(refusalOf(await list(lead.id, other))).toEqual([403, 'PERMISSION_DENIED'])
})
