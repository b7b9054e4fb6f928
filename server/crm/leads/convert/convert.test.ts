import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveClient, readClient } from '#contract/crm/clients.ts'
import { archiveContact, readContact } from '#contract/crm/contacts.ts'
import { convertLead, disqualifyLead } from '#contract/crm/lead-moves.ts'
import { readLead, updateLead } from '#contract/crm/leads.ts'
import { readOpportunity } from '#contract/crm/opportunities.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  convert,
  eventsOfLead,
  makeClient,
  makeContact,
  makeLead,
} from '#tests/support/crm/leads-and-clients.ts'
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

const reason = 'They signed the offer today'
const ada = {
  email: 'Ada@Lovelace.test',
  phone: '600 123 456',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Analytical Engines',
}
const storedRows = async () => {
  const [row] = await server.sql<Record<string, number>>(
    `select (select count(*)::int from crm_client where organization_id = $1) as clients,
       (select count(*)::int from crm_contact where organization_id = $1) as contacts,
       (select count(*)::int from crm_opportunity where organization_id = $1) as opportunities`,
    [organization.id],
  )
  return row
}

describe('a lead that is converted', () => {
  test('becomes WON and a contact of a new client, with an opportunity on request', async () => {
    const assignee = await organization.person()
    const { id } = await makeLead(owner, { ...ada, assigneeId: assignee.id })
    const recorded = await convert(owner, id, { createOpportunity: true, reason: `  ${reason}  ` })
    const { lead, contactId, clientId, opportunityId } = recorded
    expect(recorded).toEqual({
      lead: expect.objectContaining({
        id,
        status: 'WON',
        isConverted: true,
        contactId,
        clientId,
        opportunityId,
      }),
      contactId,
      clientId,
      opportunityId,
      contactReused: false,
      createdAt: lead.updatedAt,
    })
    expect(lead.convertedAt).toBe(lead.updatedAt)
    expect(await owner.call(readLead, { params: { id }, query: {} })).toEqual(lead)
    expect(await owner.call(readContact, { params: { id: contactId } })).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: ada.email,
      phone: ada.phone,
      clientId,
      leadId: id,
      receivesInvoices: false,
    })
    expect(await owner.call(readClient, { params: { id: clientId } })).toMatchObject({
      name: ada.company,
      email: ada.email,
      phone: ada.phone,
    })
    expect(await owner.call(readOpportunity, { params: { id: defined(opportunityId) } })).toMatchObject({
      title: ada.company,
      status: 'OPEN',
      clientId,
      contactId,
      leadId: id,
      ownerId: assignee.id,
    })
    const [contact] = await server.sql<{ same: boolean; phone_e164: string }>(
      `select p.email_hash = l.email_hash as same, p.phone_e164 from crm_contact p, lead l
       where p.organization_id = l.organization_id and p.id = $1 and l.id = $2`,
      [contactId, id],
    )
    expect(contact).toEqual({ same: true, phone_e164: '+34600123456' })
  })

  test('emits LEAD_CONVERTED and LEAD_UPDATED for one change, which stores the reason', async () => {
    const app = await makeApplication(server, organization, { scopes: ['crm:leads:convert'] })
    const { id } = await makeLead(owner, ada)
    const { lead, contactId, clientId } = await convert(app.client, id)
    const [, converted, updated] = await eventsOfLead(server, id)
    const change = only(
      await server.sql<{ id: string; reason: string; changed: string[] }>(
        `select id, reason, changed from lead_change where lead_id = $1 and action = 'convert'`,
        [id],
      ),
    )
    const actor = { kind: 'APP', id: app.id }
    const head = { leadId: id, status: 'WON', isConverted: true, updatedAt: lead.updatedAt, source: null }
    const changeId = change.id
    expect(converted).toEqual({
      name: 'LEAD_CONVERTED',
      actor_id: app.id,
      data: {
        ...head,
        changeId,
        actor,
        contactId,
        opportunityId: null,
        clientId,
        convertedAt: lead.updatedAt,
      },
    })
    expect(updated).toEqual({
      name: 'LEAD_UPDATED',
      actor_id: app.id,
      data: { ...head, changeId, actor, changes: [{ field: 'status', from: 'NEW', to: 'WON' }] },
    })
    expect(change).toEqual({
      id: changeId,
      reason,
      changed: ['status', 'contactId', 'clientId'],
    })
    const audited = await server.sql(
      'select changed, detail, auth from audit where subject = $1 order by seq',
      [id],
    )
    expect(audited.at(-1)).toEqual({
      changed: ['status', 'contactId', 'clientId'],
      detail: { changeId },
      auth: 'apiKey',
    })
  })

  test.each([
    [{ ...ada, company: null }, 'Ada Lovelace'],
    [{ email: 'nobody@known.test' }, 'nobody@known.test'],
    [{ email: null, phone: '600 123 456' }, '600 123 456'],
    [{ firstName: 'a'.repeat(100), lastName: 'b'.repeat(100) }, `${'a'.repeat(100)} ${'b'.repeat(99)}`],
  ])('names the new client after the available data: %#', async (input, name) => {
    const { id } = await makeLead(owner, input)
    const { clientId } = await convert(owner, id)
    expect(await owner.call(readClient, { params: { id: clientId } })).toMatchObject({ name })
  })

  test('can be LOST before, and cannot be converted or changed again', async () => {
    const { id } = await makeLead(owner, ada)
    const { lead: lost } = await owner.call(disqualifyLead, { params: { id }, body: {} })
    const { lead } = await convert(owner, id)
    expect(lead).toMatchObject({ status: 'WON', lostAt: lost.lostAt })
    const before = await storedRows()
    const again = await owner.send(convertLead, { params: { id }, body: { reason } })
    expect(refusalOf(again)).toEqual([409, 'LEAD_ALREADY_CONVERTED'])
    expect(await storedRows()).toEqual(before)
    const change = await owner.send(updateLead, { params: { id }, query: {}, body: { company: 'Other' } })
    expect(refusalOf(change)).toEqual([409, 'LEAD_ALREADY_CONVERTED'])
  })
})

describe('into an existing client', () => {
  test('reuses a contact with the same e-mail and fills only its empty fields', async () => {
    const client = await makeClient(owner)
    const known = await makeContact(owner, {
      clientId: client.id,
      email: 'ada@LOVELACE.test',
      firstName: 'Augusta',
    })
    const { id } = await makeLead(owner, ada)
    const recorded = await convert(owner, id, { targetClientId: client.id })
    expect(recorded).toMatchObject({ contactId: known.id, contactReused: true, clientId: client.id })
    expect(recorded).not.toHaveProperty('opportunityId')
    const contact = await owner.call(readContact, { params: { id: known.id } })
    expect(contact).toEqual({
      ...known,
      leadId: id,
      lastName: 'Lovelace',
      phone: ada.phone,
      updatedAt: contact.updatedAt,
    })
    const row = only(
      await server.sql<{ search: string }>('select search from crm_contact where id = $1', [known.id]),
    )
    expect(row.search).toBe(' augusta lovelace\n ada@lovelace.test')
    expect(await owner.call(readClient, { params: { id: client.id } })).toEqual(client)
    // the next lead with this e-mail does not change the contact
    const { id: next } = await makeLead(owner, { ...ada, firstName: 'Other', phone: '600 999 999' })
    expect(await convert(owner, next, { targetClientId: client.id })).toMatchObject({ contactId: known.id })
    expect(await owner.call(readContact, { params: { id: known.id } })).toEqual(contact)
  })

  test('does not reuse contacts of other clients, with another e-mail, or archived ones', async () => {
    const [client, other] = [await makeClient(owner), await makeClient(owner)]
    await makeContact(owner, { clientId: other.id, email: ada.email })
    await makeContact(owner, { clientId: client.id, email: 'a.da@lovelace.test' })
    const archived = await makeContact(owner, { clientId: client.id, email: ada.email })
    await owner.call(archiveContact, { params: { id: archived.id } })
    const { id } = await makeLead(owner, ada)
    const recorded = await convert(owner, id, { targetClientId: client.id })
    expect(recorded.contactReused).toBe(false)
    expect(await storedRows()).toEqual({ clients: 2, contacts: 4, opportunities: 0 })
  })

  test('an unknown, foreign or archived client is refused, and nothing is written', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const archived = await makeClient(owner)
    await owner.call(archiveClient, { params: { id: archived.id } })
    const { id } = await makeLead(owner, ada)
    const before = await storedRows()
    for (const targetClientId of [newId(), (await makeClient(stranger)).id, archived.id]) {
      const refused = await owner.send(convertLead, {
        params: { id },
        body: { reason, targetClientId, createOpportunity: true },
      })
      expect(refused).toMatchObject({
        status: 422,
        body: { errorCode: 'VALIDATION_ERROR', details: [{ path: 'targetClientId', code: 'unknown' }] },
      })
    }
    expect(await storedRows()).toEqual(before)
    expect(await owner.call(readLead, { params: { id }, query: {} })).toMatchObject({ status: 'NEW' })
    expect(await eventsOfLead(server, id)).toHaveLength(1)
  })
})

describe('the reason', () => {
  test('is required with twenty characters, whether or not the lead exists', async () => {
    const { id } = await makeLead(owner, ada)
    // 19 characters of two code units each, surrounded by spaces
    const short = ` ${'😀'.repeat(limits.leadConvertReasonMin - 1)}\n\t\u00a0 `
    for (const body of [{}, { reason: '' }, { reason: ' '.repeat(40) }, { reason: short }])
      for (const at of [id, newId()])
        expect(refusalOf(await owner.send(convertLead, { params: { id: at }, body }))).toEqual([
          422,
          'LEAD_CONVERSION_REQUIRES_REASON',
        ])
    const long = await owner.send(convertLead, {
      params: { id },
      body: { reason: 'x'.repeat(limits.leadConvertReason + 1) },
    })
    expect(refusalOf(long)).toEqual([400, 'VALIDATION_ERROR'])
    await convert(owner, id, { reason: '😀'.repeat(limits.leadConvertReasonMin) })
  })

  test('can have a thousand characters', async () => {
    const { id } = await makeLead(owner, ada)
    await convert(owner, id, { reason: '😀'.repeat(limits.leadConvertReason) })
  })
})

test('requires the scope or permission and a lead of the organization', async () => {
  const { id } = await makeLead(owner, ada)
  const writer = await makeApplication(server, organization, {
    scopes: ['crm:leads:write', 'crm:leads:read'],
  })
  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const ask = (by: Pick<Person, 'send'>, at = id) =>
    by.send(convertLead, { params: { id: at }, body: { reason } })
  expect(refusalOf(await ask(writer.client))).toEqual([403, 'INSUFFICIENT_SCOPE'])
  expect(refusalOf(await ask(viewer))).toEqual([403, 'PERMISSION_DENIED'])
  const unknown = await ask(stranger, newId())
  expect(refusalOf(unknown)).toEqual([404, 'LEAD_NOT_FOUND'])
  expect((await ask(stranger)).body).toEqual(unknown.body)
  expect(await storedRows()).toMatchObject({ contacts: 0 })
})

describe('at the same time', () => {
  test('a lead is converted once', async () => {
    const { id } = await makeLead(owner, ada)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        owner.send(convertLead, { params: { id }, body: { reason, createOpportunity: true } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    expect(await storedRows()).toEqual({ clients: 1, contacts: 1, opportunities: 1 })
    expect((await eventsOfLead(server, id)).filter(({ name }) => name === 'LEAD_CONVERTED')).toHaveLength(1)
  })

  test('twenty leads of five people become five contacts of one client', async () => {
    const client = await makeClient(owner)
    const leads = await Promise.all(
      Array.from({ length: 20 }, (_, n) => makeLead(owner, { ...ada, email: `person-${n % 5}@client.test` })),
    )
    const recorded = await Promise.all(
      leads.map(({ id }) => convert(owner, id, { targetClientId: client.id })),
    )
    expect(new Set(recorded.map(({ contactId }) => contactId)).size).toBe(5)
    expect(recorded.filter(({ contactReused }) => contactReused)).toHaveLength(15)
    expect(await storedRows()).toEqual({ clients: 1, contacts: 5, opportunities: 0 })
    const moments = recorded.map(({ lead }) => lead.updatedAt)
    expect(new Set(moments).size).toBe(20)
  })
})

test('a failed conversion leaves nothing behind', async () => {
  const client = await makeClient(owner)
  const { id } = await makeLead(owner, ada)
  const before = await storedRows()
  await server.sql(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse before update on lead for each row execute function refuse()`)
  for (const body of [{ createOpportunity: true }, { targetClientId: client.id }])
    expect((await owner.send(convertLead, { params: { id }, body: { reason, ...body } })).status).toBe(500)
  await server.sql('drop function refuse cascade')
  expect(await storedRows()).toEqual(before)
  expect(await eventsOfLead(server, id)).toHaveLength(1)
  await convert(owner, id, { targetClientId: client.id })
})

test('the same Idempotency-Key gives the same reply and one contact', async () => {
  const app = await makeApplication(server, organization, { scopes: ['crm:leads:convert'] })
  const { id } = await makeLead(owner, ada)
  const once = () =>
    app.client.send(convertLead, {
      params: { id },
      body: { reason },
      headers: { 'idempotency-key': 'convert-1' },
    })
  const first = await once()
  expect(first.status).toBe(200)
  expect(await once()).toMatchObject({ status: 200, body: first.body })
  expect(await storedRows()).toMatchObject({ contacts: 1 })
})
