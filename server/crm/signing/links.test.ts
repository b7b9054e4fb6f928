import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cancelBudget, readBudget, readBudgetPdf, updateBudget } from '#contract/crm/budgets.ts'
import * as contract from '#contract/crm/signing-links.ts'
import { declineByLink, openSigningDocument } from '#contract/crm/signing-page.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { writing } from '#platform/language.ts'
import { type MadeBudget, makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { auditedChanges, makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { issueBareLink, issueLink, signLink } from '#tests/support/crm/signing.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { plantRevokedLinks } from '#tests/support/many-rows.ts'
import { mailsTo } from '#tests/support/outbox.ts'
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
let budget: MadeBudget
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  budget = await makeBudget(owner)
})
afterAll(() => server?.close())

const day = 86_400_000
const signer = { signerName: 'Ada Lovelace', signerEmail: 'ada@lovelace.test' }
const ofBudget = () => ({ params: { id: budget.id } })
const at = (linkId: string) => ({ params: { id: budget.id, linkId } })
const listed = async () => (await owner.call(contract.listSigningLinks, ofBudget())).items
const pdfOf = (token: string) => server.client().send(openSigningDocument, { params: { token } })

describe('issuing a link', () => {
  test('stores the PDF, returns the secret once and marks the budget as SENT', async () => {
    const pdf = await owner.send(readBudgetPdf, ofBudget())
    const { token, url, ...link } = await issueLink(owner, budget.id)
    const documentHash = createHash('sha256').update(pdf.bytes).digest('hex')
    expect(link).toEqual({
      ...signer,
      id: link.id,
      budgetId: budget.id,
      status: 'OPEN',
      documentHash,
      createdBy: owner.id,
      createdAt: link.createdAt,
      expiresAt: link.expiresAt,
      mailedAt: null,
      reminderCount: 0,
      viewedAt: null,
      signedAt: null,
      declinedAt: null,
      revokedAt: null,
    })
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(limits.signingLinkDaysDefault * day)
    expect(url).toBe(`${server.config.publicUrl}/s/${token}`)
    expect(token).toMatch(/^patio_sign_\w{73}$/)
    expect(await owner.call(readBudget, ofBudget())).toMatchObject({ status: 'SENT' })
    expect(await listed()).toEqual([link])
    const frozen = await pdfOf(token)
    expect(Buffer.from(frozen.bytes).equals(Buffer.from(pdf.bytes))).toBe(true)
    const rows = await server.sql('select l::text from signing_link l where id = $1', [link.id])
    expect(JSON.stringify(rows)).not.toContain(token)
    await server.relayed()
    expect(JSON.stringify(await server.sql('select t::text from audit t'))).not.toContain(token)
    expect(server.logged()).not.toContain(token)
    expect((await auditedChanges(server, budget.id)).at(-1)).toEqual(['signingLinks'])
  })

  test('keeps the document when the budget changes afterwards', async () => {
    const { token, documentHash } = await issueLink(owner, budget.id)
    await owner.call(updateBudget, { ...ofBudget(), body: { notes: 'Otra nota' } })
    const { bytes } = await pdfOf(token)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(documentHash)
    const next = await issueLink(owner, budget.id, { signerEmail: 'grace@hopper.test' })
    expect(next.documentHash).not.toBe(documentHash)
  })

  test('creates the PDF again when the budget changes meanwhile', async () => {
    const change = (n: number) => owner.call(updateBudget, { ...ofBudget(), body: { notes: `Nota ${n}` } })
    const issue = (n: number) =>
      owner.send(contract.issueSigningLink, {
        ...ofBudget(),
        body: { ...signer, signerEmail: `signer-${n}@example.test` },
      })
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, (_, n) => issue(n))),
      Promise.all(Array.from({ length: 5 }, (_, n) => change(n))),
    ])
    for (const answer of answers)
      if (answer.status !== 201) expect(refusalOf(answer)).toEqual([409, 'BUDGET_UPDATE_CONFLICT'])
    const last = await issueLink(owner, budget.id)
    const pdf = await owner.send(readBudgetPdf, ofBudget())
    expect(last.documentHash).toBe(createHash('sha256').update(pdf.bytes).digest('hex'))
  })

  test('works without a PDF when it cannot be stored', async () => {
    const link = await issueBareLink(server, owner, budget.id)
    expect(link).toMatchObject({ documentHash: null, status: 'OPEN' })
    expect(refusalOf(await pdfOf(link.token))).toEqual([404, 'SIGNING_LINK_NOT_VALID'])
    expect(server.logged()).toContain('it will be signed without one')
  })

  test('lasts for the requested time, at most a year', async () => {
    const link = await issueLink(owner, budget.id, { expiresInDays: 365 })
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(365 * day)
    for (const body of [
      { ...signer, expiresInDays: 366 },
      { ...signer, expiresInDays: 0 },
      { ...signer, signerEmail: 'nobody' },
      { ...signer, signerName: 'x'.repeat(limits.signerName + 1) },
      { ...signer, signerName: ' ' },
    ])
      expect(refusalOf(await owner.send(contract.issueSigningLink, { ...ofBudget(), body }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
  })

  test('revokes the open link of the same signer, and no other', async () => {
    const first = await issueLink(owner, budget.id)
    const other = await issueLink(owner, budget.id, { signerEmail: 'grace@hopper.test' })
    const second = await issueLink(owner, budget.id, { signerEmail: 'ADA@lovelace.test' })
    expect((await listed()).map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'OPEN'],
      [other.id, 'OPEN'],
      [first.id, 'REVOKED'],
    ])
    const events = await server.sql<{ kind: string }>(
      'select kind, signing_link_id from budget_event where budget_id = $1 order by at, id',
      [budget.id],
    )
    expect(events.map(({ kind }) => kind)).toEqual([
      'LINK_ISSUED',
      'LINK_ISSUED',
      'LINK_REVOKED',
      'LINK_ISSUED',
    ])
  })

  test('leaves one open link when many are issued to one signer at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.send(contract.issueSigningLink, { ...ofBudget(), body: signer })),
    )
    for (const { status } of answers) expect(status).toBe(201)
    expect((await listed()).filter(({ status }) => status === 'OPEN')).toHaveLength(1)
  })

  test('requires a budget with items that is not settled', async () => {
    const empty = await makeBudget(owner, { sections: [] })
    const answer = await owner.send(contract.issueSigningLink, { params: { id: empty.id }, body: signer })
    expect(refusalOf(answer)).toEqual([422, 'BUDGET_EMPTY'])
    await owner.call(cancelBudget, ofBudget())
    const settled = await owner.send(contract.issueSigningLink, { ...ofBudget(), body: signer })
    expect(refusalOf(settled)).toEqual([409, 'BUDGET_SETTLED'])
  })

  test('is limited in number per budget', async () => {
    await plantRevokedLinks(server, organization.id, budget.id, limits.signingLinksPerBudget)
    const answer = await owner.send(contract.issueSigningLink, { ...ofBudget(), body: signer })
    expect(refusalOf(answer)).toEqual([409, 'TOO_MANY_SIGNING_LINKS'])
  })
})

describe('a link', () => {
  test('is revoked, once', async () => {
    const link = await issueLink(owner, budget.id)
    const revoked = await owner.call(contract.revokeSigningLink, at(link.id))
    expect(revoked).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) })
    expect(await owner.call(contract.revokeSigningLink, at(link.id))).toEqual(revoked)
    expect(refusalOf(await pdfOf(link.token))).toEqual([404, 'SIGNING_LINK_NOT_VALID'])
    expect((await auditedChanges(server, budget.id)).slice(-2)).toEqual([['signingLinks'], []])
  })

  test('is revoked when the budget is cancelled or declined, or signed by somebody else', async () => {
    for (const settle of [
      (id: string) => owner.call(cancelBudget, { params: { id } }),
      async (id: string) => {
        const { token } = await issueLink(owner, id, { signerEmail: 'grace@hopper.test' })
        await server.client().call(declineByLink, { params: { token }, body: { reason: '' } })
      },
      async (id: string) => {
        const { token } = await issueLink(owner, id, { signerEmail: 'grace@hopper.test' })
        await signLink(server, token)
      },
    ]) {
      const { id } = await makeBudget(owner)
      const over = await issueLink(owner, id, { signerEmail: 'over@example.test' })
      await server.sql(
        'update signing_link set expires_at = now() - make_interval(secs => 0.001) where id = $1',
        [over.id],
      )
      const link = await issueLink(owner, id)
      await settle(id)
      const { items } = await owner.call(contract.listSigningLinks, { params: { id } })
      expect(items.find(({ id }) => id === link.id)).toMatchObject({
        status: 'REVOKED',
        revokedAt: expect.any(String),
      })
      expect(items.find(({ id }) => id === over.id)).toMatchObject({ status: 'EXPIRED' })
      const events = await server.sql<{ kind: string; signing_link_id: string }>(
        'select kind, signing_link_id from budget_event where budget_id = $1 order by at, id',
        [id],
      )
      expect(events.at(-1)).toEqual({ kind: 'LINK_REVOKED', signing_link_id: link.id })
    }
  })

  test('of a sent budget always has items to sign, and so does its mail', async () => {
    const link = await issueLink(owner, budget.id)
    const answer = await owner.send(updateBudget, { ...ofBudget(), body: { sections: [] } })
    expect(refusalOf(answer)).toEqual([422, 'BUDGET_EMPTY'])
    expect((await owner.call(contract.sendSigningLink, at(link.id))).mailSent).toBe(true)
  })

  test('is revoked when the budget gets another client', async () => {
    const link = await issueLink(owner, budget.id)
    await owner.call(updateBudget, { ...ofBudget(), body: { title: 'Same client' } })
    expect((await pdfOf(link.token)).status).toBe(200)
    const { id: clientId } = await makeClient(owner)
    await owner.call(updateBudget, { ...ofBudget(), body: { clientId } })
    expect((await listed()).map(({ status }) => status)).toEqual(['REVOKED'])
    const { documentHash, token } = link
    expect(refusalOf(await signLink(server, token, { documentHash: defined(documentHash) }))).toEqual([
      404,
      'SIGNING_LINK_NOT_VALID',
    ])
  })

  test('is mailed with a new secret, which replaces the old one', async () => {
    const email = `signer-${newId()}@example.test`
    await setIssuer(owner, { email: 'office@harbour.test' })
    const link = await issueLink(owner, budget.id, { signerEmail: email })
    const sent = await owner.call(contract.sendSigningLink, at(link.id))
    expect(sent).toMatchObject({ id: link.id, mailSent: true, mailedAt: expect.any(String), status: 'OPEN' })
    const mail = firstOf(mailsTo(server, email))
    const [, token = ''] = /\/s\/(patio_sign_\w+)/.exec(mail) ?? []
    // the legal name of the issuer
    const name = 'Harbour Books SL'
    const until = writing.en.day(link.expiresAt.slice(0, 10))
    for (const events of [
      `Subject: Presupuesto ${budget.code} de ${name} para firmar\r\n`,
      'Reply-To: office@harbour.test\r\n',
      `${name} sends you the budget ${budget.code}. Until ${until}`,
      `${server.config.publicUrl}/s/`,
    ])
      expect(mail).toContain(events)
    expect(token).not.toBe(link.token)
    expect(refusalOf(await pdfOf(link.token))).toEqual([404, 'SIGNING_LINK_NOT_VALID'])
    expect((await pdfOf(token)).status).toBe(200)
  })

  test('is mailed once per Idempotency-Key', async () => {
    const email = `signer-${newId()}@example.test`
    const link = await issueLink(owner, budget.id, { signerEmail: email })
    const send = (id: string, key: string) =>
      owner.send(contract.sendSigningLink, { ...at(id), headers: { 'Idempotency-Key': key } })
    const [first] = [await send(link.id, 'one')]
    for (const again of await Promise.all([send(link.id, 'one'), send(link.id, 'one')]))
      expect([again.status, again.body]).toEqual([200, first.body])
    expect(mailsTo(server, email)).toHaveLength(1)
    const other = await issueLink(owner, budget.id, { signerEmail: 'grace@hopper.test' })
    expect(refusalOf(await send(other.id, 'one'))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect((await send(link.id, 'two')).body).toMatchObject({ mailSent: true })
    expect(mailsTo(server, email)).toHaveLength(2)
  })

  test('can be sent again when the mail server did not accept it', async () => {
    const link = await issueLink(owner, budget.id)
    const other = await server.anotherApi()
    const { mail } = other.services
    Object.assign(mail, { send: () => Promise.reject(new Error('no')) })
    const unsent = await owner.at(other.url).call(contract.sendSigningLink, at(link.id))
    expect(unsent).toMatchObject({ mailSent: false, mailedAt: null, status: 'OPEN' })
    expect(await owner.call(contract.sendSigningLink, at(link.id))).toMatchObject({ mailSent: true })
    // a newer mail overtakes this one: mailed_at belongs to the current secret
    let mailedAt: string | null = null
    Object.assign(mail, {
      send: async () => ({ mailedAt } = await owner.call(contract.sendSigningLink, at(link.id))),
    })
    const overtaken = await owner.at(other.url).call(contract.sendSigningLink, at(link.id))
    expect(overtaken.mailedAt).toBe(mailedAt)
  })

  test('that was used, declined, revoked or has expired is not sent or revoked', async () => {
    const closed = async (id: string) => {
      expect(refusalOf(await owner.send(contract.sendSigningLink, at(id)))).toEqual([
        409,
        'SIGNING_LINK_CLOSED',
      ])
    }
    const expired = await issueLink(owner, budget.id)
    await server.sql(
      'update signing_link set expires_at = now() - make_interval(secs => 0.001) where id = $1',
      [expired.id],
    )
    expect((await listed())[0]).toMatchObject({ status: 'EXPIRED' })
    await closed(expired.id)
    expect(refusalOf(await owner.send(contract.revokeSigningLink, at(expired.id)))).toEqual([
      409,
      'SIGNING_LINK_CLOSED',
    ])
    const revoked = await issueLink(owner, budget.id)
    await owner.call(contract.revokeSigningLink, at(revoked.id))
    await closed(revoked.id)
    const used = await issueLink(owner, budget.id)
    await signLink(server, used.token)
    expect((await listed())[0]).toMatchObject({ status: 'SIGNED', signedAt: expect.any(String) })
    expect(refusalOf(await owner.send(contract.revokeSigningLink, at(used.id)))).toEqual([
      409,
      'SIGNING_LINK_CLOSED',
    ])
    expect(refusalOf(await owner.send(contract.sendSigningLink, at(used.id)))).toEqual([
      409,
      'BUDGET_SETTLED',
    ])
  })

  test('requires CRM_VIEW to read and CRM_EDIT to change, in its organization', async () => {
    const link = await issueLink(owner, budget.id)
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const issue = (by: Person, id = budget.id) =>
      by.send(contract.issueSigningLink, { params: { id }, body: signer })
    expect((await viewer.call(contract.listSigningLinks, ofBudget())).items).toHaveLength(1)
    const acts = (by: Person) =>
      Promise.all([
        issue(by),
        by.send(contract.revokeSigningLink, at(link.id)),
        by.send(contract.sendSigningLink, at(link.id)),
      ])
    for (const answer of await acts(viewer)) expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
    const unknown = await issue(owner, newId())
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'The budget does not exist.' },
    ])
    for (const answer of await acts(stranger)) expect(answer.text).toBe(unknown.text)
    expect((await stranger.send(contract.listSigningLinks, ofBudget())).text).toBe(unknown.text)
    for (const operation of [contract.revokeSigningLink, contract.sendSigningLink])
      expect(refusalOf(await owner.send(operation, at(newId())))).toEqual([404, 'SIGNING_LINK_NOT_FOUND'])
  })
})
