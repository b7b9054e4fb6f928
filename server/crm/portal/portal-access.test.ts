import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endPortalSessions, updateContact } from '#contract/crm/contacts.ts'
import { leavePortal, listPortalBudgets, openPortalSession, requestPortalLink } from '#contract/crm/portal.ts'
import { endAllPortalAccess, endPortalAccess, listPortalAccess } from '#contract/crm/portal-access.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { auditedChanges, makeContact } from '#tests/support/crm/leads-and-clients.ts'
import { openPortal, plantPortalLink, plantSession, type TestCustomer } from '#tests/support/crm/portal.ts'
import { earlier } from '#tests/support/earlier.ts'
import { captured, defined, exactly, findIn, firstOf, only } from '#tests/support/elements.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { digestOf } from './portal.token.ts'
import { deleteExpiredPortalAccess } from './portal-access.sql.ts'

let server: TestServer
let organization: Organization
let owner: Person
let customer: TestCustomer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  customer = await openPortal(server, owner)
})
afterAll(() => server?.close())

const accessOf = async (clientId = customer.clientId, by = owner) =>
  (await by.call(listPortalAccess, { params: { id: clientId } })).items
const statusFor = async (token: string) => (await server.client(token).send(listPortalBudgets)).status
const enter = (token: string) => server.client().send(openPortalSession, { body: { token } })

test('a link and the session that it opens are listed with their contact, times and masked address', async () => {
  const { clientId, contactId, email } = customer
  await owner.call(updateContact, { params: { id: contactId }, body: { firstName: 'Grace' } })
  await server.client().call(requestPortalLink, { body: { organizationId: organization.id, email } })
  await expect.poll(() => mailsTo(server, email)).toHaveLength(1)
  const [link, planted] = exactly(2, await accessOf())
  const who = { contactId, contactName: 'Grace', contactEmail: email }
  expect(link).toMatchObject({ ...who, kind: 'LINK', lastUsedAt: null, ipAddressMasked: '127.0.0.x' })
  expect(planted).toMatchObject({ ...who, kind: 'SESSION', lastUsedAt: null, ipAddressMasked: null })
  const minutes = (Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 60_000
  expect(Math.round(minutes)).toBe(limits.portalLinkMinutes)

  const secret = captured(/portal\/enter\/(patio_portal_\w+)/, firstOf(mailsTo(server, email)))
  const { token } = (await enter(secret)).body
  const [opened, former] = exactly(2, await accessOf())
  expect(opened).toMatchObject({ ...who, kind: 'SESSION', ipAddressMasked: '127.0.0.x' })
  expect(opened.lastUsedAt).toBe(opened.createdAt)
  expect(former.id).toBe(planted.id)
  expect(JSON.stringify(await accessOf())).not.toContain(digestOf(token))

  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  expect(await accessOf(clientId, viewer)).toHaveLength(2)
  const other = await organization.person({ permissions: ['BILLING_VIEW'] })
  expect(refusalOf(await other.send(listPortalAccess, { params: { id: clientId } }))).toEqual([
    403,
    'PERMISSION_DENIED',
  ])
  const unknown = await owner.send(listPortalAccess, { params: { id: newId() } })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const foreign = await stranger.send(listPortalAccess, { params: { id: clientId } })
  expect([refusalOf(unknown), foreign.text]).toEqual([[404, 'CLIENT_NOT_FOUND'], unknown.text])
})

test('the last use of a session is recorded, at most once a minute', async () => {
  await statusFor(customer.token)
  const used = only(await accessOf())
  expect(Date.parse(defined(used.lastUsedAt))).toBeGreaterThanOrEqual(Date.parse(used.createdAt))
  await statusFor(customer.token)
  expect(only(await accessOf()).lastUsedAt).toBe(used.lastUsedAt)
  await server.sql(
    `update portal_session set last_used_at = ${earlier('last_used_at', "interval '61 seconds'")}`,
  )
  await statusFor(customer.token)
  expect(defined(only(await accessOf()).lastUsedAt) >= defined(used.lastUsedAt)).toBe(true)
})

test('one session or link ends; the others stay', async () => {
  const { contactId, clientId } = customer
  const second = await plantSession(server, owner, contactId)
  const mailed = await plantPortalLink(server, owner, contactId)
  const access = await accessOf()
  const end = (accessId: string, id = contactId, by = owner) =>
    by.send(endPortalAccess, { params: { id, accessId } })
  const link = only(access.filter(({ kind }) => kind === 'LINK'))
  const session = findIn(access, ({ kind }) => kind === 'SESSION')

  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  expect(refusalOf(await end(session.id, contactId, viewer))).toEqual([403, 'PERMISSION_DENIED'])
  const colleague = await makeContact(owner, { clientId, email: 'colleague@example.test' })
  expect((await end(session.id, colleague.id)).body).toEqual({ ended: false })
  expect(await accessOf()).toHaveLength(3)

  expect((await end(session.id)).body).toEqual({ ended: true })
  expect((await end(session.id)).body).toEqual({ ended: false })
  // the newest of the list was the second one
  expect([await statusFor(customer.token), await statusFor(second)].sort()).toEqual([200, 401])
  expect((await end(link.id)).body).toEqual({ ended: true })
  expect((await enter(mailed)).status).toBe(401)
  expect(await accessOf()).toHaveLength(1)
  expect((await auditedChanges(server, contactId)).slice(1)).toEqual([['portalSession'], [], ['portalLink']])
  expect(refusalOf(await end('no-identifier'))).toEqual([400, 'VALIDATION_ERROR'])
  const missing = await end(session.id, newId())
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const foreign = await end(session.id, contactId, stranger)
  expect([refusalOf(missing), foreign.text]).toEqual([[404, 'CONTACT_NOT_FOUND'], missing.text])
})

test('all sessions and links of a client end, and no others', async () => {
  const { clientId, contactId } = customer
  const { id: colleague } = await makeContact(owner, { clientId, email: 'colleague@example.test' })
  const tokens = [customer.token, await plantSession(server, owner, colleague)]
  const mailed = await plantPortalLink(server, owner, contactId)
  const other = await openPortal(server, owner)
  const endAll = (by: Person) => by.send(endAllPortalAccess, { params: { id: clientId } })
  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  expect(refusalOf(await endAll(viewer))).toEqual([403, 'PERMISSION_DENIED'])
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(refusalOf(await endAll(stranger))).toEqual([404, 'CLIENT_NOT_FOUND'])
  expect((await endAll(owner)).body).toEqual({ sessionsEnded: 2, linksEnded: 1 })
  expect(await Promise.all(tokens.map(statusFor))).toEqual([401, 401])
  expect([(await enter(mailed)).status, await statusFor(other.token)]).toEqual([401, 200])
  expect((await endAll(owner)).body).toEqual({ sessionsEnded: 0, linksEnded: 0 })
  expect((await auditedChanges(server, clientId)).slice(1)).toEqual([['portalSession', 'portalLink'], []])
})

test('a link that is used while all sessions end does not survive as a session', async () => {
  const mails = await Promise.all(
    Array.from({ length: 4 }, () => plantPortalLink(server, owner, customer.contactId)),
  )
  await Promise.all([
    ...mails.map(enter),
    owner.call(endAllPortalAccess, { params: { id: customer.clientId } }),
  ])
  expect(await accessOf()).toEqual([])
})

test('the team sees at once that a customer requests a link, signs in, signs out or is signed out', async () => {
  const { token } = (await fetch(`${server.url}/api/auth/sse-token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
  }).then(reply => reply.json())) as { token: string }
  const stream = await openStream(`${server.url}/api/events?token=${token}`)
  const frames = () =>
    stream
      .events()
      .filter(({ data }) => data?.type === 'contact.changed')
      .flatMap(({ data }) => data.ids as string[])
  const { contactId, email } = customer
  const steps = [
    () => server.client().call(requestPortalLink, { body: { organizationId: organization.id, email } }),
    async () => enter(await plantPortalLink(server, owner, contactId)),
    () => server.client(customer.token).call(leavePortal),
    () => owner.call(endPortalSessions, { params: { id: contactId } }),
  ]
  try {
    for (const [at, step] of steps.entries()) {
      await step()
      await expect.poll(() => frames().length).toBe(at + 1)
    }
    expect(new Set(frames())).toEqual(new Set([contactId]))
  } finally {
    stream.close()
  }
})

test('expired sessions and links, which name an address, are deleted', async () => {
  await plantPortalLink(server, owner, customer.contactId)
  const other = await openPortal(server, owner)
  for (const table of ['portal_session', 'portal_link'])
    await server.sql(`update ${table} set expires_at = now() - interval '1 second' where contact_id = $1`, [
      customer.contactId,
    ])
  expect(await accessOf()).toEqual([])
  await deleteExpiredPortalAccess(server.api.services.database)
  const rows = await server.sql<{ contact_id: string }>(
    `select contact_id from portal_session where organization_id = $1
     union all select contact_id from portal_link where organization_id = $1`,
    [organization.id],
  )
  expect(rows).toEqual([{ contact_id: other.contactId }])
})
