import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAssets, readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { newId } from '#platform/ids.ts'
import { emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const remove = (person: Person, id: string) => person.send(removeAsset, { params: { id } })

it('hides an asset from everybody immediately', async () => {
  const { id, slug } = await makeAsset(author, { name: 'Short lived', visibility: 'ORGANIZATION' })
  const response = await remove(author, id)
  expect([response.status, response.text]).toEqual([204, ''])
  for (const person of [author, other]) {
    expect((await person.send(readAsset, { params: { id } })).status).toBe(404)
    for (const query of [{}, { search: 'short lived' }, { authorId: author.id }]) {
      const { items, total } = await person.call(listAssets, { query })
      expect([items, total]).toEqual([[], 0])
    }
  }
  expect((await author.send(updateAsset, { params: { id }, body: { name: 'x' } })).status).toBe(404)
  expect((await author.send(useAsset, { params: { id } })).status).toBe(404)
  expect((await remove(author, id)).status).toBe(404)
  expect((await emittedEvents(server, organization.id, id)).at(-1)).toMatchObject({
    name: 'ai-asset.deleted',
    data: { assetId: id, slug },
  })
  // Retained for restoring
  expect(await server.sql('select deleted_at is not null as gone from asset where id = $1', [id])).toEqual([
    { gone: true },
  ])
})

it('also deletes archived assets, and once in concurrent calls', async () => {
  const { id } = await makeAsset(author)
  await author.call(archiveAsset, { params: { id } })
  const responses = await Promise.all(Array.from({ length: 6 }, () => remove(author, id)))
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404])
  const events = await emittedEvents(server, organization.id, id)
  expect(events.filter(({ name }) => name === 'ai-asset.deleted')).toHaveLength(1)
})

it('requires STUDIO_DELETE and ADMIN access', async () => {
  const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
  const denied = await remove(other, id)
  expect([denied.status, denied.body]).toMatchObject([403, { errorCode: 'ASSET_ACCESS_DENIED' }])
  await shareAsset(server, author, id, 'USER', other.id, { level: 'EDIT' })
  expect((await remove(other, id)).status).toBe(403)
  const limited = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
  expect((await remove(limited, id)).body).toMatchObject({ errorCode: 'PERMISSION_DENIED' })
  expect((await remove(other, newId())).status).toBe(404)
  const admin = await organization.person({ role: 'ADMIN' })
  expect((await remove(admin, id)).status).toBe(204)
})
