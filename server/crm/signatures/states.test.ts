import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importSignature, verifySignature } from '#contract/crm/signatures.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// SIG-6 to SIG-8: the result of verifying a signature of each hashVersion, whatever has happened since

let server: TestServer
let owner: Person
let app: TestApplication
let signed: Record<1 | 2 | 3, Signed>
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  app = await makeApplication(server, organization, { scopes: ['crm:budgets:signatures:verify'] })
  signed = { 1: await signedLongAgo(), 2: await signedNow(true), 3: await signedNow(false) }
})
afterAll(() => server?.close())

type Signed = { budgetId: string; sigId: string; documentHash: string; linkId: string | null }
const versions = [1, 2, 3] as const
const budget = {
  sections: [{ items: [{ name: 'Diseño', unitPriceCents: 10_000, taxes: [{ name: 'IVA', rate: '21' }] }] }],
}

async function signedNow(isBare: boolean): Promise<Signed> {
  const { budget: created, sigId, link, documentHash } = await signedBudget(server, owner, { budget, isBare })
  return { budgetId: created.id, sigId, documentHash, linkId: link.id }
}
/** With the fingerprint of that time. */
async function signedLongAgo(): Promise<Signed> {
  const { id: budgetId, code } = await makeBudget(owner, budget)
  const items = '[{"description":"Diseño","quantity":"1","total":"100.00","unitPrice":"100.00"}]'
  const documentHash = createHash('sha256')
    .update(`{"code":"${code}","items":${items},"total":"121.00"}`)
    .digest('hex')
  const { id: sigId } = await owner.call(importSignature, {
    params: { budgetId },
    body: {
      signedAt: '2020-01-02T03:04:05.678Z',
      signerName: 'Ada',
      signerEmail: 'ada@lovelace.test',
      ipAddress: '2001:db8:1:2::3',
      userAgent: 'Old browser',
      documentHash,
    },
  })
  return { budgetId, sigId, documentHash, linkId: null }
}

type Undo = () => unknown
/** Changes a column of every budget; returns a function that reverts it. */
const column = (name: string, value: string) => async (): Promise<Undo> => {
  await server.sql(`create table before as select id, ${name} as was from budget`)
  await server.sql(`update budget set ${name} = ${value}`)
  return async () => {
    await server.sql(`update budget b set ${name} = was from before where before.id = b.id`)
    await server.sql('drop table before')
  }
}
/** Changes the file of the signed PDF; returns a function that restores it. */
const file = (change: (path: string) => void) => (): Undo => {
  const { documentHash } = signed[3]
  const path = join(server.config.dataDir, 'files', 'objects', documentHash.slice(0, 2), documentHash)
  renameSync(path, `${path}-away`)
  change(path)
  return () => {
    rmSync(path, { recursive: true, force: true })
    renameSync(`${path}-away`, path)
  }
}

const [gone, unread] = [
  'UNVERIFIABLE BUDGET_SIGNED_PDF_UNAVAILABLE',
  'UNVERIFIABLE BUDGET_SIGNED_PDF_UNREADABLE',
]
/** Each event since the signature, with the results for hashVersion 1, 2 and 3. */
const cells: [what: string, happens: () => Undo | Promise<Undo>, ...results: [string, string, string]][] = [
  ['nothing', () => () => {}, 'VALID', 'VALID', 'VALID'],
  ['another code', column('code', `'X-' || code`), 'MODIFIED', 'MODIFIED', 'VALID'],
  ['another total', column('total_cents', 'total_cents + 1'), 'MODIFIED', 'MODIFIED', 'VALID'],
  [
    'another price of an item',
    column('content', `jsonb_set(content, '{sections,0,items,0,unitPriceCents}', '10001')`),
    'MODIFIED',
    'MODIFIED',
    'VALID',
  ],
  [
    'no items any more',
    column('content', `jsonb_set(content, '{sections}', '[]')`),
    'MODIFIED',
    'MODIFIED',
    'VALID',
  ],
  [
    'another tax of an item',
    column('content', `jsonb_set(content, '{sections,0,items,0,taxes,0,rate}', '"10"')`),
    'VALID',
    'MODIFIED',
    'VALID',
  ],
  [
    'a title of a section',
    column('content', `jsonb_set(content, '{sections,0,title}', '"Fase"')`),
    'VALID',
    'MODIFIED',
    'VALID',
  ],
  [
    'a discount',
    column(
      'content',
      `jsonb_set(content, '{discounts}', '[{"name": "Alta", "kind": "AMOUNT", "value": 0, "amountCents": 0}]')`,
    ),
    'VALID',
    'MODIFIED',
    'VALID',
  ],
  ['another title', column('title', `'Another'`), 'VALID', 'MODIFIED', 'VALID'],
  ['other conditions', column('conditions', `'Now'`), 'VALID', 'MODIFIED', 'VALID'],
  ['other notes', column('notes', `'Now'`), 'VALID', 'MODIFIED', 'VALID'],
  ['another currency', column('currency', `'usd'`), 'VALID', 'MODIFIED', 'VALID'],
  ['another day', column('issue_date', `'2020-01-01'`), 'VALID', 'MODIFIED', 'VALID'],
  ['a day until which it holds', column('valid_until', `'2999-01-01'`), 'VALID', 'MODIFIED', 'VALID'],
  ['other internal notes', column('internal_notes', `'Now'`), 'VALID', 'VALID', 'VALID'],
  ['another status', column('status', `'CANCELLED'`), 'VALID', 'VALID', 'VALID'],
  ['another moment of its last change', column('updated_at', `'2030-01-01'`), 'VALID', 'VALID', 'VALID'],
  ['other bytes of the PDF', file(path => writeFileSync(path, 'other')), 'VALID', 'VALID', 'MODIFIED'],
  ['no bytes in the PDF', file(path => writeFileSync(path, '')), 'VALID', 'VALID', 'MODIFIED'],
  ['no PDF any more', file(() => {}), 'VALID', 'VALID', gone],
  ['a PDF that cannot be read', file(path => mkdirSync(path)), 'VALID', 'VALID', unread],
  // last, because it cannot be reverted
  ['no link any more', deleteLinks, 'VALID', 'VALID', gone],
]

async function deleteLinks(): Promise<Undo> {
  await server.sql('delete from signing_link')
  for (const version of versions) signed[version].linkId = null
  return () => {}
}

test.each(cells)('%s', async (_what, happens, ...results) => {
  await server.sql('delete from rate_window')
  const undo = await happens()
  try {
    const result = await Promise.all(versions.map(version => verified(version)))
    expect(result).toEqual(results)
  } finally {
    await undo()
  }
})

/** The result of a verification, equal for applications and people, with consistent fields. */
async function verified(version: 1 | 2 | 3): Promise<string> {
  const { budgetId, sigId, documentHash, linkId } = signed[version]
  const input = { params: { budgetId, sigId } }
  const { status: httpStatus, body, text } = await app.client.send(verifySignature, input)
  expect(httpStatus).toBe(200)
  expect((await owner.send(verifySignature, input)).text).toBe(text)
  const { status, valid, expectedHash, actualHash, reason } = body
  expect(body).toMatchObject({ signatureId: sigId, hashVersion: version, signingTokenId: linkId })
  expect({ valid, expectedHash }).toEqual({ valid: status === 'VALID', expectedHash: documentHash })
  expect(actualHash === null).toBe(status === 'UNVERIFIABLE')
  expect(actualHash === documentHash).toBe(status === 'VALID')
  expect(reason === null).toBe(status !== 'UNVERIFIABLE')
  return reason === null ? status : `${status} ${reason.errorCode}`
}
