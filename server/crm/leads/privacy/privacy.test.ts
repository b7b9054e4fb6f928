import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { convertLead, qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import { createLead, readLead, syncLeads, updateLead } from '#contract/crm/leads.ts'
import { readOpportunity, updateOpportunity } from '#contract/crm/opportunities.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { openSigningPage } from '#contract/crm/signing-page.ts'
import { eraseLead, exportPersonalData } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { convert, eraseLeadOf, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { issueLink, signLink } from '#tests/support/crm/signing.ts'
import { defined, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
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

const ada = {
  email: 'ada@lovelace.test',
  phone: '+34 600 123 456',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Analytical Engines',
  source: 'Told us by Charles',
  stage: 'Ada has to call back',
  notes: 'Her horse lost again',
  score: 77,
  temperature: 'HOT',
} as const
const traces = /\bada\b|lovelace|600123456|600 123|analytical|charles|horse|met her/i

/** Ada with a history, a client, a contact and an opportunity. */
async function converted() {
  const { id } = await makeLead(owner, { ...ada, company: null })
  await owner.call(qualifyLead, { params: { id }, body: { reason: 'Met her at the races' } })
  const body = { reason: 'Met her, and she signed at once', createOpportunity: true }
  const { clientId, contactId, opportunityId } = await owner.call(convertLead, { params: { id }, body })
  return { id, clientId, contactId, opportunityId: defined(opportunityId) }
}

/** An opportunity with this title whose lead was erased. */
async function ofErased(input: Parameters<typeof makeLead>[1], title?: string) {
  const { id } = await makeLead(owner, input)
  const { opportunityId } = await convert(owner, id, { createOpportunity: true })
  const params = { id: defined(opportunityId) }
  if (title) await owner.call(updateOpportunity, { params, body: { title } })
  await eraseLeadOf(owner, id)
  return owner.call(readOpportunity, { params })
}

/** Every row of the organization that relates to leads, as text. */
async function storedText(): Promise<string> {
  const tables = ['lead', 'lead_change', 'crm_contact', 'crm_opportunity']
  const rows = await Promise.all(
    tables.map(table => server.sql(`select * from ${table} where organization_id = $1`, [organization.id])),
  )
  return JSON.stringify(rows)
}

describe('erasing', () => {
  test('removes all personal data and leaves a tombstone', async () => {
    const { id } = await makeLead(owner, ada)
    await owner.call(qualifyLead, { params: { id }, body: { reason: 'Met her at the races' } })
    expect(await storedText()).toMatch(traces)
    const erased = await owner.call(eraseLead, { params: { id }, body: { reason: 'Asked by letter' } })
    expect(erased).toEqual({ id, erasedAt: expect.any(String), contactErased: false, mandates: [] })
    expect(await storedText()).not.toMatch(traces)
    const [row] = await server.sql('select * from lead where id = $1', [id])
    expect(row).toMatchObject({
      status: 'QUALIFIED',
      search: '',
      email_hash: null,
      phone_e164: null,
      notes: null,
    })
    const [counts] = await server.sql('select * from lead_clock where organization_id = $1', [
      organization.id,
    ])
    expect(counts).toMatchObject({ new_count: 0, qualified_count: 0 })
  })

  test('also erases the contact and the opportunity title of a converted lead', async () => {
    const { id, clientId, contactId, opportunityId } = await converted()
    expect(await eraseLeadOf(owner, id)).toMatchObject({ contactErased: true })
    expect(await storedText()).not.toMatch(traces)
    const contact = only(await server.sql('select * from crm_contact where id = $1', [contactId]))
    expect(contact).toMatchObject({ name_folded: '', email_hash: null, client_id: clientId })
    expect(contact.erased_at).not.toBeNull()
    const [opportunity] = await server.sql('select title from crm_opportunity where id = $1', [opportunityId])
    expect(opportunity).toEqual({ title: opportunityId })
    // the client keeps its name for invoices, but not its addresses
    const [client] = await server.sql('select name, email, phone from crm_client where id = $1', [clientId])
    expect(client).toEqual({ name: 'Ada Lovelace', email: null, phone: null })
    const [counts] = await server.sql('select * from lead_clock where organization_id = $1', [
      organization.id,
    ])
    expect(counts).toMatchObject({ won_count: 0 })
  })

  test.each([
    [{ email: null, phone: '600 123 456' }, undefined],
    [{ company: 'Analytical Engines', firstName: null, lastName: null }, undefined],
    [
      {
        email: `${'a'.repeat(64)}@${'lovelace.'.repeat(18)}test`,
        company: null,
        firstName: null,
        lastName: null,
      },
      undefined,
    ],
    [{}, 'For ADA: new site'],
    [{}, 'Site (Analytical-Engines)'],
    [{}, 'Call +34 600-123-456'],
    [{ firstName: null, lastName: null }, 'Offer to Ada@lovelace.test'],
  ])('erases a title that names the person: %o, %s', async (input, title) => {
    const { id, title: left } = await ofErased({ ...ada, ...input }, title)
    expect(left).toBe(id)
  })

  test.each(['New site', 'Canada', 'Adapter for engines'])(
    'leaves a title that tells of nobody: %s',
    async title => {
      expect(await ofErased(ada, title)).toMatchObject({ title })
    },
  )

  test('erases stored replies to applications, and a repeated request does not create the lead again', async () => {
    const app = await makeApplication(server, organization, {
      scopes: ['crm:leads:write', 'crm:leads:convert'],
    })
    const headers = (key: string) => ({ 'idempotency-key': key })
    const create = (key: string, body: object = ada) =>
      app.client.send(createLead, { query: {}, body, headers: headers(key) })
    const { body: created } = await create('made')
    const { id } = (created as { lead: { id: string } }).lead
    const other = await create('other', { email: 'other@lovelace.test' })
    await app.client.send(convertLead, {
      params: { id },
      body: { reason: 'Met her, and she signed at once' },
      headers: headers('converted'),
    })
    const answers = () =>
      server.sql<{ key: string; reply: string | null }>(
        'select key, reply from idempotency where organization_id = $1 order by key',
        [organization.id],
      )
    expect((await answers()).every(({ reply }) => reply !== null)).toBe(true)
    expect(JSON.stringify(await answers())).not.toContain('lovelace')
    await eraseLeadOf(owner, id)
    expect(await answers()).toMatchObject([
      { key: 'converted', reply: null },
      { key: 'made', reply: null },
      { key: 'other', reply: expect.any(String) },
    ])
    expect(refusalOf(await create('made'))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await create('other', { email: 'other@lovelace.test' })).toMatchObject({ body: other.body })
    const [count] = await server.sql('select count(*)::int as n from lead where organization_id = $1', [
      organization.id,
    ])
    expect(count).toEqual({ n: 2 })
  })

  test('works once: all operations treat the lead as missing, and the sync reports it as erased', async () => {
    const { id } = await makeLead(owner, ada)
    await eraseLeadOf(owner, id)
    const params = { id }
    const gone = await Promise.all([
      owner.send(eraseLead, { params, body: { reason: 'Again' } }),
      owner.send(exportPersonalData, { params }),
      owner.send(readLead, { params, query: {} }),
      owner.send(qualifyLead, { params, body: {} }),
      owner.send(updateLead, { params, query: {}, body: { company: 'New' } }),
      owner.send(scoreLead, { params, body: { score: 1 } }),
    ])
    expect(gone.map(refusalOf)).toEqual(gone.map(() => [404, 'LEAD_NOT_FOUND']))
    const { data } = await owner.call(syncLeads, { query: {} })
    expect(data).toEqual([{ id, erased: true, updatedAt: expect.any(String) }])
    const again = await owner.call(createLead, { query: {}, body: ada })
    expect(again.duplicates).toEqual([])
  })

  test('erases the signer from unused signing links', async () => {
    const { id, clientId } = await converted()
    const [unsigned, signed] = [await makeBudget(owner, { clientId }), await makeBudget(owner, { clientId })]
    const open = await issueLink(owner, unsigned.id, {
      signerName: 'Ada King',
      signerEmail: 'ADA@lovelace.test',
    })
    await server.client().send(openSigningPage, { params: { token: open.token } })
    await issueLink(owner, unsigned.id, { signerName: 'Grace', signerEmail: 'grace@hopper.test' })
    const used = await issueLink(owner, signed.id, { signerEmail: ada.email })
    await signLink(server, used.token)
    await eraseLeadOf(owner, id)
    const links = async (budgetId: string) =>
      (await owner.call(listSigningLinks, { params: { id: budgetId } })).items.map(
        ({ signerName, signerEmail, status }) => [signerName, signerEmail, status],
      )
    expect(await links(unsigned.id)).toEqual([
      ['Grace', 'grace@hopper.test', 'OPEN'],
      ['', '', 'REVOKED'],
    ])
    expect(await links(signed.id)).toEqual([['Ada Lovelace', ada.email, 'SIGNED']])
    const visits = await server.sql(
      `select ip, user_agent from budget_event where kind = 'VIEWED' and signing_link_id = $1`,
      [open.id],
    )
    expect(visits).toEqual([{ ip: null, user_agent: null }])
    expect((await signLink(server, open.token, { documentHash: defined(open.documentHash) })).status).toBe(
      404,
    )
  })

  test('twice at once succeeds once', async () => {
    const { id } = await makeLead(owner, ada)
    const erase = () => owner.send(eraseLead, { params: { id }, body: { reason: 'Asked' } })
    const statuses = (await Promise.all([erase(), erase(), erase()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404, 404])
  })

  test('emits an event without personal data', async () => {
    const { id } = await makeLead(owner, ada)
    await server.relayed()
    const { erasedAt } = await eraseLeadOf(owner, id)
    await server.relayed()
    const events = await server.sql<{ name: string; data: object }>(
      'select name, data from event where organization_id = $1 order by seq',
      [organization.id],
    )
    expect(events.at(-1)).toMatchObject({
      name: 'LEAD_ERASED',
      data: { leadId: id, erasedAt, updatedAt: erasedAt, actor: { kind: 'USER', id: owner.id } },
    })
    expect(JSON.stringify(events)).not.toMatch(traces)
  })

  test('requires CRM_ERASE, a lead of the organization and a reason', async () => {
    const { id } = await makeLead(owner, ada)
    const editor = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT', 'CRM_NOTES'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const erase = (by: Person, at: string, reason = 'Asked') =>
      by.send(eraseLead, { params: { id: at }, body: { reason } })
    expect(refusalOf(await erase(editor, id))).toEqual([403, 'PERMISSION_DENIED'])
    const [foreign, unknown] = [await erase(stranger, id), await erase(stranger, newId())]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect(refusalOf(await erase(owner, id, ''))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusalOf(await erase(owner, id, 'x'.repeat(limits.leadReason + 1)))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect((await erase(owner, id, 'x'.repeat(limits.leadReason))).status).toBe(200)
  })
})

describe('the data of a person', () => {
  test('contains everything, including notes', async () => {
    const { id, clientId, contactId, opportunityId } = await converted()
    await server.relayed()
    const eraser = await organization.person({ permissions: ['CRM_ERASE'] })
    const data = await eraser.call(exportPersonalData, { params: { id } })
    expect(data).toMatchObject({
      lead: { id, ...ada, company: null, status: 'WON', clientId, contactId, opportunityId },
      history: [
        {
          action: 'convert',
          fromStatus: 'QUALIFIED',
          toStatus: 'WON',
          reason: 'Met her, and she signed at once',
        },
        { action: 'qualify', reason: 'Met her at the races', fromStatus: 'NEW', toStatus: 'QUALIFIED' },
        {
          action: 'create',
          actorKind: 'USER',
          actorId: owner.id,
          changed: expect.arrayContaining(['email', 'notes']),
        },
      ],
      contact: { id: contactId, firstName: 'Ada', email: ada.email, clientId },
      opportunity: { id: opportunityId, title: 'Ada Lovelace' },
      audit: [
        { operation: 'POST /api/crm/leads/:id/convert' },
        { operation: 'POST /api/crm/leads/:id/qualify' },
        { operation: 'POST /api/crm/leads' },
      ],
    })
    await server.relayed()
    const [entry] = await server.sql(
      'select actor_id, operation from audit where subject = $1 order by seq desc',
      [id],
    )
    expect(entry).toEqual({ actor_id: eraser.id, operation: 'POST /api/crm/leads/:id/personal-data' })
  })

  test('has no contact and opportunity for an unconverted lead', async () => {
    const { id } = await makeLead(owner, ada)
    const data = await owner.call(exportPersonalData, { params: { id } })
    expect(data).toMatchObject({ contact: null, opportunity: null })
  })

  test('requires CRM_ERASE and a lead of the organization', async () => {
    const { id } = await makeLead(owner, ada)
    const editor = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT', 'CRM_NOTES'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const ask = (by: Person, at: string) => by.send(exportPersonalData, { params: { id: at } })
    expect(refusalOf(await ask(editor, id))).toEqual([403, 'PERMISSION_DENIED'])
    const [foreign, unknown] = [await ask(stranger, id), await ask(stranger, newId())]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})

test('every change is audited with caller, origin and field names, never with values', async () => {
  const app = await makeApplication(server, organization, {
    scopes: ['crm:leads:write', 'crm:leads:read:scoring', 'crm:leads:read:notes'],
  })
  const headers = { 'User-Agent': 'prospector/2', 'X-Request-Id': 'request-of-the-test' }
  const { lead } = await app.client.call(createLead, { query: {}, body: ada, headers })
  const params = { id: lead.id }
  await app.client.call(updateLead, {
    params,
    query: {},
    body: { lastName: 'King', notes: 'Quiet' },
    headers,
  })
  await app.client.call(scoreLead, { params, body: { score: 5 }, headers })
  await app.client.call(qualifyLead, { params, body: { reason: 'Met her' }, headers })
  await owner.call(eraseLead, { params, body: { reason: 'Asked' }, headers })
  await server.relayed()
  const rows = await server.sql('select * from audit where subject = $1 order by seq', [lead.id])
  const by = {
    actor_id: app.id,
    auth: 'apiKey',
    client: 'prospector/2',
    request_id: 'request-of-the-test',
  }
  const at = '/api/external/v1/leads'
  expect(rows).toMatchObject([
    { ...by, operation: `POST ${at}`, changed: expect.arrayContaining(Object.keys(ada)) },
    { ...by, operation: `PATCH ${at}/:id`, changed: ['lastName', 'notes'] },
    { ...by, operation: `POST ${at}/:id/score`, changed: ['score'] },
    { ...by, operation: `POST ${at}/:id/qualify`, changed: ['status'] },
    { actor_id: owner.id, auth: 'session', operation: 'POST /api/crm/leads/:id/erase' },
  ])
  for (const { ip } of rows) expect(ip).toMatch(/127\.0\.0\.1|::1/)
  expect(JSON.stringify(rows)).not.toMatch(/lovelace|\bking\b|quiet|horse|600 123|analytical/i)
})
