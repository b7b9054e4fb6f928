import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeInvoicePdfAddress, updateInvoice } from '#contract/billing/invoices.ts'
import { makeBudgetPdfAddress, updateBudget } from '#contract/crm/budgets.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { makeInvoice } from '#tests/support/billing/invoices.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { defined, findIn } from '#tests/support/elements.ts'
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
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const documents = {
  invoice: {
    make: makeInvoicePdfAddress,
    permission: 'BILLING_VIEW',
    create: () => makeInvoice(owner, { draft: true }),
    change: (id: string) => owner.call(updateInvoice, { params: { id }, body: { notes: 'New' } }),
    read: '/api/billing/invoices',
    unknown: 'INVOICE_NOT_ACCESSIBLE',
  },
  budget: {
    make: makeBudgetPdfAddress,
    permission: 'CRM_VIEW',
    create: () => makeBudget(owner),
    change: (id: string) => owner.call(updateBudget, { params: { id }, body: { notes: 'New' } }),
    read: '/api/crm/budgets',
    unknown: undefined,
  },
} as const
const kinds = Object.keys(documents) as (keyof typeof documents)[]

const open = async (path: string) => {
  const response = await fetch(`${server.url}${path}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, bytes, status: response.status }
}
async function refused(path: string): Promise<[number, string | undefined]> {
  const { status, bytes } = await open(path)
  return refusalOf({ status, body: JSON.parse(bytes.toString()) })
}
const invalid = [403, 'DOCUMENT_ADDRESS_INVALID']

describe.each(kinds)('the address of the PDF of an %s', kind => {
  const { make, permission, create, change, read, unknown } = documents[kind]
  const addressOf = async (id: string, by = owner) => (await by.call(make, { params: { id } })).path

  test('opens the same document for a minute, without a header', async () => {
    const { id } = await create()
    const { path, expiresAt } = await owner.call(make, { params: { id } })
    expect(path).toMatch(new RegExp(`^${read}/${id}/pdf/open\\?`))
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1_000
    expect(seconds).toBeGreaterThan(limits.documentAddressSeconds - 30)
    expect(seconds).toBeLessThanOrEqual(limits.documentAddressSeconds + 1)
    const { response, bytes } = await open(path)
    const direct = await fetch(`${server.url}${read}/${id}/pdf`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(bytes.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="[\w.-]+\.pdf"$/)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('content-disposition')).toBe(direct.headers.get('content-disposition'))
  })

  test('opens nothing else, and nothing when any part was changed', async () => {
    const [one, other] = [await create(), await create()]
    const path = await addressOf(one.id)
    expect(await refused(path.replace(one.id, other.id))).toEqual(invalid)
    const [where, query] = path.split('?') as [string, string]
    for (const name of ['organization', 'person', 'session', 'version', 'expires', 'signature']) {
      const changed = new URLSearchParams(query)
      const value = defined(changed.get(name))
      changed.set(
        name,
        name === 'version'
          ? '2026-01-01T00:00:00.000Z'
          : name === 'expires'
            ? String(Number(value) + 1)
            : value.replace(/.$/, last => (last === 'A' ? 'B' : 'A')),
      )
      expect(await refused(`${where}?${changed}`)).toEqual(invalid)
    }
    const otherKind = findIn(kinds, name => name !== kind)
    expect(await refused(path.replace(read, documents[otherKind].read))).toEqual(invalid)
    expect((await open(path)).status).toBe(200)
  })

  test('ends with its time, with a change, with the session and with the permission', async () => {
    const { id } = await create()
    const first = await addressOf(id)
    await change(id)
    expect(await refused(first)).toEqual(invalid)

    const person = await organization.person({ permissions: [permission] })
    const path = await addressOf(id, person)
    expect((await open(path)).status).toBe(200)
    const setPermissions = (permissions: string[]) =>
      server.sql(
        `update role set permissions = $2 from membership m
         where m.organization_id = role.organization_id and m.custom_role_id = role.id and m.person_id = $1`,
        [person.id, permissions],
      )
    await setPermissions(['STUDIO_VIEW'])
    expect(await refused(path)).toEqual([403, 'PERMISSION_DENIED'])
    await setPermissions([permission])
    await server.sql('update organization set suspended_at = now() where id = $1', [organization.id])
    expect(await refused(path)).toEqual([403, 'ORGANIZATION_SUSPENDED'])
    await server.sql('update organization set suspended_at = null where id = $1', [organization.id])
    expect((await open(path)).status).toBe(200)
    await server.sql('update session set expires_at = now() where person_id = $1', [person.id])
    expect(await refused(path)).toEqual(invalid)
  })

  test('expires by the clock of the database', async () => {
    const { id } = await create()
    const path = await addressOf(id)
    const query = new URL(path, 'http://x').searchParams
    const past = Number(query.get('expires')) - limits.documentAddressSeconds - 1
    const { organization, person, session, version } = Object.fromEntries(query)
    const text = JSON.stringify([kind, id, version, organization, person, session, past])
    query.set('expires', String(past))
    query.set('signature', server.api.services.seals.seal('document address 1', text))
    expect(await refused(`${path.split('?')[0]}?${query}`)).toEqual(invalid)
  })

  test('is made for readers of the document only', async () => {
    const { id } = await create()
    const send = (by: Person, of = id) => by.send(make, { params: { id: of } })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await send(stranger))).toEqual([404, unknown])
    expect((await send(stranger)).body).toEqual((await send(stranger, newId())).body)
    const clerk = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await send(clerk))).toEqual([403, 'PERMISSION_DENIED'])
  })
})
