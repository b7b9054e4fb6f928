import { afterAll, beforeAll, expect, it } from 'vitest'
import { readContact } from '#contract/crm/contacts.ts'
import { convertLead, qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import { createLead, findLeadByEmail, readLead, syncLeads, updateLead } from '#contract/crm/leads.ts'
import { readOpportunity, updateOpportunity } from '#contract/crm/opportunities.ts'
import { listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import { deliveriesTo } from '#tests/support/chat/agents.ts'
import { convert, eraseLeadOf } from '#tests/support/crm/leads-and-clients.ts'
import { defined } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

/** LEAD, SYNC: a prospecting tool creates a lead, the team wins it, and another CRM follows all changes. */

const events = [
  'CREATED',
  'UPDATED',
  'QUALIFIED',
  'DISQUALIFIED',
  'CONVERTED',
  'SCORE_UPDATED',
  'ERASED',
].map(name => `LEAD_${name}`)
const ada = {
  email: 'ada@lovelace.test',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Analytical Engines',
}

let server: TestServer
let organization: Organization
let owner: Person
let seller: Person
let prospector: TestApplication
let otherCrm: TestApplication
let leadId: string
let contactId: string
let opportunityId: string
let cursor: string | undefined
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  seller = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  const webhook = { url: 'https://receiver.test/hook', events }
  prospector = await makeApplication(server, organization, {
    ...webhook,
    scopes: ['crm:leads:read', 'crm:leads:write', 'crm:leads:read:scoring'],
  })
  otherCrm = await makeApplication(server, organization, { ...webhook, scopes: ['crm:leads:read'] })
})
afterAll(() => server?.close())

/** The changes that the other CRM receives from its cursor. */
async function synced() {
  const page = await otherCrm.client.call(syncLeads, { query: cursor === undefined ? {} : { cursor } })
  cursor = page.nextCursor
  return page.data
}
/** The events that an application received since the last call. */
const receivedCounts = new Map<string, number>()
async function news(app: TestApplication): Promise<string[]> {
  const received = await deliveriesTo(server, app)
  const fresh = received.slice(receivedCounts.get(app.id) ?? 0)
  receivedCounts.set(app.id, received.length)
  return fresh
}

it('a prospecting tool creates a lead, and the other CRM receives it', async () => {
  const { lead, changed } = await prospector.client.call(createLead, { body: { ...ada, source: 'fair' } })
  leadId = lead.id
  expect(changed).toBe(true)
  expect(lead).toMatchObject({ ...ada, status: 'NEW', isConverted: false })
  expect(await news(otherCrm)).toEqual(['LEAD_CREATED'])
  // the author receives no event
  expect(await news(prospector)).toEqual([])
  expect(await synced()).toEqual([lead])
  expect(await synced()).toEqual([])
  const found = await otherCrm.client.call(findLeadByEmail, { query: { email: 'ADA@lovelace.test' } })
  expect(found).toEqual({ ...lead, matches: 1 })
})

it('the team works on the lead', async () => {
  const params = { id: leadId }
  await seller.call(updateLead, { params, body: { assigneeId: seller.id, stage: 'First call' } })
  await seller.call(scoreLead, { params, body: { score: 80, temperature: 'HOT' } })
  await seller.call(qualifyLead, { params, body: { reason: 'Has a budget', source: 'manual' } })
  expect(await news(prospector)).toEqual([
    'LEAD_UPDATED',
    'LEAD_UPDATED',
    'LEAD_SCORE_UPDATED',
    'LEAD_QUALIFIED',
    'LEAD_UPDATED',
  ])
  // the score requires its scope
  expect(await news(otherCrm)).toEqual(['LEAD_UPDATED', 'LEAD_QUALIFIED', 'LEAD_UPDATED'])
  const [lead, ...others] = await synced()
  expect(others).toEqual([])
  expect(lead).toMatchObject({ status: 'QUALIFIED', assigneeId: seller.id, stage: 'First call' })
  expect(lead).not.toHaveProperty('score')
})

it('a stale version cannot overwrite changes', async () => {
  const params = { id: leadId }
  const read = await prospector.client.call(readLead, { params })
  await seller.call(updateLead, { params, body: { company: 'Engines of Ada' } })
  const late = await prospector.client.send(updateLead, {
    params,
    body: { company: 'Analytical Engines', expectedUpdatedAt: read.updatedAt },
  })
  expect(refusalOf(late)).toEqual([409, 'LEAD_UPDATE_CONFLICT'])
  // events do not cover the company, the sync does
  expect(await news(prospector)).toEqual([])
  expect(await synced()).toMatchObject([{ id: leadId, company: 'Engines of Ada' }])
})

it('the seller converts the lead into a contact, a client and an opportunity, irreversibly', async () => {
  const may = await prospector.client.send(convertLead, {
    params: { id: leadId },
    body: { reason: 'They signed the offer today' },
  })
  expect(refusalOf(may)).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const done = await convert(seller, leadId, { createOpportunity: true })
  contactId = done.contactId
  opportunityId = defined(done.opportunityId)
  for (const app of [prospector, otherCrm])
    expect(await news(app)).toEqual(['LEAD_CONVERTED', 'LEAD_UPDATED'])
  expect(await synced()).toEqual([done.lead])
  const change = await prospector.client.send(updateLead, {
    params: { id: leadId },
    body: { stage: 'Again' },
  })
  expect(refusalOf(change)).toEqual([409, 'LEAD_ALREADY_CONVERTED'])

  const contact = await seller.call(readContact, { params: { id: contactId } })
  expect(contact).toMatchObject({ firstName: 'Ada', email: ada.email, clientId: done.clientId, leadId })
  const params = { id: opportunityId }
  expect(await seller.call(readOpportunity, { params })).toMatchObject({ ownerId: seller.id, status: 'OPEN' })
  const body = { status: 'WON', amountCents: 120_000, currency: 'eur' } as const
  expect(await seller.call(updateOpportunity, { params, body })).toMatchObject(body)
})

it('Ada is erased, and followers receive the erasure', async () => {
  await eraseLeadOf(owner, leadId)
  for (const app of [prospector, otherCrm]) expect(await news(app)).toEqual(['LEAD_ERASED'])
  expect(await synced()).toEqual([{ id: leadId, erased: true, updatedAt: expect.any(String) }])
  expect(refusalOf(await otherCrm.client.send(readLead, { params: { id: leadId } }))).toEqual([
    404,
    'LEAD_NOT_FOUND',
  ])
  expect(refusalOf(await seller.send(readContact, { params: { id: contactId } }))).toEqual([
    404,
    'CONTACT_NOT_FOUND',
  ])
})

it('the audit log has every action, and another organization received nothing', async () => {
  const { items } = await owner.call(listAudit, { query: { subject: leadId, limit: 100 } })
  expect(items.map(({ operation, actorId }) => [operation, actorId]).toReversed()).toEqual([
    ['POST /api/external/v1/leads', prospector.id],
    ['PATCH /api/crm/leads/:id', seller.id],
    ['POST /api/crm/leads/:id/score', seller.id],
    ['POST /api/crm/leads/:id/qualify', seller.id],
    ['PATCH /api/crm/leads/:id', seller.id],
    ['POST /api/crm/leads/:id/convert', seller.id],
    ['POST /api/crm/leads/:id/erase', owner.id],
  ])
  expect(await owner.call(verifyAudit)).toMatchObject({ valid: true })
  const elsewhere = await server.organization()
  const stranger = await makeApplication(server, elsewhere, { scopes: ['crm:leads:read'] })
  expect((await stranger.client.call(syncLeads)).data).toEqual([])
})
