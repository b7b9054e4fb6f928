import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifySignature } from '#contract/crm/signatures.ts'
import { recordObjects } from '#platform/data/stored-objects.ts'
import { sweepFiles } from '#server/studio/files/file-sweep.sql.ts'
import { issueLink, signedBudget } from '#tests/support/crm/signing.ts'
import { openWorld, type Person, type TestWorld } from '#tests/support/test-server.ts'

let world: TestWorld
let owner: Person
beforeAll(async () => {
  world = await openWorld()
  owner = await (await world.organization()).person({ role: 'OWNER' })
})
afterAll(() => world?.close())

/** Days of housekeeping at once. */
async function sweep(): Promise<void> {
  const { database, files } = world.api.world
  for (let round = 0; round < 3; round++) {
    await world.sql(
      `update file_object set check_at = now() - interval '1 minute', unreferenced_at = unreferenced_at - interval '2 hours'`,
    )
    while (await sweepFiles(database, files)) {}
  }
}
const verified = async ({ budget, sigId }: Awaited<ReturnType<typeof signedBudget>>) =>
  (await owner.call(verifySignature, { params: { budgetId: budget.id, sigId } })).status

test('housekeeping never takes away what was frozen', async () => {
  const signed = await signedBudget(world, owner)
  const { database } = world.api.world
  const nobodys = { sha256: 'a'.repeat(64), size: 1 }
  await recordObjects(database, [nobodys])
  await sweep()
  expect(await verified(signed)).toBe('VALID')
  expect(await world.sql('select sha256 from file_object')).toEqual([{ sha256: signed.documentHash }])
})

test('what is frozen again after it was garbage is there', async () => {
  const signed = await signedBudget(world, owner)
  // nothing names it any more
  await world.sql('alter table budget_document disable trigger budget_document_stays')
  const [document] = await world.sql<{ id: string; organization_id: string }>(
    `update budget_document set sha256 = repeat('b', 64) where sha256 = $1 returning id, organization_id`,
    [signed.documentHash],
  )
  await sweep()
  expect(await verified(signed)).toBe('UNVERIFIABLE')
  await world.sql(`update budget set status = 'SENT' where id = $1`, [signed.budget.id])
  const again = await issueLink(owner, signed.budget.id)
  expect(again.documentHash).toBe(signed.documentHash)
  await sweep()
  await world.sql('update budget_document set sha256 = $1 where id = $2', [signed.documentHash, document!.id])
  await world.sql('alter table budget_document enable trigger budget_document_stays')
  expect(await verified(signed)).toBe('VALID')
})
