import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAsset, readAsset, removeAsset } from '#contract/studio/assets.ts'
import { listDeletedAssets, purgeAsset, restoreAsset } from '#contract/studio/lifecycle.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { newId } from '#platform/ids.ts'
import { linkAsset, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const purge = (person: Person, id: string) => person.send(purgeAsset, { params: { id } })

it('removes a deleted asset with all its rows at once, and frees its slug', async () => {
  const { id, slug } = await makeAsset(author, {
    name: 'Erase me',
    tags: ['gone'],
    visibility: 'ORGANIZATION',
  })
  const { id: stays } = await makeAsset(author, { name: 'Stays', tags: ['gone'] })
  await addFiles(author, id, [['a.txt', 'a']])
  await linkAsset(author, id, 'ticket', 'T-1')
  await shareAsset(server, author, id, 'USER', other.id)
  await other.call(useAsset, { params: { id } })
  await author.send(removeAsset, { params: { id } })
  const answer = await purge(author, id)
  expect([answer.status, answer.text]).toEqual([204, ''])
  const tables = await server.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'asset_id' and table_schema = 'public' and table_name like 'asset%'`,
  )
  expect(tables.length).toBeGreaterThan(8)
  for (const { name } of tables)
    expect([name, await server.sql(`select 1 from ${name} where asset_id = $1`, [id])]).toEqual([name, []])
  expect(await server.sql('select 1 from asset where id = $1', [id])).toEqual([])
  expect(await server.sql('select tag from asset_tag where asset_id = $1', [stays])).toEqual([
    { tag: 'gone' },
  ])
  expect((await author.call(listDeletedAssets, {})).items.map(item => item.id)).not.toContain(id)
  expect((await author.send(restoreAsset, { params: { id } })).status).toBe(404)
  expect((await purge(author, id)).status).toBe(404)
  const again = await author.call(createAsset, { body: { type: 'PROMPT', name: 'Erase me' } })
  expect(again.slug).toBe(slug)
  await server.relayed()
  expect(
    await server.sql(
      `select changed from audit where subject = $1 and operation = 'DELETE /api/studio/assets/deleted/:id'`,
      [id],
    ),
  ).toEqual([{ changed: ['purged'] }])
})

it('refuses an asset that is not deleted, and people who may not delete it', async () => {
  const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
  expect((await purge(author, id)).status).toBe(404)
  expect((await author.call(readAsset, { params: { id } })).id).toBe(id)
  await author.send(removeAsset, { params: { id } })
  const denied = await purge(other, id)
  expect([denied.status, denied.body]).toMatchObject([403, { errorCode: 'ASSET_ACCESS_DENIED' }])
  const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
  expect((await purge(limited, id)).body).toMatchObject({ errorCode: 'PERMISSION_DENIED' })
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect((await purge(stranger, id)).text).toBe((await purge(stranger, newId())).text)
  expect((await author.send(restoreAsset, { params: { id } })).status).toBe(201)
})
