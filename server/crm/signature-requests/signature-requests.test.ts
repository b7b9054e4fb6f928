import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cancelBudget, readBudget, updateBudget } from '#contract/crm/budgets.ts'
import { readPortalBudget, signInPortal } from '#contract/crm/portal.ts'
import {
  listSignatureRequests,
  replaceSigner,
  requestSignatures,
  type SignatureRequest,
  stopSignatureRequest,
} from '#contract/crm/signature-requests.ts'
import {
  checkSignatureChain,
  importSignature,
  listSignatures,
  openCertificate,
  verifySignature,
} from '#contract/crm/signatures.ts'
import {
  issueSigningLink,
  listSigningLinks,
  revokeSigningLink,
  sendSigningLink,
} from '#contract/crm/signing-links.ts'
import { declineByLink, openSigningDocument, openSigningPage } from '#contract/crm/signing-page.ts'
import { eraseLead } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import { type MadeBudget, makeBudget } from '#tests/support/crm/budgets.ts'
import { makeClient, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { openPortal } from '#tests/support/crm/portal.ts'
import {
  addressOfSigner,
  mailedSecret,
  requestSigners,
  secretsOf,
} from '#tests/support/crm/signature-requests.ts'
import { issueLink, shownHash, signLink } from '#tests/support/crm/signing.ts'
import { defined, exactly, findIn, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { plantRevokedLinks } from '#tests/support/many-rows.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { decoded, openSmtpServer, partsOf, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { stopExpiredRequests } from './expire-requests.ts'

let smtp: SmtpServer
let server: TestServer
let organization: Organization
let owner: Person
let budget: MadeBudget
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url, mailFrom: 'Patio <patio@example.com>' })
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  smtp.taken.length = 0
  organization = await server.organization({ name: 'Acme' })
  owner = await organization.person({ role: 'OWNER' })
  budget = await makeBudget(owner)
})
// the mails of a test must not come during the next one
const noMailWaits = () =>
  until('no mail waits', async () => (await server.sql('select from outgoing_mail')).length === 0)
afterEach(noMailWaits)
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})

const signerNumber = (at: number) => ({ name: `N${at}`, email: `n${at}@signers.test` })
const params = () => ({ id: budget.id })
const statusOfBudget = async () => (await owner.call(readBudget, { params: params() })).status
const current = async () => only((await owner.call(listSignatureRequests, { params: params() })).items)
const statuses = ({ signers }: SignatureRequest) => signers.map(({ name, status }) => `${name} ${status}`)
const signAs = async (name: string) => signLink(server, await mailedSecret(smtp, name), { name })
const page = async (secret: string, language = 'en') =>
  (
    await server
      .client()
      .send(openSigningPage, { params: { token: secret }, headers: { 'accept-language': language } })
  ).text
const mailsTo = (address: string) =>
  smtp.taken.filter(({ to }) => to.includes(address)).map(({ raw }) => decoded(raw).replaceAll('\r\n', ' '))

const addRevokedLinks = (count: number) => plantRevokedLinks(server, organization.id, budget.id, count)

describe('signers one after another', () => {
  test('each is invited when those before have signed; the last one accepts the budget', async () => {
    const request = await requestSigners(owner, budget.id, { Cara: 2, Ana: 1, Bea: 1 })
    expect(statuses(request)).toEqual(['Ana INVITED', 'Bea INVITED', 'Cara WAITING'])
    expect(request).toMatchObject({ status: 'OPEN', stopReason: null, createdBy: owner.id, endedAt: null })
    expect(request.signers.map(({ mailedAt }) => mailedAt !== null)).toEqual([true, true, false])
    expect(await statusOfBudget()).toBe('SENT')

    const bea = await mailedSecret(smtp, 'Bea')
    expect(await page(bea)).toContain('You are the 2nd of 3 signers.')
    expect(await page(bea)).toContain('Ana has not signed yet')
    expect(statuses(await current())).toEqual(['Ana INVITED', 'Bea VIEWED', 'Cara WAITING'])
    const signed = await signAs('Bea')
    expect(signed.status).toBe(200)
    expect(signed.body.documentHash).toBe(request.documentHash)
    expect(await page(bea)).toContain('We will write to you when everybody has signed')
    expect(await page(bea, 'es')).toContain('Tu firma es la 2.ª de 3.')
    // Ana has not signed, so it is not the turn of Cara
    expect(secretsOf(smtp, 'Cara')).toEqual([])
    expect(await statusOfBudget()).toBe('SENT')
    await signAs('Ana')
    const cara = await mailedSecret(smtp, 'Cara')
    expect(await statusOfBudget()).toBe('SENT')
    expect(await page(cara)).toMatch(/Ana signed on .*Bea signed on .*Cara \(you\)/s)
    const bytes = (secret: string) => server.client().send(openSigningDocument, { params: { token: secret } })
    expect((await bytes(cara)).bytes).toEqual((await bytes(bea)).bytes)

    const last = await signAs('Cara')
    expect(await statusOfBudget()).toBe('SIGNED')
    expect(await page(cara)).toContain(`The budget ${budget.code} is signed`)
    const done = await current()
    expect(done).toMatchObject({ status: 'COMPLETED', stopReason: null })
    expect(statuses(done)).toEqual(['Ana SIGNED', 'Bea SIGNED', 'Cara SIGNED'])
    const { items } = await owner.call(listSignatures, { params: { budgetId: budget.id } })
    expect(items.map(({ signerName, place, documentHash }) => [signerName, place, documentHash])).toEqual([
      ['Cara', { number: 3, of: 3 }, request.documentHash],
      ['Ana', { number: 1, of: 3 }, request.documentHash],
      ['Bea', { number: 2, of: 3 }, request.documentHash],
    ])
    const inBudget = { budgetId: budget.id, sigId: last.body.signatureId }
    expect(await owner.call(verifySignature, { params: inBudget })).toMatchObject({
      status: 'VALID',
      place: { number: 3, of: 3 },
    })
    expect(await owner.call(checkSignatureChain)).toEqual({ holds: true, count: 3, brokenAt: null })
    // applications learn of the acceptance alone
    await server.relayed()
    const events = await server.sql(
      `select data from event where organization_id = $1 and name = 'BUDGET_SIGNED'`,
      [owner.organizationId],
    )
    expect(events).toMatchObject([{ data: { signatureId: last.body.signatureId } }])
  })

  test('the certificate, the page that checks files and the mails name every signer', async () => {
    await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
    const first = await signAs('Ana')
    await until('the owner knows', () => mailsTo(owner.email).length === 1)
    expect(mailsTo(owner.email)[0]).toContain(`Presupuesto ${budget.code} firmado (1 de 2)`)
    const certificate = async () => {
      const inBudget = { budgetId: budget.id, sigId: first.body.signatureId }
      const { bytes } = await owner.send(openCertificate, { params: inBudget })
      const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true })
      return text.replaceAll(/\s+/g, ' ')
    }
    expect(await certificate()).toMatch(
      /Lugar entre las firmas 1 de 2.*1 de 2 Ana .* UTC 2 de 2 Bea no ha firmado/,
    )
    await signAs('Bea')
    expect(await certificate()).toMatch(/1 de 2 Ana .* UTC 2 de 2 Bea .* UTC/)
    expect(await certificate()).not.toContain('no ha firmado')
    await until('Ana has the complete certificate', () =>
      mailsTo(addressOfSigner('Ana')).some(mail => mail.includes('firmado por todos')),
    )
    const complete = findIn(smtp.taken, ({ raw }) => decoded(raw).includes('firmado por todos'))
    expect(partsOf(complete.raw).filter(({ type }) => type === 'application/pdf')).toHaveLength(2)
    expect(mailsTo(addressOfSigner('Bea')).some(mail => mail.includes('firmado por todos'))).toBe(false)
    const form = new FormData()
    const token = only(secretsOf(smtp, 'Ana'))
    const pdf = await server.client().send(openSigningDocument, { params: { token } })
    form.append('file', new Blob([pdf.bytes.slice()]), 'a.pdf')
    const check = (accept: string) =>
      fetch(`${server.url}/verify`, { method: 'POST', body: form, headers: { accept } })
    expect(await (await check('application/json')).json()).toMatchObject({
      signatures: [
        { signerName: 'Ana', place: { number: 1, of: 2 } },
        { signerName: 'Bea', place: { number: 2, of: 2 } },
      ],
    })
    expect(await (await check('text/html')).text()).toMatch(/1 de 2.*2 de 2/s)
  })
})

describe('races', () => {
  test('two last signers at the same moment accept the budget once', async () => {
    for (let round = 0; round < 5; round++) {
      budget = await makeBudget(owner)
      await requestSigners(owner, budget.id, { Ana: 1, Bea: 1 })
      await until(
        'both links',
        () => secretsOf(smtp, 'Ana').length > round && secretsOf(smtp, 'Bea').length > round,
      )
      const results = await Promise.all([signAs('Ana'), signAs('Bea')])
      expect(results.map(({ status }) => status)).toEqual([200, 200])
      expect(await statusOfBudget()).toBe('SIGNED')
    }
    await server.relayed()
    const [events] = await server.sql(
      `select count(*)::int as count from event where organization_id = $1 and name = 'BUDGET_SIGNED'`,
      [owner.organizationId],
    )
    expect(events).toEqual({ count: 5 })
  })

  test('two of the same order invite the next one once', async () => {
    await requestSigners(owner, budget.id, { Ana: 1, Bea: 1, Cara: 2 })
    await Promise.all([signAs('Ana'), signAs('Bea')])
    await mailedSecret(smtp, 'Cara')
    const { items } = await owner.call(listSigningLinks, { params: params() })
    expect(items.filter(({ signerName }) => signerName === 'Cara')).toHaveLength(1)
  })

  test('a signature and a stop at the same moment: one order of the two, never half of it', async () => {
    for (let round = 0; round < 5; round++) {
      budget = await makeBudget(owner)
      smtp.taken.length = 0
      const { id: requestId } = await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
      const documentHash = await shownHash(server, await mailedSecret(smtp, 'Ana'))
      const [signed, stopped] = await Promise.all([
        signLink(server, only(secretsOf(smtp, 'Ana')), { name: 'Ana', documentHash }),
        owner.send(stopSignatureRequest, { params: { ...params(), requestId } }),
      ])
      expect(stopped.status).toBe(200)
      expect([200, 404]).toContain(signed.status)
      expect(statuses(await current())).toEqual([
        signed.status === 200 ? 'Ana SIGNED' : 'Ana STOPPED',
        'Bea STOPPED',
      ])
      const links = await owner.call(listSigningLinks, { params: params() })
      expect(links.items.filter(({ status }) => status === 'OPEN')).toEqual([])
    }
  })
})

describe('a request ends early', () => {
  const mailTo = async (person: Person, text: string) =>
    until(`a mail with ${text}`, () => mailsTo(person.email).some(mail => mail.includes(text)))

  test('when a signer declines: nobody else can sign, and the sender receives one mail', async () => {
    await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
    const token = await mailedSecret(smtp, 'Ana')
    await server.client().call(declineByLink, { params: { token }, body: { reason: 'Caro' } })
    expect(statuses(await current())).toEqual(['Ana DECLINED', 'Bea STOPPED'])
    expect(await current()).toMatchObject({ status: 'DECLINED', stopReason: null })
    expect(await statusOfBudget()).toBe('DECLINED')
    await mailTo(owner, 'Motivo: Caro')
    await noMailWaits()
    expect(mailsTo(owner.email)).toHaveLength(1)
  })

  test('when a link is revoked, expires or the client changes, and the mail to the sender says why', async () => {
    const colleague = await organization.person({ role: 'ADMIN' })
    const ends: [string, string, () => Promise<unknown>][] = [
      [
        'LINK_REVOKED',
        'se ha revocado el enlace',
        async () => {
          const linkId = defined(firstOf((await current()).signers).linkId)
          await owner.call(revokeSigningLink, { params: { ...params(), linkId } })
        },
      ],
      [
        'LINK_EXPIRED',
        'ha caducado',
        async () => {
          const linkId = defined(firstOf((await current()).signers).linkId)
          await server.sql('update signing_link set expires_at = now() where id = $1', [linkId])
          await stopExpiredRequests(server.api.services.database)
          expect(await stopExpiredRequests(server.api.services.database)).toBe(0)
        },
      ],
      [
        'CLIENT_CHANGED',
        'es ahora de otro cliente',
        async () =>
          owner.call(updateBudget, {
            params: params(),
            body: { clientId: (await makeClient(owner)).id },
          }),
      ],
      ['BUDGET_CANCELLED', 'se ha cancelado', () => owner.call(cancelBudget, { params: params() })],
    ]
    for (const [stopReason, text, end] of ends) {
      budget = await makeBudget(owner)
      await requestSigners(colleague, budget.id, { Ana: 1, Bea: 2 })
      await end()
      expect(await current()).toMatchObject({ status: 'STOPPED', stopReason })
      expect(itemAt((await current()).signers, 1).status).toBe('STOPPED')
      await mailTo(colleague, text)
      expect(mailsTo(owner.email)).toEqual([])
    }
  })

  test('when a person stops it: signatures stay, and another request may begin', async () => {
    const { id: requestId } = await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
    await signAs('Ana')
    const bea = await mailedSecret(smtp, 'Bea')
    // the moment of the mail is stored after the mail server has taken it
    await noMailWaits()
    const stopped = await owner.call(stopSignatureRequest, { params: { ...params(), requestId } })
    expect(stopped).toMatchObject({ status: 'STOPPED', stopReason: 'PERSON' })
    expect(await owner.call(stopSignatureRequest, { params: { ...params(), requestId } })).toEqual(stopped)
    expect((await server.client().send(openSigningPage, { params: { token: bea } })).status).toBe(404)
    expect(await statusOfBudget()).toBe('SENT')
    expect((await owner.call(listSignatures, { params: { budgetId: budget.id } })).items).toHaveLength(1)
    smtp.taken.length = 0
    await requestSigners(owner, budget.id, { Bea: 1, Cara: 1 })
    await Promise.all([signAs('Bea'), signAs('Cara')])
    expect(await statusOfBudget()).toBe('SIGNED')
    const all = await owner.call(listSignatureRequests, { params: params() })
    expect(all.items.map(({ status }) => status)).toEqual(['COMPLETED', 'STOPPED'])
    const ended = { ...params(), requestId: firstOf(all.items).id }
    expect(refusalOf(await owner.send(stopSignatureRequest, { params: ended }))).toEqual([
      409,
      'SIGNATURE_REQUEST_ENDED',
    ])
  })
})

test('erasing a person who has not signed stops the request and removes their data from it', async () => {
  const [ana, bea] = [addressOfSigner('Ana'), addressOfSigner('Bea')]
  await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
  await signAs('Ana')
  for (const email of [ana, bea]) {
    const { id } = await makeLead(owner, { email })
    await owner.call(eraseLead, { params: { id }, body: { reason: 'Asked by letter' } })
  }
  const request = await current()
  expect(request).toMatchObject({ status: 'STOPPED', stopReason: 'SIGNER_ERASED' })
  // what Ana signed is evidence
  expect(request.signers).toMatchObject([
    { name: 'Ana', email: ana, status: 'SIGNED' },
    { name: '', email: '', status: 'STOPPED' },
  ])
  const links = await server.sql('select signer_email from signing_link where budget_id = $1', [budget.id])
  expect(JSON.stringify(links)).not.toContain(bea)
})

describe('replacing a signer', () => {
  test('whose turn it is revokes their link and mails one to the other person', async () => {
    const { id: requestId, signers } = await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
    const [first, second] = exactly(2, signers)
    const ana = await mailedSecret(smtp, 'Ana')
    const replaceWith = (signerId: string, name: string, email = addressOfSigner(name)) =>
      owner.send(replaceSigner, { params: { ...params(), requestId, signerId }, body: { name, email } })
    const { body: replaced } = await replaceWith(first.id, 'Dora')
    expect(statuses(replaced)).toEqual(['Dora INVITED', 'Bea WAITING'])
    expect(replaced.status).toBe('OPEN')
    expect((await server.client().send(openSigningPage, { params: { token: ana } })).status).toBe(404)
    // Bea waits: she is replaced without a mail
    expect(statuses((await replaceWith(second.id, 'Eva')).body)).toEqual(['Dora INVITED', 'Eva WAITING'])
    expect(secretsOf(smtp, 'Eva')).toEqual([])
    expect(refusalOf(await replaceWith(second.id, 'Dora', 'DORA@signers.test'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    await signAs('Dora')
    expect(refusalOf(await replaceWith(first.id, 'Ana'))).toEqual([409, 'SIGNER_HAS_SIGNED'])
    expect(refusalOf(await replaceWith(requestId, 'Ana'))).toEqual([404, 'SIGNER_NOT_FOUND'])
    await signAs('Eva')
    expect(await statusOfBudget()).toBe('SIGNED')
    expect(refusalOf(await replaceWith(second.id, 'Ana'))).toEqual([409, 'SIGNATURE_REQUEST_ENDED'])
  })

  test('is refused for a budget that has expired, and with too many links', async () => {
    const { id: requestId, signers } = await requestSigners(owner, budget.id, { Ana: 1, Bea: 1 })
    const [first] = exactly(2, signers)
    const replace = () =>
      owner.send(replaceSigner, {
        params: { ...params(), requestId, signerId: first.id },
        body: { name: 'Dora', email: addressOfSigner('Dora') },
      })
    await server.sql(`update budget set valid_until = '2020-01-02' where id = $1`, [budget.id])
    expect(refusalOf(await replace())).toEqual([409, 'BUDGET_EXPIRED'])
    await server.sql('update budget set valid_until = null where id = $1', [budget.id])
    await addRevokedLinks(limits.signingLinksPerBudget - 2)
    expect(refusalOf(await replace())).toEqual([409, 'TOO_MANY_SIGNING_LINKS'])
    expect(statuses(await current())).toEqual(['Ana INVITED', 'Bea INVITED'])
  })

  test('resending a link sends a new secret; the old one no longer works', async () => {
    const { signers } = await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
    const [first] = exactly(2, signers)
    const old = await mailedSecret(smtp, 'Ana')
    await owner.call(sendSigningLink, { params: { ...params(), linkId: defined(first.linkId) } })
    await until('the second mail', () => secretsOf(smtp, 'Ana').length === 2)
    expect((await server.client().send(openSigningPage, { params: { token: old } })).status).toBe(404)
    expect((await signAs('Ana')).status).toBe(200)
  })
})

describe('a single signature cannot replace those of several', () => {
  test('links, the portal and imports are refused while a request is open', async () => {
    const customer = await openPortal(server, owner)
    budget = await makeBudget(owner, { clientId: customer.clientId })
    const single = await issueLink(owner, budget.id)
    await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
    // an open link of a single signer would accept the budget
    const { status } = await server.client().send(openSigningPage, { params: { token: single.token } })
    expect(status).toBe(404)
    const portal = server.client(customer.token)
    const { documentHash } = await portal.call(readPortalBudget, { params: params() })
    const old = { signedAt: '2020-01-02T03:04:05.678Z', signerName: 'Ada', signerEmail: 'ada@a.test' }
    for (const attempt of [
      owner.send(issueSigningLink, {
        params: params(),
        body: { signerName: 'Ada', signerEmail: 'a@a.test' },
      }),
      owner.send(importSignature, {
        params: { budgetId: budget.id },
        body: { ...old, ipAddress: '203.0.113.1', userAgent: 'Old', documentHash: 'a'.repeat(64) },
      }),
      portal.send(signInPortal, { params: params(), body: { name: 'Ada', consent: 'es', documentHash } }),
      owner.send(requestSignatures, {
        params: params(),
        body: { signers: [signerNumber(1), signerNumber(2)] },
      }),
    ])
      expect(refusalOf(await attempt)).toEqual([409, 'SIGNATURE_REQUEST_OPEN'])
    expect(await statusOfBudget()).toBe('SENT')
    const shown = await portal.send(readPortalBudget, { params: params(), headers: { accept: 'text/html' } })
    expect(shown.text).toContain('Este presupuesto lo firman varias personas')
    expect(shown.text).not.toContain('name="consent"')
  })

  test('a request needs two to ten distinct signers, items and free links', async () => {
    const ask = (signers: object[], id = budget.id) =>
      owner.send(requestSignatures, { params: { id }, body: { signers: signers as never } })
    for (const signers of [
      [signerNumber(1)],
      Array.from({ length: limits.signersPerRequest + 1 }, (_, at) => signerNumber(at)),
      [signerNumber(1), { ...signerNumber(2), email: 'N1@signers.test' }],
      [signerNumber(1), { ...signerNumber(2), order: 0 }],
    ])
      expect(refusalOf(await ask(signers))[1]).toBe('VALIDATION_ERROR')
    const empty = await makeBudget(owner, { sections: [] })
    const two = [signerNumber(1), signerNumber(2)]
    expect(refusalOf(await ask(two, empty.id))).toEqual([422, 'BUDGET_EMPTY'])
    await issueLink(owner, budget.id)
    await addRevokedLinks(limits.signingLinksPerBudget - 2)
    expect(refusalOf(await ask(two))).toEqual([409, 'TOO_MANY_SIGNING_LINKS'])
  })
})
