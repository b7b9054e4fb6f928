import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importSignature } from '#contract/crm/signatures.ts'
import { openSigningDocument } from '#contract/crm/signing-page.ts'
import { limits } from '#contract/limits.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { issueLink, signLink } from '#tests/support/crm/signing.ts'
import { defined } from '#tests/support/elements.ts'
import { setUsed } from '#tests/support/rates.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization({ name: 'Faro <b>' })).person({ role: 'OWNER' })
})
beforeEach(() => server.sql('delete from rate_window'))
afterAll(() => server?.close())

const html = { accept: 'text/html' }
function give(
  content: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = {},
  name = 'file',
) {
  const body = new FormData()
  body.append(name, new Blob([content]), 'firmado.pdf')
  return fetch(`${server.url}/verify`, { method: 'POST', body, headers })
}

test('the holder of a signed PDF sees its signatures, and no more than the certificate shows', async () => {
  const budget = await makeBudget(owner)
  const link = await issueLink(owner, budget.id, { signerEmail: 'ada@lovelace.test' })
  const pdf = (
    await server.client().send(openSigningDocument, { params: { token: link.token } })
  ).bytes.slice()
  expect(await (await give(pdf)).json()).toEqual({ documentHash: link.documentHash, signatures: [] })
  const { body } = await signLink(server, link.token, { name: 'Ada <i>' })
  const [answer, page] = [await give(pdf), await (await give(pdf, html)).text()]
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      documentHash: link.documentHash,
      signatures: [
        {
          signatureId: body.signatureId,
          signedAt: body.signedAt,
          signerName: 'Ada <i>',
          organizationName: 'Faro <b>',
          budgetCode: budget.code,
          timeStamp: null,
        },
      ],
    },
  ])
  for (const shown of [
    'Firma conocida',
    'Ada &#60;i&#62;',
    'Faro &#60;b&#62;',
    budget.code,
    defined(link.documentHash),
  ])
    expect(page).toContain(shown)
  for (const stored of ['ada@lovelace.test', '127.0.0', 'Browser 1.0', budget.id])
    expect(page).not.toContain(stored)
  const [first = 0, ...rest] = pdf
  const changed = await give(new Uint8Array([first ^ 1, ...rest]), html)
  expect([changed.status, await changed.text()]).toEqual([
    200,
    expect.stringContaining('No conocemos ninguna firma de este archivo'),
  ])
})

test('only documents that were signed as a file are found by their bytes', async () => {
  const { id: budgetId } = await makeBudget(owner)
  const documentHash = createHash('sha256').update('old').digest('hex')
  const old = { signedAt: '2020-01-02T03:04:05.678Z', signerName: 'Ada', signerEmail: 'ada@lovelace.test' }
  const from = { ipAddress: '203.0.113.1', userAgent: 'Old', documentHash }
  await owner.call(importSignature, { params: { budgetId }, body: { ...old, ...from } })
  expect(await (await give('old')).json()).toEqual({ documentHash, signatures: [] })
})

test('the page requires one file within the size limit, and limits calls per address', async () => {
  const page = await fetch(`${server.url}/verify`, { headers: html })
  const text = await page.text()
  expect([page.status, text]).toEqual([200, expect.stringContaining('enctype="multipart/form-data"')])
  expect(text).not.toMatch(/<script|https?:\/\//)
  for (const [answer, status] of [
    [await give('', html), 400],
    [await give('x', html, 'other'), 400],
    [await fetch(`${server.url}/verify`, { method: 'POST', body: new URLSearchParams({ file: 'x' }) }), 415],
    [await give(new Uint8Array(limits.verifiedPdfBytes)), 200],
  ] as const)
    expect(answer.status).toBe(status)
  const large = await give(new Uint8Array(limits.verifiedPdfBytes + 1), html)
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('demasiado grande')])
  await setUsed(server, limits.verificationsPerHour)
  const late = await give('x', html)
  expect([late.status, await late.text()]).toEqual([429, expect.stringContaining('Demasiadas visitas')])
})
