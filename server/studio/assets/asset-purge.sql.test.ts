import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAsset, readAssetBySlug, removeAsset } from '#contract/studio/assets.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'
import { purgeDeletedAssets } from './asset-purge.sql.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('what was deleted is kept for its days and then leaves nothing', async () => {
  const person = await (await world.organization()).person()
  const body = { type: 'PROMPT', name: 'Soon gone', visibility: 'ORGANIZATION' } as const
  const [old, recent, living] = await Promise.all([1, 2, 3].map(() => person.call(createAsset, { body })))
  for (const { id } of [old!, recent!, living!]) await person.call(useAsset, { params: { id } })
  for (const { id } of [old!, recent!]) await person.call(removeAsset, { params: { id } })
  await world.sql(`update asset set deleted_at = now() - interval '30 days 1 minute' where id = $1`, [
    old!.id,
  ])

  expect(await purgeDeletedAssets(world.api.world.database)).toBe(1)
  expect(await purgeDeletedAssets(world.api.world.database)).toBe(0)
  const tables = ['asset_version', 'asset_counter', 'asset_slug', 'asset_use', 'asset_search']
  for (const table of tables) {
    const rows = await world.sql(`select 1 from ${table} where asset_id = $1`, [old!.id])
    expect([table, rows.length]).toEqual([table, 0])
  }
  expect(
    await world.sql('select id from asset where id = any($1) order by id', [
      [old!.id, recent!.id, living!.id],
    ]),
  ).toHaveLength(2)
  expect((await person.call(readAssetBySlug, { params: { slug: living!.slug } })).id).toBe(living!.id)
})
