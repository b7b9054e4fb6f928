import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  updateSavedView,
  type ViewList,
  viewListPermissions,
  viewLists,
} from '#contract/identity/views.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { plantViews } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let manager: Person
let mia: Person
let leo: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  manager = await organization.person({ role: 'OWNER', name: 'Olga' })
  mia = await organization.person({ name: 'Mia' })
  leo = await organization.person({ name: 'Leo' })
})
afterAll(() => server?.close())

type NewView = Partial<Input<typeof createSavedView>['body']>
const filters = { status: ['NEW', 'CONTACTED'], orderBy: 'score' }
const bodyOf = (input: NewView = {}) => ({ list: 'leads' as ViewList, name: 'Hot ones', filters, ...input })
const make = (by: Person, input: NewView = {}) => by.call(createSavedView, { body: bodyOf(input) })
const tryMake = async (by: Person, input: object) =>
  refusalOf(await by.send(createSavedView, { body: bodyOf(input) }))
const change = (by: Person, id: string, body: Input<typeof updateSavedView>['body']) =>
  by.send(updateSavedView, { params: { id }, body })
const remove = (by: Person, id: string) => by.send(deleteSavedView, { params: { id } })
const namesFor = async (by: Person, list: ViewList = 'leads') =>
  (await by.call(listSavedViews, { query: { list } })).items.map(({ name }) => name)
const unknown = [404, 'VIEW_NOT_FOUND']
const denied = [403, 'PERMISSION_DENIED']

describe('a view', () => {
  test('is saved, listed by name, changed and deleted', async () => {
    const view = await make(mia, { name: ' My hot ones ' })
    expect(view).toEqual({
      id: expect.any(String),
      list: 'leads',
      name: 'My hot ones',
      filters,
      isShared: false,
      owner: { id: mia.id, name: 'Mia' },
      mayChange: true,
      createdAt: expect.any(String),
      updatedAt: view.createdAt,
    })
    await make(mia, { name: 'archive' })
    await make(mia, { list: 'clients', name: 'Clients' })
    expect(await namesFor(mia)).toEqual(['archive', 'My hot ones'])
    const changed = await change(mia, view.id, { name: 'Cold ones', filters: { temperature: 'COLD' } })
    expect(changed.body).toMatchObject({
      name: 'Cold ones',
      filters: { temperature: 'COLD' },
      isShared: false,
    })
    expect(refusalOf(await change(mia, view.id, {}))).toEqual([422, 'VALIDATION_ERROR'])
    expect((await remove(mia, view.id)).status).toBe(204)
    expect(await namesFor(mia)).toEqual(['archive'])
    await server.relayed()
    const audited = await server.sql<{ changed: string[] }>(
      'select changed from audit where organization_id = $1 and subject = $2 order by seq',
      [organization.id, view.id],
    )
    expect(audited.map(row => row.changed)).toEqual([
      ['list', 'name', 'filters', 'isShared'],
      ['name', 'filters'],
      [],
    ])
  })

  test('is seen by its owner alone until it is shared', async () => {
    const own = await make(mia)
    expect(await namesFor(leo)).toEqual([])
    expect(refusalOf(await change(leo, own.id, { name: 'Mine' }))).toEqual(unknown)
    expect(refusalOf(await remove(manager, own.id))).toEqual(unknown)
    await change(mia, own.id, { isShared: true })
    const { items } = await leo.call(listSavedViews, { query: { list: 'leads' } })
    expect(items).toMatchObject([{ id: own.id, isShared: true, mayChange: false, owner: { name: 'Mia' } }])
    expect(refusalOf(await change(leo, own.id, { name: 'Mine' }))).toEqual(denied)
    expect(refusalOf(await remove(leo, own.id))).toEqual(denied)
    expect((await change(manager, own.id, { name: 'Ours' })).body).toMatchObject({
      name: 'Ours',
      mayChange: true,
    })
    expect((await change(manager, own.id, { isShared: false })).body).toMatchObject({ mayChange: false })
    expect([await namesFor(mia), await namesFor(manager)]).toEqual([['Ours'], []])
  })

  test('stays in its organization', async () => {
    const { id } = await make(mia, { isShared: true })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(await namesFor(stranger)).toEqual([])
    const [away, nobody] = [await remove(stranger, id), await remove(stranger, newId())]
    expect([away.status, away.text]).toEqual([404, nobody.text])
  })

  test('stays when its owner leaves only if it is shared', async () => {
    await make(mia, { name: 'Own' })
    const shared = await make(mia, { name: 'Shared', isShared: true })
    await manager.call(removeMember, { params: { personId: mia.id } })
    const rows = await server.sql<{ name: string }>(
      'select name from saved_view where organization_id = $1',
      [organization.id],
    )
    expect(rows.map(({ name }) => name)).toEqual(['Shared'])
    expect((await remove(manager, shared.id)).status).toBe(204)
  })
})

test('the views of a list need the permission of the list', async () => {
  const billing = await make(manager, { list: 'invoices', name: 'Overdue', isShared: true })
  expect(refusalOf(await mia.send(listSavedViews, { query: { list: 'invoices' } }))).toEqual(denied)
  expect(await tryMake(mia, { list: 'invoices' })).toEqual(denied)
  expect(refusalOf(await change(mia, billing.id, { name: 'x' }))).toEqual(unknown)
  for (const list of viewLists) {
    const permission = viewListPermissions[list]
    const person = await organization.person({ permissions: permission === null ? [] : [permission] })
    expect((await person.send(listSavedViews, { query: { list } })).status).toBe(200)
    const bare = await organization.person({ permissions: [] })
    const { status } = await bare.send(listSavedViews, { query: { list } })
    expect([list, status]).toEqual([list, permission === null ? 200 : 403])
  }
})

test('refuses filters that no query could have, and too much of them', async () => {
  const wrong = [400, 'VALIDATION_ERROR']
  for (const bad of [{ page: 1 }, { status: [1] }, { search: null }, { deep: { a: 'b' } }, { list: [['a']] }])
    expect(await tryMake(mia, { filters: bad })).toEqual(wrong)
  // `{"search":"…"}`, with two bytes for each character
  const most = (limits.viewFilterBytes - 13) / 2
  const text = 'ñ'.repeat(Math.floor(most))
  expect((await make(mia, { filters: { search: text } })).filters).toEqual({ search: text })
  expect(await tryMake(mia, { filters: { search: `${text}ñ` } })).toEqual(wrong)
  const { id } = await make(mia)
  expect(refusalOf(await change(mia, id, { filters: { search: `${text}ñ` } }))).toEqual(wrong)
  expect(await tryMake(mia, { list: 'nothing' })).toEqual(wrong)
  expect(await tryMake(mia, { name: 'x'.repeat(limits.viewName + 1) })).toEqual(wrong)
  expect(refusalOf(await mia.send(listSavedViews, { query: {} as never }))).toEqual(wrong)
})

test('a person and an organization have a limited number, also of calls at the same time', async () => {
  const plant = (count: number, isShared: boolean) => plantViews(server, mia, isShared, count)
  await plant(limits.viewsPerPerson - 1, false)
  await plant(limits.sharedViews - 1, true)
  const statuses = async (input: NewView) =>
    (await Promise.all([1, 2, 3].map(() => mia.send(createSavedView, { body: bodyOf(input) }))))
      .map(({ status }) => status)
      .sort()
  expect(await statuses({})).toEqual([201, 409, 409])
  expect(await statuses({ isShared: true })).toEqual([201, 409, 409])
  expect(await tryMake(mia, {})).toEqual([409, 'TOO_MANY_VIEWS'])
  expect(await namesFor(mia)).toHaveLength(limits.viewsPerPerson + limits.sharedViews)
  // others have views of their own, which they cannot share any more
  const { id } = await make(leo)
  expect(refusalOf(await change(leo, id, { isShared: true }))).toEqual([409, 'TOO_MANY_VIEWS'])
})
