import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateBudget } from '#contract/crm/budgets.ts'
import { archiveContact, endPortalSessions, unarchiveContact, updateContact } from '#contract/crm/contacts.ts'
import * as contract from '#contract/crm/portal.ts'
import { listSignatures, verifySignature } from '#contract/crm/signatures.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { blocked } from '#tests/support/blocked.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import {
  auditedChanges,
  convert,
  eraseLeadOf,
  makeContact,
  makeLead,
} from '#tests/support/crm/leads-and-clients.ts'
import {
  openPortal,
  plantPortalLink,
  plantSession,
  sentBudget,
  type TestCustomer,
} from '#tests/support/crm/portal.ts'
import { firstOf, only } from '#tests/support/elements.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { setUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { linkSecret, sessionSecret } from './portal.token.ts'

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

const portal = () => server.client(customer.token)
const ask = (email: string, organizationId = organization.id) =>
  server.client().send(contract.requestPortalLink, { body: { organizationId, email } })
const enter = (token: string) => server.client().send(contract.openPortalSession, { body: { token } })
const secretOf = (mail: string) => /portal\/enter\/(patio_portal_\w+)/.exec(mail)?.[1] ?? ''
const consent = { name: 'Grace Hopper', consent: 'en' } as const

describe('signing in', () => {
  test('uses a mailed link that works once', async () => {
    const replies = await ask(customer.email.toUpperCase())
    expect([replies.status, replies.text]).toEqual([202, '{}'])
    await expect.poll(() => mailsTo(server, customer.email)).toHaveLength(1)
    const token = secretOf(firstOf(mailsTo(server, customer.email)))
    const opened = await enter(token)
    expect(opened.status).toBe(201)
    const hours = (Date.parse(opened.body.expiresAt) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(limits.portalSessionHours)
    expect((await server.client(opened.body.token).send(contract.listPortalBudgets)).status).toBe(200)
    const rows = await server.sql('select s::text from portal_session s where contact_id = $1', [
      customer.contactId,
    ])
    expect(JSON.stringify(rows)).not.toContain(opened.body.token)
    expect(refusalOf(await enter(token))).toEqual([401, undefined])
    await server.relayed()
    for (const secret of [token, opened.body.token]) expect(server.logged()).not.toContain(secret)
  })

  test('works once even for concurrent requests', async () => {
    const token = await plantPortalLink(server, owner, customer.contactId)
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(refusalOf(await enter(token))).toEqual([401, undefined])
  })

  test('always replies the same, and mails only contacts of clients', async () => {
    const loose = await makeContact(owner, { email: 'loose@example.test' })
    expect(loose.clientId).toBeNull()
    const archived = await openPortal(server, owner)
    await owner.call(archiveContact, { params: { id: archived.contactId } })
    const texts = new Set<string>()
    for (const [email, at] of [
      [customer.email, organization.id],
      ['nobody@example.test', organization.id],
      ['loose@example.test', organization.id],
      [archived.email, organization.id],
      [customer.email, newId()],
      [customer.email, 'nowhere'],
    ] as const) {
      const { status, text, headers } = await ask(email, at)
      texts.add(`${status} ${text} ${headers.get('content-type')}`)
    }
    expect(texts.size).toBe(1)
    await expect.poll(() => mailsTo(server, customer.email)).toHaveLength(1)
    for (const email of ['nobody@example.test', 'loose@example.test', archived.email])
      expect(mailsTo(server, email)).toEqual([])
  })

  test('does not mail an address that the contact is just changing', async () => {
    const client = new pg.Client({ connectionString: server.config.databaseUrl })
    await client.connect()
    try {
      await client.query('begin')
      const values = [customer.contactId, `new-${customer.email}`]
      await client.query('update crm_contact set email = $2 where id = $1', values)
      await ask(customer.email)
      await blocked(server)
      await client.query('commit')
    } finally {
      await client.end()
    }
    await server.relayed()
    expect(await server.sql('select from portal_link where contact_id = $1', [customer.contactId])).toEqual(
      [],
    )
    expect(mailsTo(server, customer.email)).toEqual([])
  })

  test('limits the mails per contact', async () => {
    for (let n = 0; n < limits.portalMailsPerHour + 2; n++) {
      expect((await ask(customer.email)).status).toBe(202)
      const seen = Math.min(n + 1, limits.portalMailsPerHour)
      await expect.poll(() => mailsTo(server, customer.email)).toHaveLength(seen)
    }
    await setUsed(server, limits.portalSignInsPerHour)
    expect(refusalOf(await ask(customer.email))).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  })

  test('expires after some minutes and when the contact is archived', async () => {
    const late = await plantPortalLink(server, owner, customer.contactId)
    await server.sql('update portal_link set expires_at = now() - make_interval(secs => 0.001)')
    expect(refusalOf(await enter(late))).toEqual([401, undefined])
    const good = await plantPortalLink(server, owner, customer.contactId)
    await owner.call(archiveContact, { params: { id: customer.contactId } })
    for (const token of [good, linkSecret.make(organization.id), linkSecret.make(newId()), 'x'])
      expect(refusalOf(await enter(token))).toEqual([401, undefined])
  })
})

const statusFor = async (token: string | undefined) =>
  (await server.client(token).send(contract.listPortalBudgets)).status

describe('a session', () => {
  test('that is expired, forged or foreign gives no access', async () => {
    const over = await plantSession(server, owner, customer.contactId)
    await server.sql(
      `update portal_session set expires_at = now() - make_interval(secs => 0.001) where token_digest = sha256(convert_to($1, 'UTF8'))`,
      [over],
    )
    const mail = await plantPortalLink(server, owner, customer.contactId)
    const invented = [sessionSecret.make(organization.id), sessionSecret.make(newId())]
    for (const token of [over, mail, ...invented, owner.token, `${customer.token}x`, '', undefined])
      expect(await statusFor(token)).toBe(401)
    expect(await statusFor(customer.token)).toBe(200)
  })

  test('ends when its contact signs out; other sessions remain', async () => {
    const other = await plantSession(server, owner, customer.contactId)
    expect(await portal().call(contract.leavePortal)).toEqual({})
    expect([await statusFor(customer.token), await statusFor(other)]).toEqual([401, 200])
    for (const token of [customer.token, undefined])
      expect((await server.client(token).send(contract.leavePortal)).status).toBe(200)
    expect(await auditedChanges(server, customer.contactId)).toEqual([expect.any(Array), ['portalSession']])
  })

  test('ends when a member ends the sessions, and mailed links stop working', async () => {
    const params = { id: customer.contactId }
    const mail = await plantPortalLink(server, owner, customer.contactId)
    const other = await openPortal(server, owner)
    expect(await owner.call(endPortalSessions, { params })).toEqual({ sessionsEnded: 1 })
    expect([await statusFor(customer.token), (await enter(mail)).status]).toEqual([401, 401])
    expect(await statusFor(other.token)).toBe(200)
    expect(await owner.call(endPortalSessions, { params })).toEqual({ sessionsEnded: 0 })
    expect((await auditedChanges(server, customer.contactId)).slice(1)).toEqual([['portalSession'], []])
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    expect(refusalOf(await viewer.send(endPortalSessions, { params }))).toEqual([403, 'PERMISSION_DENIED'])
    const missing = await owner.send(endPortalSessions, { params: { id: newId() } })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect((await stranger.send(endPortalSessions, { params })).body).toEqual(missing.body)
    expect(refusalOf(missing)).toEqual([404, 'CONTACT_NOT_FOUND'])
  })

  test('ends permanently when the contact is archived, erased, or changes e-mail or client', async () => {
    const change = (body: object) => async (params: { id: string }) => {
      await owner.call(updateContact, { params, body })
    }
    const { clientId } = await openPortal(server, owner)
    const back = { email: customer.email, clientId: customer.clientId }
    for (const end of [
      change({ email: 'successor@example.test' }),
      change({ clientId }),
      async (params: { id: string }) => {
        await owner.call(archiveContact, { params })
        await owner.call(unarchiveContact, { params })
      },
    ]) {
      const params = { id: customer.contactId }
      const token = await plantSession(server, owner, params.id)
      await change({ firstName: newId() })(params)
      expect(await statusFor(token)).toBe(200)
      await end(params)
      expect(await statusFor(token)).toBe(401)
      await change(back)(params)
      expect(await statusFor(token)).toBe(401)
    }
    const lead = await makeLead(owner)
    const { contactId } = await convert(owner, lead.id)
    await plantSession(server, owner, contactId)
    await eraseLeadOf(owner, lead.id)
    expect(await server.sql('select from portal_session where contact_id = $1', [contactId])).toEqual([])
  })
})

describe('budgets', () => {
  test('of the client are visible once they are sent; no others are', async () => {
    const sent = await sentBudget(owner, customer.clientId, { notes: 'Para ti' })
    const draft = await makeBudget(owner, { clientId: customer.clientId })
    const foreign = await sentBudget(owner, (await openPortal(server, owner)).clientId)
    const { items } = await portal().call(contract.listPortalBudgets)
    expect(items).toEqual([
      {
        id: sent.id,
        code: sent.code,
        title: sent.title,
        status: 'SENT',
        isExpired: false,
        issueDate: sent.issueDate,
        validUntil: null,
        signedAt: null,
        declinedAt: null,
        currency: 'eur',
        totalCents: sent.totalCents,
      },
    ])
    const whole = await portal().call(contract.readPortalBudget, { params: { id: sent.id } })
    expect(whole).toMatchObject({ ...items[0], content: { notes: 'Para ti', code: sent.code } })
    const missing = await portal().send(contract.readPortalBudget, { params: { id: newId() } })
    for (const { id } of [draft, foreign]) {
      const answer = await portal().send(contract.readPortalBudget, { params: { id } })
      expect([answer.status, answer.text]).toEqual([404, missing.text])
      const body = { ...consent, documentHash: 'a'.repeat(64) }
      expect((await portal().send(contract.signInPortal, { params: { id }, body })).text).toBe(missing.text)
    }
  })

  test('are signed once, with hashVersion 2, as shown', async () => {
    const { id } = await sentBudget(owner, customer.clientId)
    const params = { id }
    const { documentHash } = await portal().call(contract.readPortalBudget, { params })
    await owner.call(updateBudget, { params, body: { notes: 'Otra' } })
    const sign = (hash: string) =>
      portal().send(contract.signInPortal, { params, body: { ...consent, documentHash: hash } })
    expect(refusalOf(await sign(documentHash))).toEqual([409, 'SIGNED_DOCUMENT_DIFFERS'])
    const shown = (await portal().call(contract.readPortalBudget, { params })).documentHash
    const answers = await Promise.all(Array.from({ length: 8 }, () => sign(shown)))
    const created = only(answers.filter(({ status }) => status === 200))
    expect(created.body).toMatchObject({ documentHash: shown, hashVersion: 2 })
    for (const answer of answers)
      if (answer.status !== 200) expect(refusalOf(answer)).toEqual([409, 'BUDGET_SETTLED'])
    const budgetId = id
    const { items } = await owner.call(listSignatures, { params: { budgetId } })
    expect(items).toMatchObject([
      { signerName: 'Grace Hopper', signerEmail: customer.email, signingTokenId: null, hashVersion: 2 },
    ])
    const result = await owner.call(verifySignature, { params: { budgetId, sigId: only(items).id } })
    expect(result).toMatchObject({ status: 'VALID', signingTokenId: null })
    expect((await portal().call(contract.listPortalBudgets)).items).toMatchObject([{ id, status: 'SIGNED' }])
  })
})
