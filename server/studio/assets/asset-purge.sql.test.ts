import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAsset, readAssetBySlug, removeAsset } from '#contract/studio/assets.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { makeAll } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { purgeDeletedAssets } from './asset-purge.sql.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('keeps a deleted asset for the retention time, then removes all its rows', async () => {
  const person = await (await server.organization()).person()
  const body = { type: 'PROMPT', name: 'Soon gone', visibility: 'ORGANIZATION' } as const
  const [old, recent, living] = await makeAll(3, () => person.call(createAsset, { body }))
  for (const { id } of [old, recent, living]) await person.call(useAsset, { params: { id } })
  for (const { id } of [old, recent]) await person.call(removeAsset, { params: { id } })
  await server.sql(`update asset set deleted_at = now() - interval '30 days 1 minute' where id = $1`, [
    old.id,
  ])

  expect(await purgeDeletedAssets(server.api.services.database)).toBe(1)
  expect(await purgeDeletedAssets(server.api.services.database)).toBe(0)
  const tables = ['asset_version', 'asset_counter', 'asset_slug', 'asset_use', 'asset_search']
  for (const table of tables) {
    const rows = await server.sql(`select 1 from ${table} where asset_id = $1`, [old.id])
    expect([table, rows.length]).toEqual([table, 0])
  }
  expect(
    await server.sql('select id from asset where id = any($1) order by id', [[old.id, recent.id, living.id]]),
  ).toHaveLength(2)
  expect((await person.call(readAssetBySlug, { params: { slug: living.slug } })).id).toBe(living.id)
})
