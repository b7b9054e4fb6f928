import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveContact } from '#contract/crm/contacts.ts'
import * as contract from '#contract/crm/opportunities.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import {
  auditedChanges,
  convert,
  eraseLeadOf,
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
let clientId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  clientId = (await makeClient(owner)).id
})
afterAll(() => server?.close())

const make = (input: object = {}) =>
  owner.call(contract.createOpportunity, { body: { title: 'Engines', clientId, ...input } })
const change = (id: string, body: object) => owner.call(contract.updateOpportunity, { params: { id }, body })
const refused = async (id: string, body: object) =>
  refusalOf(await owner.send(contract.updateOpportunity, { params: { id }, body }))

describe('an opportunity', () => {
  test('is created, read and updated', async () => {
    const contact = await makeContact(owner, { clientId })
    const input = {
      title: 'Two engines',
      stage: 'Offer sent',
      contactId: contact.id,
      ownerId: owner.id,
      amountCents: limits.opportunityCents,
      currency: 'eur',
      expectedOn: '2027-02-28',
    }
    const created = await make({ ...input, title: ' Two engines ' })
    expect(created).toEqual({
      ...input,
      id: created.id,
      clientId,
      status: 'OPEN',
      leadId: null,
      closedAt: null,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    })
    const params = { id: created.id }
    expect(await owner.call(contract.readOpportunity, { params })).toEqual(created)
    const body = { title: 'An engine', amountCents: 0, expectedOn: null, contactId: null }
    const changed = await change(created.id, body)
    expect(changed).toEqual({ ...created, ...body, updatedAt: changed.updatedAt })
    expect(await change(created.id, body)).toEqual(changed)
    expect((await auditedChanges(server, created.id)).slice(1)).toEqual([
      ['title', 'contactId', 'amountCents', 'expectedOn'],
      [],
    ])
    expect(await refused(created.id, {})).toEqual([422, 'VALIDATION_ERROR'])
  })

  test('that is won or lost can only be reopened', async () => {
    const { id } = await make()
    for (const status of ['WON', 'LOST'] as const) {
      const closed = await change(id, { status, stage: 'Done' })
      expect(closed).toMatchObject({ status, closedAt: closed.updatedAt })
      for (const body of [{ title: 'Other' }, { status: status === 'WON' ? 'LOST' : 'WON' }])
        expect(await refused(id, body)).toEqual([409, 'OPPORTUNITY_CLOSED'])
      expect(await change(id, { status, stage: 'Done' })).toEqual(closed)
      expect(await change(id, { status: 'OPEN' })).toMatchObject({ status: 'OPEN', closedAt: null })
    }
  })

  test('requires a currency with an amount', async () => {
    const created = await owner.send(contract.createOpportunity, {
      body: { title: 'Engines', clientId, amountCents: 100 },
    })
    expect(created).toMatchObject({ status: 400, body: { details: [{ path: 'currency' }] } })
    const { id } = await make({ amountCents: 100, currency: 'eur' })
    expect(await refused(id, { currency: null })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await change(id, { currency: null, amountCents: null })).toMatchObject({ amountCents: null })
  })

  test.each([
    ['amountCents', limits.opportunityCents + 1],
    ['amountCents', -1],
    ['amountCents', 1.5],
    ['currency', 'EUR'],
    ['title', 'x'.repeat(limits.opportunityTitle + 1)],
    ['stage', 'x'.repeat(limits.leadStage + 1)],
    ['expectedOn', '2027-02-29'],
    ['expectedOn', '0000-01-01'],
    ['status', 'DONE'],
  ])('refuses as %s: %s', async (field, value) => {
    const { id } = await make()
    expect(await refused(id, { [field]: value })).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('must refer to an existing client, contact and member; the error lists each field', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const [client, contact] = [await makeClient(stranger), await makeContact(stranger)]
    const former = await organization.person()
    await owner.call(removeMember, { params: { personId: former.id } })
    for (const input of [
      { clientId: client.id, contactId: contact.id, ownerId: stranger.id },
      { clientId: newId(), contactId: newId(), ownerId: former.id },
    ]) {
      const created = await owner.send(contract.createOpportunity, { body: { title: 'Engines', ...input } })
      expect(created).toMatchObject({ status: 422, body: { errorCode: 'VALIDATION_ERROR' } })
      const { details } = created.body as unknown as { details: { path: string }[] }
      expect(details.map(({ path }) => path)).toEqual(['clientId', 'contactId', 'ownerId'])
    }
    const { id } = await make()
    const archived = await makeContact(owner)
    await owner.call(archiveContact, { params: { id: archived.id } })
    const lead = await makeLead(owner)
    const { contactId: erased } = await convert(owner, lead.id)
    await eraseLeadOf(owner, lead.id)
    for (const contactId of [contact.id, archived.id, erased])
      expect(await refused(id, { contactId })).toEqual([422, 'VALIDATION_ERROR'])
    expect(await refused(id, { ownerId: former.id })).toEqual([422, 'VALIDATION_ERROR'])
    expect(await auditedChanges(server, id)).toHaveLength(1)
  })

  test('keeps its references when they are archived or leave', async () => {
    const colleague = await organization.person()
    const contact = await makeContact(owner, { clientId })
    const named = { contactId: contact.id, ownerId: colleague.id }
    const { id } = await make(named)
    await owner.call(removeMember, { params: { personId: colleague.id } })
    await owner.call(archiveContact, { params: { id: contact.id } })
    expect(await change(id, { ...named, stage: 'Later' })).toMatchObject({ ...named, stage: 'Later' })
  })

  test('requires CRM_VIEW to read and CRM_EDIT to change, in its organization', async () => {
    const { id } = await make()
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    for (const operation of [contract.readOpportunity, contract.updateOpportunity]) {
      const ask = (by: Person, at: string) => sendTo(by, operation, at, { title: 'New' })
      const unknown = await ask(stranger, newId())
      expect(refusalOf(unknown)).toEqual([404, 'OPPORTUNITY_NOT_FOUND'])
      expect((await ask(stranger, id)).body).toEqual(unknown.body)
    }
    await viewer.call(contract.readOpportunity, { params: { id } })
    const body = { title: 'New', clientId }
    for (const answer of [
      await viewer.send(contract.updateOpportunity, { params: { id }, body: { title: 'New' } }),
      await viewer.send(contract.createOpportunity, { body }),
    ])
      expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
  })
})

test('the list is ordered newest first and filters by client or status', async () => {
  const other = (await makeClient(owner)).id
  const ids = []
  for (const input of [{}, { clientId: other }, {}, { clientId: other }]) ids.push((await make(input)).id)
  const [a, b, c, d] = ids as [string, string, string, string]
  await change(c, { status: 'WON' })
  await change(d, { status: 'WON' })
  const listed = async (query: object) =>
    (await owner.call(contract.listOpportunities, { query })).items.map(({ id }) => id)
  expect(await listed({})).toEqual([d, c, b, a])
  expect(await listed({ status: 'OPEN' })).toEqual([b, a])
  expect(await listed({ clientId: other })).toEqual([d, b])
  expect(await listed({ clientId: other, status: 'WON' })).toEqual([d])
  expect(await owner.call(contract.listOpportunities, { query: { limit: 1, offset: 1 } })).toMatchObject({
    items: [{ id: c }],
    total: 4,
    limit: 1,
    offset: 1,
  })
})
