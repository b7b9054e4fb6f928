import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as promised from '#contract/billing/external-users.ts'
import { archiveClient } from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditedChanges, makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
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
let shop: TestApplication
let clientId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization)
  clientId = (await makeClient(owner, { name: 'Engines SL' })).id
})
afterAll(() => server?.close())

const put = (userId: string, body: object = {}, by: Person = owner, applicationId = shop.id) =>
  by.send(promised.putExternalUser, { params: { applicationId, userId }, body: { clientId, ...body } })
const read = (userId: string, by: Person = owner, applicationId = shop.id) =>
  by.send(promised.readExternalUser, { params: { applicationId, userId } })

describe('a user of an application', () => {
  test('is assigned to a client, and later to another one', async () => {
    const userId = 'user/ñ 1'
    expect(refusalOf(await read(userId))).toEqual([404, 'EXTERNAL_USER_NOT_FOUND'])
    const { body: made } = await put(userId, { name: ' Ada ', email: 'ada@example.test' })
    expect(made).toEqual({
      applicationId: shop.id,
      userId,
      clientId,
      clientName: 'Engines SL',
      name: 'Ada',
      email: 'ada@example.test',
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    })
    expect((await read(userId)).body).toEqual(made)
    expect((await put(userId)).body).toEqual(made)
    const other = await makeClient(owner, { name: 'Other' })
    const { body: moved } = await put(userId, { clientId: other.id, name: null })
    expect(moved).toMatchObject({ clientName: 'Other', name: null, email: 'ada@example.test' })
    const subject = `${shop.id}/${userId}`
    expect(await auditedChanges(server, subject)).toEqual([
      ['clientId', 'name', 'email'],
      [],
      ['clientId', 'name'],
    ])
  })

  test('keeps an archived client, and cannot be assigned one', async () => {
    await put('u-1')
    await owner.call(archiveClient, { params: { id: clientId } })
    expect((await put('u-1', { name: 'Ada' })).status).toBe(200)
    const refused = await put('u-2')
    expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'clientId' }] } })
    expect((await put('u-2', { clientId: newId() })).status).toBe(422)
  })

  test('is listed by the application’s id', async () => {
    for (const userId of ['b', 'c', 'a']) await put(userId)
    const input = { params: { applicationId: shop.id }, query: { limit: 2, offset: 1 } }
    const { items, total } = await owner.call(promised.listExternalUsers, input)
    expect([items.map(({ userId }) => userId), total]).toEqual([['b', 'c'], 3])
  })

  test('belongs to an application of the organization, and needs a permission', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    await put('u-1')
    const unknown = await read('u-1', stranger, newId())
    expect(refusalOf(unknown)).toEqual([404, 'APPLICATION_NOT_FOUND'])
    expect((await read('u-1', stranger)).body).toEqual(unknown.body)
    expect(refusalOf(await put('u-1', {}, stranger))).toEqual([404, 'APPLICATION_NOT_FOUND'])
    expect((await read('u-1', viewer)).status).toBe(200)
    expect(refusalOf(await put('u-1', {}, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await read('u-1', await organization.person()))).toEqual([403, 'PERMISSION_DENIED'])
  })

  test.each([
    ['name', 'x'.repeat(limits.clientName + 1)],
    ['email', 'nobody'],
  ])('cannot have the %s %s', async (field, value) => {
    expect(await put('u-1', { [field]: value })).toMatchObject({
      status: 400,
      body: { details: [{ path: field }] },
    })
    expect((await put('x'.repeat(limits.externalUserId + 1))).status).toBe(400)
  })
})
