import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateBudget } from '#contract/crm/budgets.ts'
import { archiveContact } from '#contract/crm/contacts.ts'
import * as promised from '#contract/crm/portal.ts'
import { listSignatures, verifySignature } from '#contract/crm/signatures.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget } from '#tests/budgets.ts'
import { makeContact } from '#tests/crm.ts'
import { mailsTo } from '#tests/outbox.ts'
import { type Customer, openPortal, plantPortalLink, sentBudget } from '#tests/portal.ts'
import { refusalOf } from '#tests/refusals.ts'
import { type Organization, openWorld, type Person, type TestWorld } from '#tests/world.ts'
import { newSession } from './session.ts'
import { newToken } from './token.ts'

let world: TestWorld
let organization: Organization
let owner: Person
let customer: Customer
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  await world.sql('delete from rate_window')
  organization = await world.organization()
  owner = await organization.person({ role: 'OWNER' })
  customer = await openPortal(world, owner)
})
afterAll(() => world?.close())

const portal = () => world.client(customer.token)
const ask = (email: string, organizationId = organization.id) =>
  world.client().send(promised.requestPortalLink, { body: { organizationId, email } })
const enter = (token: string) => world.client().send(promised.openPortalSession, { body: { token } })
const secretOf = (mail: string) => /portal\/enter\/(patio_portal_\w+)/.exec(mail)?.[1] ?? ''
const consent = { name: 'Grace Hopper', consent: 'en' } as const

describe('the way in', () => {
  test('is a mail whose secret works once', async () => {
    const asked = await ask(customer.email.toUpperCase())
    expect([asked.status, asked.text]).toEqual([202, '{}'])
    await expect.poll(() => mailsTo(world, customer.email), { timeout: 10_000 }).toHaveLength(1)
    const token = secretOf(mailsTo(world, customer.email)[0]!)
    const opened = await enter(token)
    expect(opened.status).toBe(201)
    const hours = (Date.parse(opened.body.expiresAt) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(limits.portalSessionHours)
    expect((await world.client(opened.body.token).send(promised.listPortalBudgets)).status).toBe(200)
    expect(refusalOf(await enter(token))).toEqual([401, undefined])
    await world.relayed()
    for (const secret of [token, opened.body.token]) expect(world.logged()).not.toContain(secret)
  })

  test('works once also when it is used by many at once', async () => {
    const token = await plantPortalLink(world, owner, customer.contactId)
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(refusalOf(await enter(token))).toEqual([401, undefined])
  })

  test('answers the same whoever asks, and writes to contacts of clients alone', async () => {
    const loose = await makeContact(owner, { email: 'loose@example.test' })
    expect(loose.clientId).toBeNull()
    const archived = await openPortal(world, owner)
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
    await expect.poll(() => mailsTo(world, customer.email), { timeout: 10_000 }).toHaveLength(1)
    for (const email of ['nobody@example.test', 'loose@example.test', archived.email])
      expect(mailsTo(world, email)).toEqual([])
  })

  test('is not a way to flood somebody with mails', async () => {
    for (let n = 0; n < limits.portalMailsPerHour + 2; n++) {
      expect((await ask(customer.email)).status).toBe(202)
      const seen = Math.min(n + 1, limits.portalMailsPerHour)
      await expect.poll(() => mailsTo(world, customer.email), { timeout: 10_000 }).toHaveLength(seen)
    }
    await world.sql('update rate_window set used = $1', [limits.portalSignInsPerHour])
    expect(refusalOf(await ask(customer.email))).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  })

  test('is closed after some minutes, and for who is archived', async () => {
    const late = await plantPortalLink(world, owner, customer.contactId)
    await world.sql('update portal_link set expires_at = now()')
    expect(refusalOf(await enter(late))).toEqual([401, undefined])
    const good = await plantPortalLink(world, owner, customer.contactId)
    await owner.call(archiveContact, { params: { id: customer.contactId } })
    for (const token of [good, newToken(organization.id), newToken(newId()), 'x'])
      expect(refusalOf(await enter(token))).toEqual([401, undefined])
  })
})

describe('a session', () => {
  test('that is over, forged or of somebody else opens nothing', async () => {
    const { seals } = world.api.world
    const seconds = Math.floor(Date.now() / 1_000)
    const over = newSession(
      seals,
      organization.id,
      customer.contactId,
      seconds - limits.portalSessionHours * 3_600,
    )
    const unknown = newSession(seals, organization.id, newId(), seconds)
    const elsewhere = newSession(seals, newId(), customer.contactId, seconds)
    const [id, contact, expires, seal] = customer.token.split('.')
    for (const token of [
      ...[over.token, unknown.token, elsewhere.token, owner.token, ''],
      ...[`${id}.${contact}.${Number(expires) + 1}.${seal}`, `${customer.token}x`, `${customer.token}.`],
    ])
      expect((await world.client(token).send(promised.listPortalBudgets)).status).toBe(401)
    expect((await world.client().send(promised.listPortalBudgets)).status).toBe(401)
    await owner.call(archiveContact, { params: { id: customer.contactId } })
    expect((await portal().send(promised.listPortalBudgets)).status).toBe(401)
  })
})

describe('budgets', () => {
  test('that were sent to the client are listed and read, and no others', async () => {
    const sent = await sentBudget(owner, customer.clientId, { notes: 'Para ti' })
    const draft = await makeBudget(owner, { clientId: customer.clientId })
    const foreign = await sentBudget(owner, (await openPortal(world, owner)).clientId)
    const { items } = await portal().call(promised.listPortalBudgets)
    expect(items).toEqual([
      {
        ...{ id: sent.id, code: sent.code, title: sent.title, status: 'SENT', signedAt: null },
        ...{ issueDate: sent.issueDate, validUntil: null, currency: 'eur', totalCents: sent.totalCents },
      },
    ])
    const whole = await portal().call(promised.readPortalBudget, { params: { id: sent.id } })
    expect(whole).toMatchObject({ ...items[0], content: { notes: 'Para ti', code: sent.code } })
    const missing = await portal().send(promised.readPortalBudget, { params: { id: newId() } })
    for (const { id } of [draft, foreign]) {
      const answer = await portal().send(promised.readPortalBudget, { params: { id } })
      expect([answer.status, answer.text]).toEqual([404, missing.text])
      const body = { ...consent, documentHash: 'a'.repeat(64) }
      expect((await portal().send(promised.signInPortal, { params: { id }, body })).text).toBe(missing.text)
    }
  })

  test('are signed with hashVersion 2, once, as they are shown', async () => {
    const { id } = await sentBudget(owner, customer.clientId)
    const params = { id }
    const { documentHash } = await portal().call(promised.readPortalBudget, { params })
    await owner.call(updateBudget, { params, body: { notes: 'Otra' } })
    const sign = (hash: string) =>
      portal().send(promised.signInPortal, { params, body: { ...consent, documentHash: hash } })
    expect(refusalOf(await sign(documentHash))).toEqual([409, 'SIGNED_DOCUMENT_DIFFERS'])
    const shown = (await portal().call(promised.readPortalBudget, { params })).documentHash
    const answers = await Promise.all(Array.from({ length: 8 }, () => sign(shown)))
    const [made, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(made!.body).toMatchObject({ documentHash: shown, hashVersion: 2 })
    for (const answer of answers)
      if (answer.status !== 200) expect(refusalOf(answer)).toEqual([409, 'BUDGET_SETTLED'])
    const budgetId = id
    const { items } = await owner.call(listSignatures, { params: { budgetId } })
    expect(items).toMatchObject([
      { signerName: 'Grace Hopper', signerEmail: customer.email, signingTokenId: null, hashVersion: 2 },
    ])
    const found = await owner.call(verifySignature, { params: { budgetId, sigId: items[0]!.id } })
    expect(found).toMatchObject({ status: 'VALID', signingTokenId: null })
    expect((await portal().call(promised.listPortalBudgets)).items).toMatchObject([{ id, status: 'SIGNED' }])
  })
})
