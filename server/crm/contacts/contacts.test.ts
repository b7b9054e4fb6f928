import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveClient } from '#contract/crm/clients.ts'
import * as contract from '#contract/crm/contacts.ts'
import { updateCrmSettings } from '#contract/crm/settings.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import {
  auditedChanges,
  convert,
  eraseLeadOf,
  expectArchiving,
  makeClient,
  makeContact,
  makeLead,
  sendTo,
} from '#tests/support/crm/leads-and-clients.ts'
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

const change = (id: string, body: object) => owner.call(contract.updateContact, { params: { id }, body })
const refused = async (id: string, body: object) =>
  refusalOf(await owner.send(contract.updateContact, { params: { id }, body }))

describe('a contact', () => {
  test('is created, read and updated', async () => {
    const client = await makeClient(owner)
    const input = {
      clientId: client.id,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@lovelace.test',
      phone: '600 123 456',
      receivesInvoices: true,
    }
    const created = await makeContact(owner, { ...input, lastName: ' Lovelace ' })
    expect(created).toEqual({
      ...input,
      id: created.id,
      leadId: null,
      archivedAt: null,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    })
    const params = { id: created.id }
    expect(await owner.call(contract.readContact, { params })).toEqual(created)
    const body = { clientId: null, phone: null, receivesInvoices: false, email: 'countess@lovelace.test' }
    const changed = await change(created.id, body)
    expect(changed).toEqual({ ...created, ...body, updatedAt: changed.updatedAt })
    expect(await change(created.id, body)).toEqual(changed)
    expect((await auditedChanges(server, created.id)).slice(1)).toEqual([
      ['clientId', 'email', 'phone', 'receivesInvoices'],
      [],
    ])
    expect(await refused(created.id, {})).toEqual([422, 'VALIDATION_ERROR'])
  })

  test('derives e-mail hash and E.164 number like a lead', async () => {
    await owner.call(updateCrmSettings, { body: { phoneCountry: 'DE' } })
    const input = { email: 'Ada@Lovelace.test', phone: '030 901820' }
    const lead = await makeLead(owner, input)
    const contact = await makeContact(owner, input)
    const [row] = await server.sql(
      `select p.email_hash = l.email_hash as same, p.phone_e164 from crm_contact p, lead l
       where p.organization_id = l.organization_id and p.id = $1 and l.id = $2`,
      [contact.id, lead.id],
    )
    expect(row).toEqual({ same: true, phone_e164: '+4930901820' })
    await change(contact.id, { email: null, phone: 'ask for Ada' })
    const [after] = await server.sql('select email_hash, phone_e164 from crm_contact where id = $1', [
      contact.id,
    ])
    expect(after).toEqual({ email_hash: null, phone_e164: null })
  })

  test('requires a name or an e-mail', async () => {
    for (const body of [{}, { phone: '600 123 456' }, { firstName: null }])
      expect(await owner.send(contract.createContact, { body })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'email', code: 'required' }] },
      })
    const { id } = await owner.call(contract.createContact, { body: { email: 'ada@lovelace.test' } })
    expect(await refused(id, { email: null })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await change(id, { email: null, lastName: 'Lovelace' })).toMatchObject({ email: null })
  })

  test('must refer to an existing client', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const archived = await makeClient(owner)
    const stored = await makeContact(owner, { clientId: archived.id })
    const { id } = await makeContact(owner)
    await owner.call(archiveClient, { params: { id: archived.id } })
    for (const clientId of [newId(), (await makeClient(stranger)).id, archived.id]) {
      const created = await owner.send(contract.createContact, { body: { firstName: 'Ada', clientId } })
      expect(created).toMatchObject({
        status: 422,
        body: { errorCode: 'VALIDATION_ERROR', details: [{ path: 'clientId' }] },
      })
      expect(await refused(id, { clientId })).toEqual([422, 'VALIDATION_ERROR'])
    }
    // a contact of an archived client can still change
    expect(await change(stored.id, { clientId: archived.id, lastName: 'King' })).toMatchObject({
      lastName: 'King',
    })
  })

  test('is archived and restored, each once', async () => {
    const contact = await makeContact(owner)
    const archiving = { archive: contract.archiveContact, unarchive: contract.unarchiveContact }
    await expectArchiving(owner, contact, archiving, async () => {
      expect(await refused(contact.id, { lastName: 'King' })).toEqual([409, 'CONTACT_ARCHIVED'])
    })
    expect((await auditedChanges(server, contact.id)).slice(1)).toEqual([
      ['archivedAt'],
      [],
      ['archivedAt'],
      [],
    ])
  })

  test('requires CRM_VIEW to read and CRM_EDIT to change, in its organization, until it is erased', async () => {
    const lead = await makeLead(owner, { firstName: 'Ada' })
    const { contactId: id } = await convert(owner, lead.id)
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const changing = [contract.updateContact, contract.archiveContact, contract.unarchiveContact] as const
    const ask = (operation: Operation, by: Person, at: string) =>
      sendTo(by, operation, at, { lastName: 'New' })
    await viewer.call(contract.readContact, { params: { id } })
    for (const operation of changing)
      expect(refusalOf(await ask(operation, viewer, id))).toEqual([403, 'PERMISSION_DENIED'])
    const make = await viewer.send(contract.createContact, { body: { firstName: 'Ada' } })
    expect(refusalOf(make)).toEqual([403, 'PERMISSION_DENIED'])
    const unknown = await ask(contract.readContact, owner, newId())
    expect(refusalOf(unknown)).toEqual([404, 'CONTACT_NOT_FOUND'])
    for (const operation of [contract.readContact, ...changing])
      expect((await ask(operation, stranger, id)).body).toEqual(unknown.body)
    await eraseLeadOf(owner, lead.id)
    for (const operation of [contract.readContact, ...changing])
      expect((await ask(operation, owner, id)).body).toEqual(unknown.body)
    expect((await owner.call(contract.listContacts, { query: {} })).total).toBe(0)
  })

  test.each([
    ['firstName', 'x'.repeat(limits.leadName + 1)],
    ['lastName', 'x'.repeat(limits.leadName + 1)],
    ['phone', '1'.repeat(limits.leadPhone + 1)],
    ['email', 'nobody'],
    ['receivesInvoices', 'yes'],
  ])('refuses an invalid or too long %s', async (field, value) => {
    const { id } = await makeContact(owner)
    expect(await refused(id, { [field]: value })).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('the list is ordered by name, filters by client and archived state, and searches name and e-mail', async () => {
  const client = await makeClient(owner)
  await makeContact(owner, { firstName: 'Óscar', lastName: 'Alba', email: 'oscar@alba.test' })
  await makeContact(owner, { firstName: 'Berta', clientId: client.id })
  await owner.call(contract.createContact, { body: { email: 'Carla@alba.test', clientId: client.id } })
  const { id } = await makeContact(owner, { firstName: 'Dora', clientId: client.id })
  await owner.call(contract.archiveContact, { params: { id } })
  const listed = async (query: object) =>
    (await owner.call(contract.listContacts, { query })).items.map(
      ({ firstName, email }) => firstName ?? email,
    )
  expect(await listed({})).toEqual(['Berta', 'Carla@alba.test', 'Óscar'])
  expect(await listed({ clientId: client.id })).toEqual(['Berta', 'Carla@alba.test'])
  expect(await listed({ archived: true })).toEqual(['Dora'])
  expect(await listed({ archived: true, clientId: client.id, search: 'dor' })).toEqual(['Dora'])
  expect(await listed({ search: 'ALBA' })).toEqual(['Carla@alba.test', 'Óscar'])
  expect(await listed({ search: 'oscar al' })).toEqual(['Óscar'])
  expect(await listed({ search: 'ca' })).toEqual(['Carla@alba.test'])
  expect(await listed({ search: 'alba', clientId: client.id })).toEqual(['Carla@alba.test'])
  expect(await owner.call(contract.listContacts, { query: { limit: 1, offset: 1 } })).toMatchObject({
    items: [{ email: 'Carla@alba.test' }],
    total: 3,
    limit: 1,
    offset: 1,
  })
})
