import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditedChanges, makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { plantBillingContacts } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let id: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
})
beforeEach(async () => {
  id = (await makeClient(owner)).id
})
afterAll(() => server?.close())

let count = 0
const add = (input: object = {}) =>
  owner.call(contract.addBillingContact, {
    params: { id },
    body: { name: `Payer ${++count}`, email: `payer-${count}@client.test`, ...input },
  })
const change = (billingContactId: string, body: object) =>
  owner.call(contract.updateBillingContact, { params: { id, billingContactId }, body })
const all = async () => (await owner.call(contract.listBillingContacts, { params: { id } })).items
const mains = async () => (await all()).filter(({ isMain }) => isMain).map(contact => contact.id)

describe('billing contacts', () => {
  test('the first one is the main one, and another one can replace it', async () => {
    const first = await add({ name: ' Ada ' })
    expect(first).toEqual({
      id: first.id,
      name: 'Ada',
      email: first.email,
      isMain: true,
      isActive: true,
      createdAt: first.createdAt,
      updatedAt: first.createdAt,
    })
    const second = await add()
    expect(second.isMain).toBe(false)
    const third = await add({ isMain: true })
    expect((await all()).map(contact => [contact.id, contact.isMain])).toEqual([
      [third.id, true],
      [first.id, false],
      [second.id, false],
    ])
    await change(second.id, { isMain: true })
    expect(await mains()).toEqual([second.id])
    const none = await change(second.id, { isMain: false, name: 'Bob', email: 'bob@client.test' })
    expect(none).toMatchObject({ isMain: false, name: 'Bob', email: 'bob@client.test' })
    expect(await mains()).toEqual([])
    expect((await add()).isMain).toBe(false)
  })

  test('the first one need not be the main one', async () => {
    expect((await add({ isMain: false })).isMain).toBe(false)
  })

  test('an inactive contact is not the main one and cannot become it', async () => {
    const { id: main } = await add()
    expect(await change(main, { isActive: false })).toMatchObject({ isActive: false, isMain: false })
    for (const body of [{ isMain: true }, { isMain: true, isActive: false }]) {
      const refused = await owner.send(contract.updateBillingContact, {
        params: { id, billingContactId: main },
        body,
      })
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'isMain' }] } })
    }
    expect(await change(main, { isActive: true })).toMatchObject({ isActive: true, isMain: false })
    expect(await change(main, { isMain: true })).toMatchObject({ isMain: true })
  })

  test('is removed', async () => {
    const [first, second] = [await add(), await add()]
    const params = { id, billingContactId: first.id }
    await owner.call(contract.removeBillingContact, { params })
    expect(await all()).toEqual([second])
    for (const gone of [
      await owner.send(contract.removeBillingContact, { params }),
      await owner.send(contract.updateBillingContact, { params, body: { name: 'New' } }),
    ])
      expect(refusalOf(gone)).toEqual([404, 'BILLING_CONTACT_NOT_FOUND'])
  })

  test('unchanged contacts are not written; changes are audited with the client', async () => {
    const contact = await add()
    const { name, email, isMain, isActive } = contact
    expect(await change(contact.id, { name, email, isMain, isActive })).toEqual(contact)
    await change(contact.id, { name: 'Other' })
    expect((await auditedChanges(server, id)).slice(1)).toEqual([
      ['billingContacts'],
      [],
      ['billingContacts'],
    ])
    const params = { id, billingContactId: contact.id }
    const nothing = await owner.send(contract.updateBillingContact, { params, body: {} })
    expect(nothing).toMatchObject({ status: 422, body: { errorCode: 'VALIDATION_ERROR' } })
  })

  test('belongs to one active client', async () => {
    const contact = await add()
    const params = { billingContactId: contact.id }
    const other = await makeClient(owner)
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const body = { name: 'New', email: 'new@client.test' }
    const ask = (by: Person, at: string) =>
      Promise.all([
        by.send(contract.updateBillingContact, { params: { id: at, ...params }, body }),
        by.send(contract.removeBillingContact, { params: { id: at, ...params } }),
      ])
    for (const answer of await ask(owner, other.id))
      expect(refusalOf(answer)).toEqual([404, 'BILLING_CONTACT_NOT_FOUND'])
    const unknown = await ask(stranger, newId())
    const foreign = await ask(stranger, id)
    expect(foreign.map(({ body }) => body)).toEqual(unknown.map(({ body }) => body))
    for (const answer of unknown) expect(refusalOf(answer)).toEqual([404, 'CLIENT_NOT_FOUND'])
    expect(refusalOf(await stranger.send(contract.addBillingContact, { params: { id }, body }))).toEqual([
      404,
      'CLIENT_NOT_FOUND',
    ])
    await owner.call(contract.archiveClient, { params: { id } })
    for (const answer of [
      ...(await ask(owner, id)),
      await owner.send(contract.addBillingContact, { params: { id }, body }),
    ])
      expect(refusalOf(answer)).toEqual([409, 'CLIENT_ARCHIVED'])
    expect(await all()).toEqual([contact])
  })

  test('at most fifty, even for concurrent requests', async () => {
    await plantBillingContacts(server, owner.organizationId, id, limits.billingContactsPerClient - 1)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        owner.send(contract.addBillingContact, {
          params: { id },
          body: { name: 'Last', email: 'last@client.test' },
        }),
      ),
    )
    expect(answers.map(refusalOf).toSorted()).toEqual([
      [201, undefined],
      ...Array(3).fill([409, 'TOO_MANY_BILLING_CONTACTS']),
    ])
    expect(await all()).toHaveLength(limits.billingContactsPerClient)
  })
})

test('concurrent requests leave exactly one main contact', async () => {
  const added = await Promise.all(Array.from({ length: 6 }, () => add({ isMain: true })))
  expect(await mains()).toHaveLength(1)
  await Promise.all([...added.map(one => change(one.id, { isMain: true })), add({ isMain: true })])
  expect(await mains()).toHaveLength(1)
  const fresh = (await makeClient(owner)).id
  id = fresh
  await Promise.all(Array.from({ length: 6 }, () => add()))
  expect(await mains()).toHaveLength(1)
})
