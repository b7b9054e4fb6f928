import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSealedPortalDocument, readPortalBudget, signInPortal } from '#contract/crm/portal.ts'
import {
  openSealedBudget,
  readBudgetSeal,
  readSealCertificate,
  removeSealCertificate,
  uploadSealCertificate,
} from '#contract/crm/seals.ts'
import {
  openSealedSigningDocument,
  openSigningDocument,
  openSigningPage,
} from '#contract/crm/signing-page.ts'
import { verifyPdf } from '#contract/crm/verify-page.ts'
import { limits } from '#contract/limits.ts'
import { openLog } from '#platform/log.ts'
import { openWorker } from '#server/worker.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { openPortal, sentBudget } from '#tests/support/crm/portal.ts'
import { aSealCertificate, pdfsig, sealForm } from '#tests/support/crm/seals.ts'
import { addressOfSigner, requestSigners } from '#tests/support/crm/signature-requests.ts'
import { signedBudget, signLink } from '#tests/support/crm/signing.ts'
import { openssl, openTimeStampServer } from '#tests/support/crm/time-stamp-server.ts'
import { captured, defined, findIn, lastOf, only } from '#tests/support/elements.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { decoded } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { sealNextBudget } from './seal-next-budget.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  organization = await server.organization({ name: 'Faro & Co' })
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

function sealNext(timeStampUrl?: string) {
  const { database, files, cipher, maxFileBytes } = server.api.services
  return sealNextBudget({ database, files, cipher, maxFileBytes, timeStampUrl })
}
const upload = (certificate = aSealCertificate()) =>
  owner.call(uploadSealCertificate, { form: sealForm(certificate) })
const sealOf = async (id: string) => (await owner.call(readBudgetSeal, { params: { id } })).seal
async function sealed(id: string): Promise<Buffer> {
  const answer = await owner.send(openSealedBudget, { params: { id } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(answer.bytes)
}
/** Ends the pauses of what waits. */
const wait = () =>
  server.sql(`update budget_seal set seal_at = now() - interval '1 second' where organization_id = $1`, [
    organization.id,
  ])
const waitingMails = async () => {
  const rows = await server.sql<{ kind: string }>(
    'select kind from outgoing_mail where organization_id = $1 order by kind',
    [organization.id],
  )
  return rows.map(({ kind }) => kind)
}

describe('the certificate', () => {
  test('is shown with its dates, and never its key', async () => {
    expect(await owner.call(readSealCertificate)).toEqual({ certificate: null, waiting: 0 })
    const shown = await upload()
    expect(shown).toEqual({
      certificate: {
        subject: 'CN=Faro-seal, O=Faro',
        issuer: 'CN=Seal-root',
        serialNumber: expect.stringMatching(/^[0-9a-f]+$/),
        validFrom: expect.any(String),
        validUntil: expect.any(String),
        isValid: true,
        uploadedAt: expect.any(String),
      },
      waiting: 0,
    })
    expect(await owner.call(readSealCertificate)).toEqual(shown)
    const row = only(
      await server.sql<{ pkcs12: string }>('select pkcs12 from seal_certificate where organization_id = $1', [
        organization.id,
      ]),
    )
    const { bytes, passphrase } = aSealCertificate()
    expect(row.pkcs12).toMatch(/^v1\./)
    const stored = row.pkcs12 + Buffer.from(row.pkcs12.slice(3), 'base64url').toString('latin1')
    for (const secret of [passphrase, bytes.toString('base64').slice(0, 40)])
      expect(stored).not.toContain(secret)
    expect(await owner.call(removeSealCertificate)).toEqual({ certificate: null, waiting: 0 })
    expect(await owner.call(readSealCertificate)).toMatchObject({ certificate: null })
  })

  test.each([
    ['an EC key', { key: 'EC' as const }],
    ['the encryption of old programs', { isOld: true }],
  ])('may have %s, and seals', async (_what, options) => {
    expect((await upload(aSealCertificate(options))).certificate).toMatchObject({
      subject: 'CN=Faro-seal, O=Faro',
    })
    const { budget } = await signedBudget(server, owner)
    await sealNext()
    expect(pdfsig(await sealed(budget.id))).toContain('Signature is Valid')
  })

  test.each([
    ['another passphrase', () => ({ ...aSealCertificate(), passphrase: 'wrong' }), 'passphrase', 'format'],
    ['another kind of file', () => ({ bytes: Buffer.from('no file'), passphrase: 'x' }), 'file', 'format'],
    ['a certificate that has expired', () => aSealCertificate({ days: -1 }), 'file', 'validity'],
  ])('is refused with %s, and the current one stays', async (_what, make, path, code) => {
    const { certificate } = await upload()
    const answer = await owner.send(uploadSealCertificate, { form: sealForm(make()) })
    expect([answer.status, (answer.body as unknown as { details: unknown }).details]).toEqual([
      400,
      [expect.objectContaining({ path, code })],
    ])
    expect(await owner.call(readSealCertificate)).toEqual({ certificate, waiting: 0 })
  })

  test('is refused if the file is too large or missing', async () => {
    const large = { bytes: Buffer.alloc(limits.sealCertificateBytes + 1), passphrase: 'x' }
    expect(refusalOf(await owner.send(uploadSealCertificate, { form: sealForm(large) }))).toEqual([
      413,
      'BODY_TOO_LARGE',
    ])
    const form = new FormData()
    form.set('passphrase', 'x')
    expect(refusalOf(await owner.send(uploadSealCertificate, { form }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is set by people who manage the organization, and read by those who see the CRM', async () => {
    const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
    expect((await viewer.send(readSealCertificate)).status).toBe(200)
    expect(refusalOf(await viewer.send(uploadSealCertificate, { form: sealForm() }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    expect(refusalOf(await viewer.send(removeSealCertificate))).toEqual([403, 'PERMISSION_DENIED'])
  })
})

test('a budget that is signed with a link is sealed: pdfsig finds a valid signature over the whole document', async () => {
  await upload()
  const { budget, link } = await signedBudget(server, owner)
  expect(await sealOf(budget.id)).toEqual({
    status: 'WAITING',
    sealedAt: null,
    subject: null,
    hasTimeStamp: null,
    problem: null,
  })
  expect(refusalOf(await owner.send(openSealedBudget, { params: { id: budget.id } }))).toEqual([
    404,
    'SEAL_NOT_FOUND',
  ])
  expect(await owner.call(readSealCertificate)).toMatchObject({ waiting: 1 })
  expect(await waitingMails()).toEqual([])
  expect(await sealNext()).toBe(true)
  expect(await sealNext()).toBe(false)
  expect(await sealOf(budget.id)).toEqual({
    status: 'SEALED',
    sealedAt: expect.any(String),
    subject: 'CN=Faro-seal, O=Faro',
    hasTimeStamp: false,
    problem: null,
  })
  expect(await waitingMails()).toEqual(['budget-signed-owner', 'budget-signed-signer'])

  const pdf = await sealed(budget.id)
  const report = pdfsig(pdf)
  for (const line of [
    'Signature Validation: Signature is Valid.',
    'Total document signed',
    'Signature Type: ETSI.CAdES.detached',
    'Signing Hash Algorithm: SHA-256',
    'Signer Certificate Common Name: Faro-seal',
  ])
    expect(report).toContain(line)
  expect(report.match(/^Signature #/gm)).toHaveLength(1)
  const changed = Buffer.from(pdf)
  changed.writeUInt8(changed.readUInt8(100) ^ 1, 100)
  expect(pdfsig(changed)).not.toContain('Signature is Valid')

  // the signed document is the beginning of the sealed one
  const signed = await server.client().send(openSigningDocument, { params: { token: link.token } })
  expect(pdf.subarray(0, signed.bytes.length).equals(Buffer.from(signed.bytes))).toBe(true)
  const bySigner = await server.client().send(openSealedSigningDocument, { params: { token: link.token } })
  expect(Buffer.from(bySigner.bytes).equals(pdf)).toBe(true)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(pdf)]), 'sealed.pdf')
  expect((await server.client().call(verifyPdf, { form })).signatures).toMatchObject([
    { budgetCode: budget.code },
  ])
})

/** The CMS structure in the signature of a PDF, as openssl prints it. */
function printedSignature(pdf: Buffer): string {
  const hex = captured(/\/Contents\s*<([0-9a-fA-F]+)>/, pdf.toString('latin1'))
  return openssl('.', ['cms', '-cmsout', '-print', '-inform', 'DER', '-noout'], Buffer.from(hex, 'hex'))
}

test('the seal names its certificate, and contains a time stamp if the server has an authority', async () => {
  const authority = await openTimeStampServer()
  try {
    await upload()
    const first = await signedBudget(server, owner)
    await sealNext()
    const plain = printedSignature(await sealed(first.budget.id))
    expect(plain).toContain('id-smime-aa-signingCertificateV2')
    expect(plain).not.toContain('id-smime-aa-timeStampToken')
    const second = await signedBudget(server, owner)
    await sealNext(authority.url)
    expect(await sealOf(second.budget.id)).toMatchObject({ status: 'SEALED', hasTimeStamp: true })
    const pdf = await sealed(second.budget.id)
    expect(printedSignature(pdf)).toContain('id-smime-aa-timeStampToken')
    expect(pdfsig(pdf)).toContain('Signature is Valid')

    // without its time stamp, a document is not sealed
    authority.answerWith((_query, response) => response.writeHead(503).end())
    const third = await signedBudget(server, owner)
    await sealNext(authority.url)
    expect(await sealOf(third.budget.id)).toMatchObject({ status: 'WAITING', problem: 'TIME_STAMP_FAILED' })
    expect(await sealNext(authority.url), 'within the pause').toBe(false)
    authority.answerWith(undefined)
    await wait()
    await sealNext(authority.url)
    expect(await sealOf(third.budget.id)).toMatchObject({ status: 'SEALED', problem: null })
    // the mails left after the first attempt, once
    expect(await waitingMails()).toHaveLength(6)
  } finally {
    authority.close()
  }
})

test('a budget that is signed in the portal is sealed, and the customer gets it there', async () => {
  await upload()
  const { clientId, token } = await openPortal(server, owner)
  const { id } = await sentBudget(owner, clientId)
  const customer = server.client(token)
  const params = { id }
  expect((await customer.send(openSealedPortalDocument, { params })).status).toBe(404)
  const { documentHash } = await customer.call(readPortalBudget, { params })
  await customer.call(signInPortal, { params, body: { name: 'Ada', consent: 'es', documentHash } })
  await sealNext()
  const pdf = await sealed(id)
  expect(pdfsig(pdf)).toContain('Signature is Valid')
  const answer = await customer.send(openSealedPortalDocument, { params })
  expect(Buffer.from(answer.bytes).equals(pdf)).toBe(true)
  const page = await customer.send(readPortalBudget, { params, headers: { accept: 'text/html' } })
  expect(page.text).toContain(`/portal/budgets/${id}/sealed-pdf`)
  const another = await openPortal(server, owner)
  expect((await server.client(another.token).send(openSealedPortalDocument, { params })).status).toBe(404)
})

test.each([
  ['removed', 'NO_CERTIFICATE', () => owner.call(removeSealCertificate)],
  [
    'expired',
    'CERTIFICATE_NOT_VALID',
    () =>
      server.sql(
        `update seal_certificate set valid_until = now() - interval '1 day' where organization_id = $1`,
        [organization.id],
      ),
  ],
])(
  'a budget waits for another certificate after it was %s, and its mails do not',
  async (_what, problem, end) => {
    await upload()
    const { budget, link } = await signedBudget(server, owner)
    await end()
    expect(await sealNext()).toBe(true)
    expect(await sealOf(budget.id)).toMatchObject({ status: 'WAITING', problem })
    expect(await waitingMails()).toEqual(['budget-signed-owner', 'budget-signed-signer'])
    expect(await owner.call(readSealCertificate)).toMatchObject({ waiting: 1 })
    const page = await server.client().send(openSigningPage, { params: { token: link.token } })
    expect(page.text).toContain('estará aquí más tarde')
    expect(await sealNext()).toBe(false)
    await upload()
    expect(await sealNext()).toBe(true)
    expect(await sealOf(budget.id)).toMatchObject({ status: 'SEALED', problem: null })
    expect(await waitingMails()).toHaveLength(2)
    const later = await server.client().send(openSigningPage, { params: { token: link.token } })
    expect(later.text).toContain(`/s/${link.token}/sealed`)
  },
)

test('of several signatures the last one is sealed, and nothing waits for the others', async () => {
  await upload()
  const budget = await makeBudget(owner)
  await requestSigners(owner, budget.id, { Ana: 1, Bea: 1 })
  const sign = async (name: string) => {
    const mail = decoded(lastOf(mailsTo(server, addressOfSigner(name))))
    const { status } = await signLink(server, defined(/patio_sign_\w+/.exec(mail))[0], { name })
    expect(status).toBe(200)
  }
  await sign('Ana')
  expect(await sealOf(budget.id)).toBeNull()
  expect(await waitingMails()).toEqual(['budget-signed-owner', 'budget-signed-signer'])
  expect(await sealNext()).toBe(false)
  await sign('Bea')
  expect(await sealOf(budget.id)).toMatchObject({ status: 'WAITING' })
  expect(await sealNext()).toBe(true)
  expect(pdfsig(await sealed(budget.id))).toContain('Signature is Valid')
})

test('without a certificate nothing is sealed, and the mails leave at once', async () => {
  const { budget, link } = await signedBudget(server, owner)
  expect(await sealOf(budget.id)).toBeNull()
  expect(await waitingMails()).toHaveLength(2)
  expect(await sealNext()).toBe(false)
  const params = { token: link.token }
  expect((await server.client().send(openSealedSigningDocument, { params })).status).toBe(404)
  await upload()
  expect(await sealNext(), 'a budget that was signed before').toBe(false)
})

test('a worker seals, and the signer receives the sealed document by mail', async () => {
  await upload()
  const { budget } = await signedBudget(server, owner)
  const worker = await openWorker(server.config, openLog('silent', 'test'))
  try {
    await until(
      'the mail',
      () =>
        existsSync(join(server.config.dataDir, 'mail')) &&
        mailsTo(server, 'ada@lovelace.test').some(mail => mail.includes(budget.code)),
    )
  } finally {
    await worker.close()
  }
  const mail = findIn(mailsTo(server, 'ada@lovelace.test'), text => text.includes(budget.code))
  for (const name of [`${budget.code}.pdf`, `certificado-${budget.code}.pdf`, `sellado-${budget.code}.pdf`])
    expect(mail).toContain(`filename=${name}`)
  expect(mail).toContain(`sellado-${budget.code}.pdf es el mismo documento`)
})
