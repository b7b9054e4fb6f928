import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditedChanges, expectArchiving, makeClient, sendTo } from '#tests/support/crm/leads-and-clients.ts'
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

const whole = {
  name: 'Ánimas & Sons',
  taxId: 'B-1234',
  email: 'office@animas.test',
  phone: '600 123 456',
  address: 'Calle Mayor 1',
  city: 'Cádiz',
  postalCode: '11001',
  country: 'ES',
}
const names = async (query: object) =>
  (await owner.call(contract.listClients, { query })).items.map(({ name }) => name)

describe('a client', () => {
  test('is created, read and updated', async () => {
    const client = await owner.call(contract.createClient, { body: { ...whole, name: ' Ánimas & Sons ' } })
    const { id } = client
    expect(client).toEqual({
      ...whole,
      id,
      archivedAt: null,
      createdAt: client.updatedAt,
      updatedAt: client.updatedAt,
    })
    expect(await owner.call(contract.readClient, { params: { id } })).toEqual(client)
    const body = { name: 'Animas', taxId: null, city: ' Huelva ' }
    const changed = await owner.call(contract.updateClient, { params: { id }, body })
    expect(changed).toEqual({
      ...client,
      name: 'Animas',
      taxId: null,
      city: 'Huelva',
      updatedAt: changed.updatedAt,
    })
    expect(await owner.call(contract.readClient, { params: { id } })).toEqual(changed)
    expect(await auditedChanges(server, id)).toEqual([[...Object.keys(whole)], ['name', 'taxId', 'city']])
  })

  test('does not change when the input is the same', async () => {
    const client = await owner.call(contract.createClient, { body: whole })
    const params = { id: client.id }
    expect(await owner.call(contract.updateClient, { params, body: whole })).toEqual(client)
    expect((await auditedChanges(server, client.id))[1]).toEqual([])
    const nothing = await owner.send(contract.updateClient, { params, body: {} })
    expect(nothing).toMatchObject({ status: 422, body: { errorCode: 'VALIDATION_ERROR' } })
  })

  test('is archived and restored, each once', async () => {
    const client = await makeClient(owner)
    const archiving = { archive: contract.archiveClient, unarchive: contract.unarchiveClient }
    await expectArchiving(owner, client, archiving, async () => {
      const params = { id: client.id }
      const change = await owner.send(contract.updateClient, { params, body: { name: 'Other' } })
      expect(refusalOf(change)).toEqual([409, 'CLIENT_ARCHIVED'])
    })
    expect((await auditedChanges(server, client.id)).slice(1)).toEqual([
      ['archivedAt'],
      [],
      ['archivedAt'],
      [],
    ])
  })

  test('requires CRM_VIEW to read and CRM_EDIT to change, in its organization', async () => {
    const { id } = await makeClient(owner)
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const nobody = await organization.person({ permissions: ['STUDIO_VIEW'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const reading = [contract.readClient, contract.listBillingContacts] as const
    const changing = [contract.updateClient, contract.archiveClient, contract.unarchiveClient] as const
    for (const operation of [...reading, ...changing]) {
      const ask = (by: Person, at = id) => sendTo(by, operation, at, { name: 'New' })
      const unknown = await ask(stranger, newId())
      expect(refusalOf(unknown)).toEqual([404, 'CLIENT_NOT_FOUND'])
      expect((await ask(stranger)).body).toEqual(unknown.body)
      expect(refusalOf(await ask(nobody))).toEqual([403, 'PERMISSION_DENIED'])
    }
    await viewer.call(contract.readClient, { params: { id } })
    for (const operation of changing)
      expect(refusalOf(await sendTo(viewer, operation, id))).toEqual([403, 'PERMISSION_DENIED'])
    expect(await auditedChanges(server, id)).toHaveLength(1)
    expect((await stranger.call(contract.listClients, { query: {} })).total).toBe(0)
  })

  test.each([
    ['name', 'x'.repeat(limits.clientName + 1)],
    ['taxId', 'x'.repeat(limits.clientTaxId + 1)],
    ['address', 'x'.repeat(limits.clientAddress + 1)],
    ['city', 'x'.repeat(limits.clientCity + 1)],
    ['postalCode', 'x'.repeat(limits.clientPostalCode + 1)],
    ['phone', '1'.repeat(limits.leadPhone + 1)],
    ['email', 'nobody'],
    ['country', 'es'],
    ['name', ' '],
  ])('refuses an invalid or too long %s', async (field, value) => {
    const created = await owner.send(contract.createClient, { body: { name: 'Name', [field]: value } })
    expect(created).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
  })
})

describe('the list', () => {
  test('is ordered by name and paginated, without archived clients', async () => {
    for (const name of ['beta', 'Álamo', 'Gamma', 'alfa']) await makeClient(owner, { name })
    const { id } = await makeClient(owner, { name: 'Delta' })
    await owner.call(contract.archiveClient, { params: { id } })
    expect(await names({})).toEqual(['Álamo', 'alfa', 'beta', 'Gamma'])
    expect(await names({ archived: true })).toEqual(['Delta'])
    expect(await owner.call(contract.listClients, { query: { limit: 2, offset: 1 } })).toMatchObject({
      items: [{ name: 'alfa' }, { name: 'beta' }],
      total: 4,
      limit: 2,
      offset: 1,
    })
  })

  test('searches parts of names, ignoring case and accents', async () => {
    for (const name of ['Construcciones Ñandú', 'An_dú', 'Andalucía 100%', 'Sandía'])
      await makeClient(owner, { name })
    expect(await names({ search: 'ANDU' })).toEqual(['Construcciones Ñandú'])
    expect(await names({ search: 'ándí' })).toEqual(['Sandía'])
    expect(await names({ search: '00%' })).toEqual(['Andalucía 100%'])
    expect(await names({ search: 'n_d' })).toEqual(['An_dú'])
    // two characters match the beginning of a word
    expect(await names({ search: 'ña' })).toEqual(['Construcciones Ñandú'])
    expect(await names({ search: 'ND' })).toEqual([])
    for (const search of ['a', ' a ', '  '])
      expect(refusalOf(await owner.send(contract.listClients, { query: { search } }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    const none = await owner.call(contract.listClients, { query: { search: 'nothing of it' } })
    expect(none).toMatchObject({ items: [], total: 0 })
  })
})
