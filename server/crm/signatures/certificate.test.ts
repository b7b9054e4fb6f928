import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCertificate, verifySignature } from '#contract/crm/signatures.ts'
import { openSigningDocument } from '#contract/crm/signing-page.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { issueLink, shownHash, signLink } from '#tests/support/crm/signing.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { consentTexts } from '../signing/consent.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('a certificate shows signer, document, time and history, and does not change the signed file', async () => {
  const organization = await server.organization({ name: 'Faro & Co' })
  const owner = await organization.person({ role: 'OWNER' })
  const budget = await makeBudget(owner)
  const link = await issueLink(owner, budget.id)
  await shownHash(server, link.token)
  const before = await server.client().send(openSigningDocument, { params: { token: link.token } })
  const { body } = await signLink(server, link.token)
  const params = { budgetId: budget.id, sigId: body.signatureId }
  const answer = await owner.send(openCertificate, { params })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { text } = await extractText(await getDocumentProxy(answer.bytes.slice()), { mergePages: true })
  const row = firstOf(
    await server.sql<Record<string, string>>(
      'select evidence_hash, consent_hash from budget_signature where id = $1',
      [params.sigId],
    ),
  )
  const plain = text.replaceAll(/\s/g, '')
  for (const events of [
    'firma electrónica simple',
    `${budget.code} de Faro & Co`,
    'Ada Lovelace',
    'ada@lovelace.test',
    '127.0.0.x',
    'Browser 1.0',
    defined(link.documentHash),
    defined(row.evidence_hash),
    defined(row.consent_hash),
    params.sigId,
    'Enlace de firma emitido',
    `${server.config.publicUrl}/verify`,
    consentTexts.es,
    'Enlace de firma abierto',
    'Presupuesto firmado',
    `${body.signedAt.slice(0, 10)} `,
    'UTC',
  ])
    expect(plain).toContain(events.replaceAll(/\s/g, ''))
  expect(plain).not.toContain('127.0.0.1')
  const again = await owner.send(openCertificate, { params })
  expect(Buffer.from(again.bytes).equals(Buffer.from(answer.bytes))).toBe(true)
  expect(await owner.call(verifySignature, { params })).toMatchObject({ status: 'VALID' })
  expect(before.bytes.length).toBeGreaterThan(0)

  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const unrelated = await organization.person({ permissions: ['STUDIO_VIEW'] })
  const unknown = await owner.send(openCertificate, { params: { ...params, budgetId: newId() } })
  expect(unknown.status).toBe(404)
  expect((await stranger.send(openCertificate, { params })).text).toBe(unknown.text)
  expect(refusalOf(await unrelated.send(openCertificate, { params }))).toEqual([403, 'PERMISSION_DENIED'])
})
