import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifySignature } from '#contract/crm/signatures.ts'
import { registerObjects } from '#platform/data/stored-objects.ts'
import { sweepFiles } from '#server/studio/files/file-sweep.sql.ts'
import { issueLink, signedBudget } from '#tests/support/crm/signing.ts'
import { earlier } from '#tests/support/earlier.ts'
import { firstOf } from '#tests/support/elements.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

/** Runs several days of maintenance at once. */
async function sweep(): Promise<void> {
  const { database, files } = server.api.services
  for (let round = 0; round < 3; round++) {
    await server.sql(
      `update file_object set check_at = $1, unreferenced_at = ${earlier('unreferenced_at', "interval '2 hours'")}`,
      [new Date(Date.now() - 60_000)],
    )
    while (await sweepFiles(database, files)) {}
  }
}
const verified = async ({ budget, sigId }: Awaited<ReturnType<typeof signedBudget>>) =>
  (await owner.call(verifySignature, { params: { budgetId: budget.id, sigId } })).status

test('maintenance never deletes a stored document', async () => {
  const signed = await signedBudget(server, owner)
  const { database } = server.api.services
  const nobodys = { sha256: 'a'.repeat(64), size: 1 }
  await registerObjects(database, [nobodys])
  await sweep()
  expect(await verified(signed)).toBe('VALID')
  expect(await server.sql('select sha256 from file_object')).toEqual([{ sha256: signed.documentHash }])
})

test('a document that is stored again after it became garbage is kept', async () => {
  const signed = await signedBudget(server, owner)
  // nothing refers to it any more
  await server.sql('alter table budget_document disable trigger budget_document_is_immutable')
  const document = firstOf(
    await server.sql<{ id: string; organization_id: string }>(
      `update budget_document set sha256 = repeat('b', 64) where sha256 = $1 returning id, organization_id`,
      [signed.documentHash],
    ),
  )
  await sweep()
  expect(await verified(signed)).toBe('UNVERIFIABLE')
  await server.sql(`update budget set status = 'SENT' where id = $1`, [signed.budget.id])
  const again = await issueLink(owner, signed.budget.id)
  expect(again.documentHash).toBe(signed.documentHash)
  await sweep()
  await server.sql('update budget_document set sha256 = $1 where id = $2', [signed.documentHash, document.id])
  await server.sql('alter table budget_document enable trigger budget_document_is_immutable')
  expect(await verified(signed)).toBe('VALID')
})
