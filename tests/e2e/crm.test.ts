import { afterAll, beforeAll, expect, it } from 'vitest'
import { readContact } from '#contract/crm/contacts.ts'
import { convertLead, qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import { createLead, findLeadByEmail, readLead, syncLeads, updateLead } from '#contract/crm/leads.ts'
import { readOpportunity, updateOpportunity } from '#contract/crm/opportunities.ts'
import { listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import { toldTo } from '#tests/support/chat/agents.ts'
import { convert, eraseLeadOf } from '#tests/support/crm/leads-and-clients.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

/** LEAD, SYNC: a prospecting tool finds somebody, the team works and wins them, and another CRM follows all of it. */

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
  const told = { url: 'https://receiver.test/hook', events }
  prospector = await makeApplication(server, organization, {
    ...told,
    scopes: ['crm:leads:read', 'crm:leads:write', 'crm:leads:read:scoring'],
  })
  otherCrm = await makeApplication(server, organization, { ...told, scopes: ['crm:leads:read'] })
})
afterAll(() => server?.close())

/** What the other CRM learns when it syncs from where it was. */
async function synced() {
  const page = await otherCrm.client.call(syncLeads, { query: cursor === undefined ? {} : { cursor } })
  cursor = page.nextCursor
  return page.data
}
/** What an application was told since it was asked last. */
const heard = new Map<string, number>()
async function news(app: TestApplication): Promise<string[]> {
  const told = await toldTo(server, app)
  const fresh = told.slice(heard.get(app.id) ?? 0)
  heard.set(app.id, told.length)
  return fresh
}

it('a prospecting tool finds somebody, and the other CRM hears of it', async () => {
  const { lead, changed } = await prospector.client.call(createLead, { body: { ...ada, source: 'fair' } })
  leadId = lead.id
  expect(changed).toBe(true)
  expect(lead).toMatchObject({ ...ada, status: 'NEW', isConverted: false })
  expect(await news(otherCrm)).toEqual(['LEAD_CREATED'])
  // who did it knows it
  expect(await news(prospector)).toEqual([])
  expect(await synced()).toEqual([lead])
  expect(await synced()).toEqual([])
  const found = await otherCrm.client.call(findLeadByEmail, { query: { email: 'ADA@lovelace.test' } })
  expect(found).toEqual({ ...lead, matches: 1 })
})

it('the team takes it over', async () => {
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
  // the score is not for those without its scope
  expect(await news(otherCrm)).toEqual(['LEAD_UPDATED', 'LEAD_QUALIFIED', 'LEAD_UPDATED'])
  const [lead, ...others] = await synced()
  expect(others).toEqual([])
  expect(lead).toMatchObject({ status: 'QUALIFIED', assigneeId: seller.id, stage: 'First call' })
  expect(lead).not.toHaveProperty('score')
})

it('what was read before can no longer be written over', async () => {
  const params = { id: leadId }
  const read = await prospector.client.call(readLead, { params })
  await seller.call(updateLead, { params, body: { company: 'Engines of Ada' } })
  const late = await prospector.client.send(updateLead, {
    params,
    body: { company: 'Analytical Engines', expectedUpdatedAt: read.updatedAt },
  })
  expect(refusalOf(late)).toEqual([409, 'LEAD_UPDATE_CONFLICT'])
  // no event tells of a company, and the sync does
  expect(await news(prospector)).toEqual([])
  expect(await synced()).toMatchObject([{ id: leadId, company: 'Engines of Ada' }])
})

it('the seller wins it: a contact, a client and an opportunity, which nothing takes back', async () => {
  const may = await prospector.client.send(convertLead, {
    params: { id: leadId },
    body: { reason: 'They signed the offer today' },
  })
  expect(refusalOf(may)).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const done = await convert(seller, leadId, { createOpportunity: true })
  contactId = done.contactId
  opportunityId = done.opportunityId!
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

it('Ada asks to be forgotten, and who follows is told', async () => {
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

it('who did what is on record, and another organization saw nothing of it', async () => {
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
