import { createHash } from 'node:crypto'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
  sendInvitation,
} from '#contract/identity/invitations.ts'
import { getMember } from '#contract/identity/organization.ts'
import { setPreferences } from '#contract/identity/preferences.ts'
import type { Operation } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { captured, firstOf, itemAt, mapAll, only } from '#tests/support/elements.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
import { invitationSecret, mailsTo } from '#tests/support/outbox.ts'
import { until } from '#tests/support/processes.ts'
import { decoded } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let owner: Person
let admin: Person

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization({ name: 'Çelik & Söhne' })
  owner = await org.person({ role: 'OWNER', name: 'Olga Owner' })
  admin = await org.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

let count = 0
const address = () => `invited-${++count}@there.test`
const invite = (body: object, who = owner) => who.send(createInvitation, { body: body as never })
const look = (secret: string) => server.client().send(readInvitation, { body: { secret } })

const denied = { status: 403, body: { errorCode: 'PERMISSION_DENIED' } }
const missing = { status: 404, body: { errorCode: 'INVITATION_NOT_FOUND' } }

test('mails a link that works for seven days and stores only the hash of its secret', async () => {
  const { body } = await invite({ email: 'New.Person@There.test', name: 'New Person', role: 'MEMBER' })
  expect(body).toMatchObject({
    email: 'new.person@there.test',
    name: 'New Person',
    role: 'MEMBER',
    roleId: null,
    invitedBy: owner.id,
    sentAt: expect.any(String),
    mailSent: true,
  })
  const days = (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 86_400_000
  expect(days).toBeCloseTo(7, 3)
  const [text] = mailsTo(server, 'new.person@there.test')
  expect(text).toContain('Hello New Person')
  expect(text).toContain('Olga Owner invites you')
  const secret = invitationSecret(server, 'new.person@there.test')
  expect(Buffer.from(secret, 'base64url')).toHaveLength(20)
  const row = only(
    await server.sql<{ row: string }>('select row_to_json(i)::text as row from invitation i where id = $1', [
      body.id,
    ]),
  )
  expect(row.row).not.toContain(secret)
  expect(row.row).toContain(createHash('sha256').update(secret).digest('hex'))
  expect(await look(secret)).toMatchObject({
    status: 200,
    body: {
      organizationId: org.id,
      organizationName: 'Çelik & Söhne',
      email: 'new.person@there.test',
      name: 'New Person',
      role: 'MEMBER',
      isNew: true,
    },
  })
})

test('inviting the same address again replaces the open invitation, also concurrently', async () => {
  const email = address()
  const first = await invite({ email, role: 'MEMBER' })
  const secret = invitationSecret(server, email)
  const second = await invite({ email: email.toUpperCase(), role: 'ADMIN' })
  expect(second.body.id).not.toBe(first.body.id)
  expect(await look(secret)).toMatchObject(missing)
  expect(await look(invitationSecret(server, email))).toMatchObject({ status: 200, body: { role: 'ADMIN' } })
  const many = await Promise.all(Array.from({ length: 6 }, () => invite({ email, role: 'MEMBER' })))
  expect(many.map(answer => answer.status)).toEqual(Array(6).fill(201))
  const open = await server.sql('select 1 from invitation where email = $1 and revoked_at is null', [email])
  expect(open).toHaveLength(1)
})

test('the mail is in the language that its sender prefers (MBR-17)', async () => {
  const sender = await org.person({ role: 'OWNER', name: 'Sara Vidal' })
  const email = address()
  const subjectOf = (text = '') => captured(/^Subject: (.*)$/m, text).trim()
  const { body } = await invite({ email, role: 'MEMBER', name: 'Nora' }, sender)
  await (await signedInAccount(server, sender)).call(setPreferences, { body: { language: 'es' } })
  await sender.call(sendInvitation, { params: { id: body.id } })
  const [english, spanish] = mailsTo(server, email)
  expect(english).toContain('Hello Nora')
  expect(english).toContain('Sara Vidal invites you to')
  expect(spanish).toContain('Hola, Nora:')
  expect(spanish).toContain('Sara Vidal te invita a')
  expect(subjectOf(spanish)).not.toBe(subjectOf(english))
  expect(invitationSecret(server, email)).toHaveLength(27)
})

describe('permissions', () => {
  test('requires ORG_MANAGE, also for reading', async () => {
    const member = await org.person()
    const { body } = await invite({ email: address(), role: 'MEMBER' })
    const params = { id: body.id }
    expect(await invite({ email: address(), role: 'MEMBER' }, member)).toMatchObject(denied)
    expect(await member.send(listInvitations, {})).toMatchObject(denied)
    expect(await member.send(sendInvitation, { params })).toMatchObject(denied)
    expect(await member.send(revokeInvitation, { params })).toMatchObject(denied)
  })

  test('nobody can invite with a role above their own', async () => {
    const clerk = await org.person({ permissions: ['ORG_MANAGE'] })
    const verifier = await org.person({ permissions: ['STUDIO_VERIFY'] })
    const { roleId } = await owner.call(getMember, { params: { personId: verifier.id } })
    const ownerOnly = { status: 403, body: { errorCode: 'OWNER_ONLY' } }
    expect(await invite({ email: address(), role: 'OWNER' }, admin)).toMatchObject(ownerOnly)
    expect(await invite({ email: address(), role: 'ADMIN' }, clerk)).toMatchObject(denied)
    expect(await invite({ email: address(), role: 'MEMBER' }, clerk)).toMatchObject(denied)
    expect(await invite({ email: address(), role: 'CUSTOM', roleId }, owner)).toMatchObject(denied)
    const { body } = await invite({ email: address(), role: 'OWNER' })
    expect(await admin.send(sendInvitation, { params: { id: body.id } })).toMatchObject(ownerOnly)
  })
})

test('refuses a member, and a role of another organization', async () => {
  const stranger = await (await server.organization()).person({ permissions: [] })
  const { roleId } = await stranger.call(getMember, { params: { personId: stranger.id } })
  expect(await invite({ email: admin.email, role: 'MEMBER' })).toMatchObject({
    status: 409,
    body: { errorCode: 'ALREADY_MEMBER' },
  })
  const [foreign, random] = await mapAll([roleId, newId()], id =>
    invite({ email: address(), role: 'CUSTOM', roleId: id }),
  )
  expect(foreign).toMatchObject({ status: 404, body: { errorCode: 'ROLE_NOT_FOUND' } })
  expect(foreign.text).toBe(random.text)
})

test.each([
  [{ role: 'MEMBER' }],
  [{ email: 'nobody', role: 'MEMBER' }],
  [{ email: 'a@x.test, b@y.test', role: 'MEMBER' }],
  [{ email: 'a@x.test\r\nBcc: b@y.test', role: 'MEMBER' }],
  [{ email: 'Ann <a@x.test>', role: 'MEMBER' }],
  [{ email: `${'x'.repeat(64)}@${'y'.repeat(190)}.test`, role: 'MEMBER' }],
  [{ email: 'a@x.test', role: 'KING' }],
  [{ email: 'a@x.test', role: 'CUSTOM' }],
  [{ email: 'a@x.test', role: 'MEMBER', roleId: 'c1' }],
  [{ email: 'a@x.test', role: 'MEMBER', name: 'Ann\nBcc: b@y.test' }],
  [{ email: 'a@x.test', role: 'MEMBER', permissions: [] }],
])('refuses %j', async body => {
  expect(await invite(body)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
})

test('lists open and expired invitations, newest first; revoking one ends its link', async () => {
  const other = await server.organization()
  const boss = await other.person({ role: 'OWNER' })
  const emails = [address(), address(), address()]
  for (const email of emails) await invite({ email, role: 'MEMBER' }, boss)
  await server.sql(
    `update invitation set expires_at = now() - make_interval(secs => 0.001) where email = $1`,
    [emails[1]],
  )
  const listed = await boss.call(listInvitations, {})
  expect(listed.items.map(item => item.email)).toEqual(emails.toReversed())
  expect(listed.total).toBe(3)
  expect(await look(invitationSecret(server, itemAt(emails, 1)))).toMatchObject(missing)
  const params = { id: firstOf(listed.items).id }
  expect((await boss.send(revokeInvitation, { params })).status).toBe(204)
  expect(await boss.send(revokeInvitation, { params })).toMatchObject(missing)
  expect(await look(invitationSecret(server, itemAt(emails, 2)))).toMatchObject(missing)
  expect(only((await boss.call(listInvitations, { query: { limit: 1 } })).items).email).toBe(emails[1])
})

test("another organization's invitation and a random id get the same reply", async () => {
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const { body } = await invite({ email: address(), role: 'MEMBER' })
  for (const operation of [sendInvitation, revokeInvitation] as Operation[]) {
    const [foreign, random] = await mapAll([body.id, newId()], id =>
      stranger.send(operation, { params: { id } } as never),
    )
    expect(foreign).toMatchObject(missing)
    expect(foreign.text).toBe(random.text)
  }
})

test('sending again creates a new link for seven days', async () => {
  const email = address()
  const { body } = await invite({ email, role: 'MEMBER' })
  const secret = invitationSecret(server, email)
  await server.sql(`update invitation set expires_at = now() - make_interval(secs => 0.001) where id = $1`, [
    body.id,
  ])
  const again = await owner.call(sendInvitation, { params: { id: body.id } })
  expect(again).toMatchObject({ id: body.id, mailSent: true })
  expect(Date.parse(again.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  expect(await look(secret)).toMatchObject(missing)
  expect((await look(invitationSecret(server, email))).status).toBe(200)
})

test('each change is recorded once', async () => {
  const other = await server.organization()
  const boss = await other.person({ role: 'OWNER' })
  const { body } = await invite({ email: address(), role: 'MEMBER' }, boss)
  await boss.call(sendInvitation, { params: { id: body.id } })
  await boss.call(revokeInvitation, { params: { id: body.id } })
  await server.relayed()
  const rows = await server.sql(
    'select operation, subject, actor_id from audit where organization_id = $1 order by seq',
    [other.id],
  )
  const [subject, actor_id] = [body.id, boss.id]
  expect(rows).toEqual([
    { operation: 'POST /api/org/invitations', subject, actor_id },
    { operation: 'POST /api/org/invitations/:id/send', subject, actor_id },
    { operation: 'DELETE /api/org/invitations/:id', subject, actor_id },
  ])
})

test('if the mail server fails, the mail waits until it works again, or until there is another link (MBR-10)', async () => {
  let isDown = true
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        if (!isDown) taken.push(text)
        done(isDown ? new Error('try again later') : undefined)
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const mailing = await startTestServer({ smtpUrl: `smtp://127.0.0.1:${port}` })
  try {
    const boss = await (await mailing.organization()).person({ role: 'OWNER' })
    const { status, body } = await boss.send(createInvitation, { body: { email: address(), role: 'MEMBER' } })
    expect({ status, mailSent: body.mailSent, sentAt: body.sentAt }).toEqual({
      status: 201,
      mailSent: false,
      sentAt: null,
    })
    const queue = () =>
      mailing.sql<{ kind: string; data: string }>('select kind, data::text as data from outgoing_mail')
    const repeat = () => mailing.sql('update outgoing_mail set next_at = now()')
    const waiting = await queue()
    expect(waiting).toMatchObject([{ kind: 'invitation' }])
    expect((await boss.call(listInvitations, {})).items).toMatchObject([{ id: body.id, sentAt: null }])
    isDown = false
    await repeat()
    await until('the mail arrives and leaves the queue', async () => (await queue()).length === 0)
    expect(taken).toHaveLength(1)
    const secret = captured(/accept-invitation#secret=([\w-]{27})/, decoded(firstOf(taken)))
    expect(only(waiting).data).not.toContain(secret)
    expect(only((await boss.call(listInvitations, {})).items).sentAt).toEqual(expect.any(String))

    isDown = true
    expect(await boss.call(sendInvitation, { params: { id: body.id } })).toMatchObject({ mailSent: false })
    isDown = false
    const again = await boss.call(sendInvitation, { params: { id: body.id } })
    expect(again).toMatchObject({ mailSent: true, sentAt: expect.any(String) })
    expect(only((await boss.call(listInvitations, {})).items).sentAt).toBe(again.sentAt)
    // the mail with the superseded link is not sent
    await repeat()
    await until('no mail waits', async () => (await queue()).length === 0)
    expect(taken).toHaveLength(2)
  } finally {
    await mailing.close()
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
})
