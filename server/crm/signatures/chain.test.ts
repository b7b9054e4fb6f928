import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkSignatureChain, importSignature } from '#contract/crm/signatures.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { itemAt, only } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { evidenceHashOf } from './evidence-of-row.ts'
import { chainRange } from './signature.sql.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const check = () => owner.call(checkSignatureChain)
/** Edits rows directly, with the trigger disabled. */
async function tamper(statement: string): Promise<void> {
  await server.sql(`alter table budget_signature disable trigger budget_signature_is_immutable`)
  await server.sql(statement, [organization.id])
  await server.sql(`alter table budget_signature enable trigger budget_signature_is_immutable`)
}
const mine = 'organization_id = $1'

test('holds over links, the portal and imports, also for concurrent signatures', async () => {
  expect(await check()).toEqual({ holds: true, count: 0, brokenAt: null })
  await signedBudget(server, owner)
  await signedBudget(server, owner, { isBare: true })
  const { id } = await makeBudget(owner)
  const body = {
    signedAt: '2020-01-02T05:04:05+02:00',
    signerName: 'Ada',
    signerEmail: 'ada@lovelace.test',
    ipAddress: '2001:0DB8::0001',
    userAgent: 'Old\tbrowser ü',
    documentHash: 'a'.repeat(64),
  }
  await Promise.all(
    Array.from({ length: 10 }, () => owner.call(importSignature, { params: { budgetId: id }, body })),
  )
  expect(await check()).toEqual({ holds: true, count: 12, brokenAt: null })
  const numbers = await server.sql<{ number: string }>(
    `select number from budget_signature where ${mine} order by number`,
    [organization.id],
  )
  expect(numbers.map(({ number }) => Number(number))).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
  // another organization has its own chain
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(await stranger.call(checkSignatureChain)).toMatchObject({ count: 0 })
})

test.each([
  ['signer_name', `'Eve'`],
  ['signer_email', `'eve@example.test'`],
  ['signed_at', `signed_at + interval '1 ms'`],
  ['ip', `'203.0.113.1'`],
  ['user_agent', `'Other'`],
  ['document_hash', `repeat('a', 64)`],
  ['hash_version', '2'],
  ['consent_hash', 'null'],
  ['signing_link_id', 'null'],
  ['via', `'PORTAL'`],
  ['evidence_hash', `repeat('b', 64)`],
  ['previous_evidence_hash', `repeat('c', 64)`],
])('breaks where %s was edited', async (column, value) => {
  const created = []
  for (let n = 0; n < 3; n++) created.push(await signedBudget(server, owner))
  await tamper(`update budget_signature set ${column} = ${value} where ${mine} and number = 2`)
  expect(await check()).toEqual({
    holds: false,
    count: 3,
    brokenAt: { number: 2, signatureId: itemAt(created, 1).sigId },
  })
})

test('breaks where a signature was deleted, also the last one', async () => {
  for (let n = 0; n < 3; n++) await signedBudget(server, owner)
  await tamper(`delete from budget_signature where ${mine} and number = 3`)
  expect(await check()).toEqual({ holds: false, count: 3, brokenAt: { number: 3, signatureId: null } })
  await tamper(`delete from budget_signature where ${mine} and number = 1`)
  expect(await check()).toEqual({ holds: false, count: 3, brokenAt: { number: 1, signatureId: null } })
})

test('breaks when the last one was rewritten with matching evidence', async () => {
  const { sigId } = await signedBudget(server, owner)
  await server.sql(`update signature_chain set evidence_hash = repeat('d', 64) where ${mine}`, [
    organization.id,
  ])
  expect(await check()).toEqual({ holds: false, count: 1, brokenAt: { number: 1, signatureId: null } })
  expect(sigId).toBeDefined()
})

test('breaks where a signature was added after the last one', async () => {
  await signedBudget(server, owner)
  await tamper(`insert into budget_signature select (s).* from (
    select jsonb_populate_record(s, '{"id": "forged", "number": 2}') as s from budget_signature s where ${mine}) n`)
  expect(await check()).toEqual({ holds: false, count: 1, brokenAt: { number: 2, signatureId: null } })
  await tamper(`delete from budget_signature where ${mine} and number = 2`)
  expect(await check()).toMatchObject({ holds: true, count: 1 })
  await server.sql(`delete from signature_chain where ${mine}`, [organization.id])
  expect(await check()).toMatchObject({ holds: false, brokenAt: { number: 1 } })
})

test('breaks after a signature that was rewritten with matching evidence', async () => {
  const created = []
  for (let n = 0; n < 3; n++) created.push(await signedBudget(server, owner))
  const second = only(await chainRange(server.api.services.database.of(organization.id), 1, 1))
  const forged = evidenceHashOf({ ...second, signer_name: 'Eve' })
  await tamper(
    `update budget_signature set signer_name = 'Eve', evidence_hash = '${forged}' where ${mine} and number = 2`,
  )
  expect(await check()).toEqual({
    holds: false,
    count: 3,
    brokenAt: { number: 3, signatureId: itemAt(created, 2).sigId },
  })
})

test('requires ORG_MANAGE to check', async () => {
  const member = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  expect(refusalOf(await member.send(checkSignatureChain))).toEqual([403, 'PERMISSION_DENIED'])
})
