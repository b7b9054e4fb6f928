import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvitation, inviteMany, listInvitations } from '#contract/identity/invitations.ts'
import { limits } from '#contract/limits.ts'
import { firstOf } from '#tests/support/elements.ts'
import { invitationSecret, mailsTo } from '#tests/support/outbox.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('each address has its own result; a preview has the same ones and does nothing', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const member = await organization.person()
  await owner.call(createInvitation, { body: { email: 'open@bulk.test', role: 'ADMIN' } })
  const former = invitationSecret(server, 'open@bulk.test')
  const emails = [' New@Bulk.test', 'not an address', member.email, 'open@bulk.test', 'new@bulk.test']
  const results = ['INVITED', 'INVALID', 'ALREADY_MEMBER', 'INVITED_AGAIN', 'DUPLICATE']
  const body = { emails, role: 'MEMBER' as const }

  const preview = await owner.call(inviteMany, { body: { ...body, preview: true } })
  expect(preview).toEqual({
    items: emails.map((email, at) => ({ email, result: results[at], invitation: null })),
    preview: true,
  })
  expect((await owner.call(listInvitations)).items).toMatchObject([{ role: 'ADMIN' }])
  expect(invitationSecret(server, 'open@bulk.test')).toBe(former)

  const done = await owner.call(inviteMany, { body })
  expect(done.items.map(({ email, result }) => [email, result])).toEqual(
    emails.map((email, at) => [email, results[at]]),
  )
  expect(done.items.map(({ invitation }) => invitation?.email)).toEqual([
    'new@bulk.test',
    undefined,
    undefined,
    'open@bulk.test',
    undefined,
  ])
  expect(firstOf(done.items).invitation).toMatchObject({ role: 'MEMBER', mailSent: true })
  const { items } = await owner.call(listInvitations)
  expect(items.map(({ email, role }) => [email, role]).sort()).toEqual([
    ['new@bulk.test', 'MEMBER'],
    ['open@bulk.test', 'MEMBER'],
  ])
  expect(mailsTo(server, 'new@bulk.test')).toHaveLength(1)
  expect(invitationSecret(server, 'open@bulk.test')).not.toBe(former)
  await server.relayed()
  const rows = await server.sql<{ detail: unknown }>(
    `select detail from audit where organization_id = $1 and operation = 'POST /api/org/invitations/bulk'`,
    [organization.id],
  )
  const ids = done.items.flatMap(({ invitation }) => invitation?.id ?? [])
  expect(rows).toEqual([{ detail: { invitationIds: ids } }])
  const events = await server.sql<{ data: unknown }>(
    `select data from event where organization_id = $1 and name = 'invitation.changed' order by seq desc limit 1`,
    [organization.id],
  )
  expect(events).toEqual([{ data: { ids, createdIds: ids.slice(0, 1) } }])
})

test('nobody gives more rights than their own, also in a preview', async () => {
  const organization = await server.organization()
  const admin = await organization.person({ role: 'ADMIN' })
  for (const preview of [true, false]) {
    const body = { emails: ['owner@bulk.test'], role: 'OWNER' as const, preview }
    expect(refusalOf(await admin.send(inviteMany, { body }))).toEqual([403, 'OWNER_ONLY'])
  }
  expect((await admin.call(listInvitations)).items).toEqual([])
})

test('takes 50 addresses and not more', async () => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const emails = Array.from({ length: limits.invitationsAtOnce }, (_, n) => `p${n}@many.test`)
  const { items } = await owner.call(inviteMany, { body: { emails, role: 'MEMBER' } })
  expect(items.filter(({ invitation }) => invitation?.mailSent)).toHaveLength(limits.invitationsAtOnce)
  const body = { emails: [...emails, 'one@many.test'], role: 'MEMBER' as const }
  expect(refusalOf(await owner.send(inviteMany, { body }))).toEqual([400, 'VALIDATION_ERROR'])
})
