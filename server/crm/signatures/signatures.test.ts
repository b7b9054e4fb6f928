import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateBudget } from '#contract/crm/budgets.ts'
import {
  importSignature,
  listSignatures,
  readSignature,
  type Verification,
  verifySignature,
} from '#contract/crm/signatures.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { setUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertMany } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let app: TestApplication
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  app = await makeApplication(server, organization, {
    scopes: ['crm:budgets:signatures:read', 'crm:budgets:signatures:verify'],
  })
})
afterAll(() => server?.close())

type Signed = Awaited<ReturnType<typeof signedBudget>>
const at = ({ budget, sigId }: Pick<Signed, 'budget' | 'sigId'>) => ({
  params: { budgetId: budget.id, sigId },
})
const verified = (signed: Signed): Promise<Verification> => app.client.call(verifySignature, at(signed))
const objectOf = (sha256: string) =>
  join(server.config.dataDir, 'files', 'objects', sha256.slice(0, 2), sha256)
const change = ({ budget }: Signed, body: object) =>
  server.sql(`update budget set ${Object.keys(body).map((key, n) => `${key} = $${n + 2}`)} where id = $1`, [
    budget.id,
    ...Object.values(body),
  ])
const importOf = (budgetId: string, body: object = {}) => ({
  params: { budgetId },
  body: {
    signedAt: '2020-01-02T03:04:05.678Z',
    signerName: 'Ada',
    signerEmail: 'ada@lovelace.test',
    ipAddress: '2001:db8:1:2::3',
    userAgent: 'Old browser',
    documentHash: 'a'.repeat(64),
    ...body,
  },
})
const [unavailable, unreadable] = [
  {
    errorCode: 'BUDGET_SIGNED_PDF_UNAVAILABLE',
    message: 'El PDF firmado ya no está disponible; la firma sigue registrada, pero no se puede comprobar.',
  },
  {
    errorCode: 'BUDGET_SIGNED_PDF_UNREADABLE',
    message: 'El PDF firmado existe, pero ahora no se puede leer. Vuelve a intentarlo en unos minutos.',
  },
]

describe('for applications', () => {
  test('signatures are listed, newest first, and read', async () => {
    const signed = await signedBudget(server, owner)
    const old = await owner.call(importSignature, importOf(signed.budget.id))
    const { items } = await app.client.call(listSignatures, { params: { budgetId: signed.budget.id } })
    expect(items).toEqual([
      {
        id: signed.sigId,
        signedAt: expect.any(String),
        signerName: 'Ada Lovelace',
        signerEmail: 'ada@lovelace.test',
        ipAddressMasked: '127.0.0.x',
        hashVersion: 3,
        signingTokenId: signed.link.id,
        documentHash: signed.documentHash,
      },
      {
        id: old.id,
        signedAt: '2020-01-02T03:04:05.678Z',
        signerName: 'Ada',
        signerEmail: 'ada@lovelace.test',
        ipAddressMasked: '2001:db8:1::x',
        hashVersion: 1,
        signingTokenId: null,
        documentHash: 'a'.repeat(64),
      },
    ])
    const detail = { ...items[0], budgetId: signed.budget.id, userAgent: 'Browser 1.0' }
    expect(await app.client.call(readSignature, at(signed))).toEqual(detail)
    expect(await owner.call(readSignature, at(signed))).toEqual(detail)
    const unsigned = await makeBudget(owner)
    expect(await app.client.call(listSignatures, { params: { budgetId: unsigned.id } })).toEqual({
      items: [],
    })
  })

  test('a missing budget or signature is reported by message, without a code', async () => {
    const signed = await signedBudget(server, owner)
    const other = await signedBudget(server, owner)
    const stranger = await makeApplication(server, await server.organization(), {
      scopes: ['crm:budgets:signatures:read', 'crm:budgets:signatures:verify'],
    })
    const standard = { statusCode: 404, error: 'Not Found' }
    const noBudget = { ...standard, message: 'The budget does not exist.' }
    const noSignature = { ...standard, message: 'The signature does not exist.' }
    for (const operation of [readSignature, verifySignature]) {
      const ask = async (budgetId: string, sigId: string, by = app) =>
        (await by.client.send(operation as Operation<{ params: object }>, { params: { budgetId, sigId } }))
          .body
      expect(await ask(newId(), signed.sigId)).toEqual(noBudget)
      expect(await ask(signed.budget.id, newId())).toEqual(noSignature)
      expect(await ask(other.budget.id, signed.sigId)).toEqual(noSignature)
      expect(await ask(signed.budget.id, signed.sigId, stranger)).toEqual(noBudget)
    }
    const listed = await app.client.send(listSignatures, { params: { budgetId: newId() } })
    expect([listed.status, listed.body]).toEqual([404, noBudget])
  })

  test('plan, scope and limit are checked first, in this order', async () => {
    const params = { budgetId: newId(), sigId: newId() }
    const reader = await makeApplication(server, organization, { scopes: ['crm:budgets:signatures:read'] })
    const verifier = await makeApplication(server, organization, {
      scopes: ['crm:budgets:signatures:verify'],
    })
    const free = await makeApplication(server, await server.organization({ plan: 'FREE' }), {})
    for (const [promise, right, wrong] of [
      [listSignatures, reader, verifier],
      [readSignature, reader, verifier],
      [verifySignature, verifier, reader],
    ] as const) {
      const operation = promise as Operation<{ params: object }>
      expect((await right.client.send(operation, { params })).status).toBe(404)
      expect(refusalOf(await wrong.client.send(operation, { params }))).toEqual([403, 'INSUFFICIENT_SCOPE'])
      expect(refusalOf(await free.client.send(operation, { params }))).toEqual([403, 'MODULE_NOT_ENABLED'])
      await setUsed(server, limits.signatureReadsPerHour)
      const late = await right.client.send(operation, { params })
      expect(refusalOf(late)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      await server.sql('delete from rate_window')
    }
    const unrelated = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await unrelated.send(listSignatures, { params }))).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('verifying hashVersion 3', () => {
  test('compares the stored bytes, even if the budget changed', async () => {
    const signed = await signedBudget(server, owner)
    await change(signed, { title: 'Another', total_cents: 1 })
    const { documentHash, sigId, link } = signed
    expect(await verified(signed)).toEqual({
      signatureId: sigId,
      status: 'VALID',
      valid: true,
      reason: null,
      hashVersion: 3,
      expectedHash: documentHash,
      actualHash: documentHash,
      signedAt: expect.any(String),
      signerName: 'Ada Lovelace',
      signerEmail: 'ada@lovelace.test',
      ipAddressMasked: '127.0.0.x',
      userAgent: 'Browser 1.0',
      signingTokenId: link.id,
      timeStamp: null,
    })
  })

  test.each(['other bytes', ''])('reports MODIFIED for bytes that differ: %j', async bytes => {
    const signed = await signedBudget(server, owner, { budget: { title: `Changed to ${bytes}` } })
    rmSync(objectOf(signed.documentHash))
    writeFileSync(objectOf(signed.documentHash), bytes)
    expect(await verified(signed)).toMatchObject({
      status: 'MODIFIED',
      valid: false,
      reason: null,
      expectedHash: signed.documentHash,
      actualHash: createHash('sha256').update(bytes).digest('hex'),
    })
  })

  test('reports UNVERIFIABLE for a missing file or link', async () => {
    const gone = { status: 'UNVERIFIABLE', valid: false, actualHash: null, reason: unavailable }
    const [lost, unlinked] = [await signedBudget(server, owner), await signedBudget(server, owner)]
    const away = objectOf(lost.documentHash)
    renameSync(away, `${away}-away`)
    expect(await verified(lost)).toMatchObject({ ...gone, signingTokenId: lost.link.id })
    renameSync(`${away}-away`, away)
    // nothing is cached
    expect(await verified(lost)).toMatchObject({ status: 'VALID' })
    await server.sql('delete from signing_link where id = $1', [unlinked.link.id])
    expect(await verified(unlinked)).toMatchObject({ ...gone, signingTokenId: null })
    expect(await app.client.call(readSignature, at(unlinked))).toMatchObject({ signingTokenId: null })
  })

  test('reports UNVERIFIABLE when the disk fails', async () => {
    const signed = await signedBudget(server, owner)
    const path = objectOf(signed.documentHash)
    rmSync(path)
    // a folder can be opened but not read
    mkdirSync(path)
    expect(await verified(signed)).toMatchObject({
      status: 'UNVERIFIABLE',
      valid: false,
      actualHash: null,
      reason: unreadable,
      signingTokenId: signed.link.id,
    })
    rmSync(path, { recursive: true })
    const folder = dirname(path)
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, 'not a folder')
    expect(await verified(signed)).toMatchObject({ status: 'UNVERIFIABLE', reason: unreadable })
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
  })

  test('does not wait for a disk that hangs', async () => {
    const signed = await signedBudget(server, owner)
    const path = objectOf(signed.documentHash)
    rmSync(path)
    execFileSync('/usr/bin/mkfifo', [path])
    // opens without data
    const writer = await open(path, 'r+')
    try {
      expect(await verified(signed)).toMatchObject({ status: 'UNVERIFIABLE', reason: unreadable })
    } finally {
      // rename first: opening a pipe without a writer blocks forever
      rmSync(path)
      await writer.close()
    }
  })
})

describe('verifying hashVersion 2', () => {
  test('computes the fingerprint from the current budget', async () => {
    const signed = await signedBudget(server, owner, { isBare: true })
    expect(await verified(signed)).toMatchObject({
      status: 'VALID',
      valid: true,
      hashVersion: 2,
      actualHash: signed.documentHash,
      signingTokenId: signed.link.id,
    })
    // internal or automatic changes
    const params = { id: signed.budget.id }
    await owner.call(updateBudget, { params, body: { internalNotes: 'Careful', ownerId: owner.id } })
    await change(signed, { status: 'CANCELLED', updated_at: '2030-01-01' })
    expect(await verified(signed)).toMatchObject({ status: 'VALID' })
    await change(signed, { notes: 'Written later' })
    const result = await verified(signed)
    expect(result).toMatchObject({ status: 'MODIFIED', valid: false, reason: null })
    expect(result.actualHash).toMatch(/^[0-9a-f]{64}$/)
    expect(result.actualHash).not.toBe(result.expectedHash)
    await change(signed, { notes: null })
    expect(await verified(signed)).toMatchObject({ status: 'VALID' })
    const [{ content }] = (await server.sql<{ content: object }>('select content from budget where id = $1', [
      signed.budget.id,
    ])) as [{ content: object }]
    await change(signed, { content: '{"sections": 1}' })
    expect(await verified(signed)).toMatchObject({
      status: 'MODIFIED',
      actualHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    await change(signed, { content })
    // hashVersion 2 does not need the link
    await server.sql('delete from signing_link where id = $1', [signed.link.id])
    expect(await verified(signed)).toMatchObject({ status: 'VALID', signingTokenId: null })
  })
})

describe('an imported signature', () => {
  test('is verified by code, items and total', async () => {
    const budget = await makeBudget(owner, {
      sections: [
        { items: [{ name: 'Diseño', unitPriceCents: 10_000, taxes: [{ name: 'IVA', rate: '21' }] }] },
      ],
    })
    const items = '[{"description":"Diseño","quantity":"1","total":"100.00","unitPrice":"100.00"}]'
    const documentHash = createHash('sha256')
      .update(`{"code":"${budget.code}","items":${items},"total":"121.00"}`)
      .digest('hex')
    const { id: sigId } = await owner.call(importSignature, importOf(budget.id, { documentHash }))
    const signed = { budget, sigId } as Signed
    expect(await verified(signed)).toMatchObject({
      status: 'VALID',
      hashVersion: 1,
      signingTokenId: null,
      userAgent: 'Old browser',
      signedAt: '2020-01-02T03:04:05.678Z',
      ipAddressMasked: '2001:db8:1::x',
    })
    await change(signed, { notes: 'Not in version 1' })
    expect(await verified(signed)).toMatchObject({ status: 'VALID' })
    await change(signed, { total_cents: 1 })
    expect(await verified(signed)).toMatchObject({ status: 'MODIFIED', valid: false })
    const [row] = await server.sql('select status, signed_at from budget where id = $1', [budget.id])
    expect(row).toEqual({ status: 'SIGNED', signed_at: '2020-01-02T03:04:05.678Z' })
    expect(await auditedChanges(server, budget.id)).toContainEqual(['signatures'])
    const events = await server.sql(
      `select data from event where name = 'BUDGET_SIGNED' and data ->> 'budgetId' = $1`,
      [budget.id],
    )
    expect(events).toMatchObject([{ data: { via: 'IMPORT', hashVersion: 1, signingTokenId: null } }])
  })

  test('requires a time in the past, a valid IP address and ORG_MANAGE', async () => {
    const { id } = await makeBudget(owner)
    for (const body of [
      { signedAt: '2999-01-01T00:00:00.000Z' },
      { ipAddress: 'somewhere' },
      { documentHash: 'A'.repeat(64) },
      { userAgent: 'x'.repeat(limits.userAgent + 1) },
      { signerName: '' },
    ])
      expect(refusalOf(await owner.send(importSignature, importOf(id, body)))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    const editor = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
    expect(refusalOf(await editor.send(importSignature, importOf(id)))).toEqual([403, 'PERMISSION_DENIED'])
    await server.sql(`update budget set status = 'DECLINED' where id = $1`, [id])
    expect(refusalOf(await owner.send(importSignature, importOf(id)))).toEqual([409, 'BUDGET_SETTLED'])
  })

  test('is limited in number per budget', async () => {
    const { id } = await makeBudget(owner)
    await insertMany(server, 'budget_signature', limits.signaturesImportedPerBudget, n => ({
      organization_id: organization.id,
      budget_id: id,
      via: 'IMPORT',
      hash_version: 1,
      number: n,
    }))
    expect(refusalOf(await owner.send(importSignature, importOf(id)))).toEqual([409, 'TOO_MANY_SIGNATURES'])
  })
})

test('signatures and their documents are never changed or deleted', async () => {
  const { sigId, budget } = await signedBudget(server, owner)
  for (const statement of [
    `update budget_signature set signer_name = 'Eve' where id = '${sigId}'`,
    `delete from budget_signature where id = '${sigId}'`,
    `update budget_document set sha256 = repeat('a', 64) where budget_id = '${budget.id}'`,
    `delete from budget_document where budget_id = '${budget.id}'`,
  ])
    await expect(server.sql(statement)).rejects.toThrow('are immutable')
})
