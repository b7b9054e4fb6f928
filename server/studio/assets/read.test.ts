import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAsset, readAssetBySlug, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { newId } from '#platform/ids.ts'
import { makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const bySlug = (person: Person, slug: string) => person.send(readAssetBySlug, { params: { slug } })

describe('GET /assets/:id', () => {
  it('returns the same 404 for an asset that is foreign, unreadable, deleted or unknown', async () => {
    const [secret, gone] = [await makeAsset(author), await makeAsset(author, { visibility: 'ORGANIZATION' })]
    await author.call(removeAsset, { params: { id: gone.id } })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const open = await makeAsset(author, { visibility: 'MARKETPLACE' })
    const texts = [
      await other.send(readAsset, { params: { id: secret.id } }),
      await other.send(readAsset, { params: { id: gone.id } }),
      await other.send(readAsset, { params: { id: newId() } }),
      await stranger.send(readAsset, { params: { id: open.id } }),
    ].map(({ status, text }) => `${status} ${text}`)
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^404 .*ASSET_NOT_FOUND/)
  })

  it('requires STUDIO_VIEW', async () => {
    const limited = await organization.person({ permissions: ['STUDIO_CREATE'] })
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const { status, body } = await limited.send(readAsset, { params: { id } })
    expect([status, body]).toEqual([403, expect.objectContaining({ errorCode: 'PERMISSION_DENIED' })])
  })
})

describe('GET /assets/by-slug/:slug', () => {
  it('returns the asset for its slug and redirects former slugs', async () => {
    const { id, slug } = await makeAsset(author, { name: 'First name', visibility: 'ORGANIZATION' })
    const resolved = await bySlug(other, slug)
    expect([resolved.status, resolved.body.id]).toEqual([200, id])
    expect(resolved.body).toEqual(await other.call(readAsset, { params: { id } }))

    for (const name of ['Second name', 'Third name'])
      await author.call(updateAsset, { params: { id }, body: { name } })
    for (const former of ['first-name', 'second-name']) {
      const moved = await bySlug(other, former)
      expect([moved.status, moved.headers.get('location')]).toEqual([
        301,
        '/api/studio/assets/by-slug/third-name',
      ])
      expect(moved.headers.get('cache-control')).toBe('no-store')
    }
    const followed = await fetch(`${server.url}/api/studio/assets/by-slug/first-name`, {
      headers: { Authorization: `Bearer ${other.token}` },
    })
    expect([followed.status, ((await followed.json()) as { slug: string }).slug]).toEqual([200, 'third-name'])
  })

  it('does not reveal the target of a former slug without read access', async () => {
    const { id } = await makeAsset(author, { name: 'Hidden before' })
    await author.call(updateAsset, { params: { id }, body: { name: 'Hidden now' } })
    const unknown = await bySlug(other, 'no-such-slug')
    for (const slug of ['hidden-before', 'hidden-now']) {
      const { status, text, headers } = await bySlug(other, slug)
      expect([status, text, headers.get('location')]).toEqual([404, unknown.text, null])
    }
    await shareAsset(server, author, id, 'USER', other.id)
    expect([
      (await bySlug(other, 'hidden-before')).status,
      (await bySlug(other, 'hidden-now')).status,
    ]).toEqual([301, 200])
  })

  it('returns 404 for any text that matches no slug', async () => {
    for (const slug of ['x', 'X', 'x'.repeat(64), 'a b', '%', 'ñ', '../x']) {
      expect((await bySlug(other, slug)).status, slug).toBe(404)
    }
  })

  it('keeps the slug of a deleted asset reserved and returns 404 for it', async () => {
    const { id, slug } = await makeAsset(author, { name: 'Gone', visibility: 'ORGANIZATION' })
    await author.call(removeAsset, { params: { id } })
    expect((await bySlug(author, slug)).status).toBe(404)
    expect((await makeAsset(author, { name: 'Gone' })).slug).toBe('gone-2')
  })
})
