import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declineInPortal, requestPortalLink } from '#contract/crm/portal.ts'
import { importSignature } from '#contract/crm/signatures.ts'
import { sendSigningLink } from '#contract/crm/signing-links.ts'
import { declineByLink } from '#contract/crm/signing-page.ts'
import { limits } from '#contract/limits.ts'
import { anIssuer, makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { openPortal, sentBudget } from '#tests/support/crm/portal.ts'
import { issueLink, signedBudget, signLink } from '#tests/support/crm/signing.ts'
import { defined, exactly, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { dataFolder, endAll, removeFolders, start, until } from '#tests/support/processes.ts'
import { decoded, openSmtpServer, partsOf, type SmtpServer } from '#tests/support/smtp.ts'
import { hangObject } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let smtp: SmtpServer
let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url, mailFrom: 'Patio <patio@example.com>' })
})
beforeEach(async () => {
  organization = await server.organization({ name: 'Acme' })
  owner = await organization.person({ role: 'OWNER' })
  smtp.taken.length = 0
})
afterEach(async () => {
  smtp.script.afterData = 'takes'
  smtp.script.refuses = new Set()
  await server.sql('delete from outgoing_mail')
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
  endAll()
  removeFolders()
})

const waiting = () =>
  server.sql<{ kind: string; attempts: number; data: object }>(
    'select kind, attempts, data from outgoing_mail where organization_id = $1 order by id',
    [organization.id],
  )
const due = () => server.sql('update outgoing_mail set next_at = now()')
const nothingWaits = () => until('no mail waits', async () => (await waiting()).length === 0)
const sent = (to: string) => smtp.taken.filter(mail => mail.to.includes(to))
const idOf = (raw: string) => defined(/^Message-ID: (.*)\r$/im.exec(raw))[1]
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pdfsOf = (raw: string) => partsOf(raw).filter(({ type }) => type === 'application/pdf')

async function sendLink(linkId: string, budgetId: string) {
  return owner.call(sendSigningLink, { params: { id: budgetId, linkId } })
}

describe('mails name the organization as the sender', () => {
  test('uses the organization name, or the legal name once it is set', async () => {
    const budget = await makeBudget(owner)
    const link = await issueLink(owner, budget.id)
    await sendLink(link.id, budget.id)
    expect(firstOf(smtp.taken).raw).toContain('From: Acme <patio@example.com>\r\n')
    await setIssuer(owner, { legalName: 'Ñandú "Foo", S.A.U.' })
    await sendLink(link.id, budget.id)
    const { raw, from } = itemAt(smtp.taken, 1)
    expect(from).toBe('patio@example.com')
    expect(decoded(raw).replaceAll('\r\n ', ' ')).toContain(
      'From: Ñandú "Foo", S.A.U. <patio@example.com>\r\n',
    )
  })

  test('also applies to portal mails, and does not double the dot of a name', async () => {
    await setIssuer(owner, anIssuer({ legalName: 'Acme S.A.U.' }))
    const { email } = await openPortal(server, owner)
    await server.client().call(requestPortalLink, { body: { organizationId: organization.id, email } })
    await smtp.came(1)
    const { raw } = only(sent(email))
    expect(raw).toContain('From: "Acme S.A.U." <patio@example.com>\r\n')
    const text = decoded(raw)
    expect(text).toContain('el portal de clientes de Acme S.A.U. Funciona una vez')
    expect(text).not.toContain('S.A.U..')
  })
})

describe('a budget that was signed', () => {
  test('is mailed to its signer and its owner, with the signed PDF and the certificate', async () => {
    await setIssuer(owner, anIssuer({ legalName: 'Acme S.A.U.', email: 'office@acme.test' }))
    const { budget, documentHash } = await signedBudget(server, owner)
    await smtp.came(2)
    await nothingWaits()
    for (const to of ['ada@lovelace.test', owner.email]) {
      const mail = only(sent(to))
      expect(mail.to).toEqual([to])
      expect(mail.raw).toContain('From: "Acme S.A.U." <patio@example.com>\r\n')
      expect(decoded(mail.raw)).toContain(`Subject: Presupuesto ${budget.code} firmado\r\n`)
      const [document, certificate] = exactly(2, pdfsOf(mail.raw))
      expect(sha256(document.bytes)).toBe(documentHash)
      expect(document.head).toContain(`filename=${budget.code}.pdf`)
      expect(certificate.bytes.subarray(0, 5).toString()).toBe('%PDF-')
      expect(certificate.head).toContain(`filename=certificado-${budget.code}.pdf`)
    }
    expect(decoded(firstOf(sent('ada@lovelace.test')).raw)).toContain('Hola, Ada Lovelace:')
    expect(firstOf(sent('ada@lovelace.test')).raw).toContain('Reply-To: office@acme.test\r\n')
    expect(decoded(firstOf(sent(owner.email)).raw)).toContain('Ada Lovelace ha firmado el presupuesto')
  })

  test('without a PDF attaches a PDF of the budget; an imported signature sends no mail', async () => {
    const { budget } = await signedBudget(server, owner, { isBare: true })
    await smtp.came(2)
    expect(
      pdfsOf(firstOf(sent('ada@lovelace.test')).raw).map(
        ({ head }) => defined(/filename=(\S+)/.exec(head))[1],
      ),
    ).toEqual([`${budget.code}.pdf`, `certificado-${budget.code}.pdf`])
    const { id: budgetId } = await makeBudget(owner)
    const body = {
      signedAt: '2026-01-03T10:00:00.000Z',
      signerName: 'Ada',
      signerEmail: 'ada@other.test',
      ipAddress: '203.0.113.7',
      userAgent: 'Old browser',
      documentHash: 'a'.repeat(64),
    }
    await owner.call(importSignature, { params: { budgetId }, body })
    await nothingWaits()
    expect(sent('ada@other.test')).toEqual([])
  })

  test('goes to the current owner, and to nobody if they have left', async () => {
    const budget = await makeBudget(owner)
    const link = await issueLink(owner, budget.id)
    smtp.script.afterData = 'drops'
    await signLink(server, link.token)
    await smtp.came(1)
    await server.sql('update membership set removed_at = now() where person_id = $1', [owner.id])
    smtp.script.afterData = 'takes'
    await due()
    await nothingWaits()
    expect(sent('ada@lovelace.test').length).toBeGreaterThan(0)
  })
})

test('the owner is notified of a rejection, by link and in the portal', async () => {
  const budget = await makeBudget(owner)
  const { token } = await issueLink(owner, budget.id)
  await server.client().call(declineByLink, { params: { token }, body: { reason: 'Caro' } })
  const customer = await openPortal(server, owner)
  const other = await sentBudget(owner, customer.clientId)
  await server
    .client(customer.token)
    .call(declineInPortal, { params: { id: other.id }, body: { reason: '' } })
  await smtp.came(2)
  await nothingWaits()
  const texts = sent(owner.email)
    .map(({ raw }) => decoded(raw))
    .sort()
  expect(texts).toHaveLength(2)
  for (const text of [
    `Ada Lovelace ha rechazado el presupuesto ${budget.code}`,
    'Motivo: Caro',
    `${customer.email} ha rechazado el presupuesto ${other.code}`,
  ])
    expect(texts.join()).toContain(text)
})

test('a hanging disk delays only the mails that need it', async () => {
  smtp.script.afterData = 'drops'
  const { documentHash } = await signedBudget(server, owner)
  await smtp.came(2)
  const endHang = await hangObject(server, documentHash)
  try {
    smtp.script.afterData = 'takes'
    await due()
    await until('they are in hand', async () => (await waiting()).every(({ attempts }) => attempts === 2))
    const other = await makeBudget(owner)
    const { token } = await issueLink(owner, other.id)
    await server.client().call(declineByLink, { params: { token }, body: { reason: 'Caro' } })
    await until('the other mail came', async () =>
      sent(owner.email).some(({ raw }) => raw.includes(other.code)),
    )
  } finally {
    await endHang()
  }
})

describe('a mail that no server accepted', () => {
  test('is retried by the worker as the same message, with growing delays', async () => {
    const budget = await makeBudget(owner)
    const link = await issueLink(owner, budget.id)
    smtp.script.afterData = 'drops'
    expect(await sendLink(link.id, budget.id)).toMatchObject({ mailSent: false, mailedAt: null })
    expect(await waiting()).toMatchObject([{ attempts: 1 }])
    const waitMinutes = async () =>
      (
        await server.sql<{ minutes: number }>(
          'select round(extract(epoch from next_at - now()) / 60)::int as minutes from outgoing_mail',
        )
      )[0]?.minutes
    expect(await waitMinutes()).toBe(2)
    await due()
    await until('it was tried again', async () => (await waiting())[0]?.attempts === 2)
    await smtp.came(2)
    expect(await waitMinutes()).toBe(4)
    // the database does not contain the plain secret
    const secret = defined(/patio_sign_\w+/.exec(decoded(firstOf(smtp.taken).raw)))[0]
    expect(JSON.stringify(await waiting())).not.toContain(secret)
    smtp.script.afterData = 'takes'
    await due()
    await nothingWaits()
    expect(new Set(smtp.taken.map(({ raw }) => idOf(raw))).size).toBe(1)
    expect(new Set(smtp.taken.map(({ raw }) => defined(/patio_sign_\w+/.exec(decoded(raw)))[0]))).toEqual(
      new Set([secret]),
    )
    const [row] = await server.sql('select mailed_at is not null as mailed from signing_link where id = $1', [
      link.id,
    ])
    expect(row).toEqual({ mailed: true })
    const events = await server.sql(`select from budget_event where budget_id = $1 and kind = 'LINK_SENT'`, [
      budget.id,
    ])
    expect(events).toHaveLength(1)
  })

  test('is dropped when it is obsolete', async () => {
    const budget = await makeBudget(owner)
    const link = await issueLink(owner, budget.id)
    smtp.script.afterData = 'drops'
    await sendLink(link.id, budget.id)
    smtp.script.afterData = 'takes'
    // a newer mail has another secret
    await sendLink(link.id, budget.id)
    await due()
    await nothingWaits()
    expect(smtp.taken).toHaveLength(2)
  })

  test('stops after a permanent rejection and after the maximum of attempts', async () => {
    smtp.script.refuses = new Set(['ada@lovelace.test'])
    await signedBudget(server, owner)
    await smtp.came(1)
    await nothingWaits()
    expect(smtp.taken.map(({ to }) => to)).toEqual([[owner.email]])
    smtp.script.refuses = new Set()
    smtp.script.afterData = 'drops'
    const budget = await makeBudget(owner)
    const link = await issueLink(owner, budget.id)
    await sendLink(link.id, budget.id)
    await server.sql('update outgoing_mail set attempts = $1, next_at = now()', [limits.mailAttempts - 1])
    await nothingWaits()
    expect(server.logged()).toContain('a mail was given up')
  })

  test('is neither lost nor changed when the sending process is killed', {
    timeout: 60_000,
  }, async () => {
    const budget = await makeBudget(owner)
    const link = await issueLink(owner, budget.id)
    const { signInSecret, sessionKeys, databaseUrl } = server.config
    const env = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataFolder(),
      SIGN_IN_SECRET: signInSecret,
      SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Patio <patio@example.com>',
    }
    const api = await start('api', env)
    smtp.script.afterData = 'hangs'
    const params = { id: budget.id, linkId: link.id }
    const lost = expect(owner.at(api.url).send(sendSigningLink, { params })).rejects.toThrow()
    await smtp.came(1)
    await api.stop('SIGKILL')
    await lost
    expect(await waiting()).toMatchObject([{ attempts: 1 }])
    smtp.script.afterData = 'takes'
    await due()
    await nothingWaits()
    expect(new Set(smtp.taken.map(({ raw }) => idOf(raw))).size).toBe(1)
    expect(smtp.taken).toHaveLength(2)
  })
})
