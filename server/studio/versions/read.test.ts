import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { createVersion, listVersions, readVersion } from '#contract/studio/versions.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#tests/support/elements.ts'
import { openPlans } from '#tests/support/plans.ts'
import { scattered } from '#tests/support/random.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertMany } from '#tests/support/rows.ts'
import { attachFile, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import { nextVersion } from './version.sql.ts'
import { versionDetail, versionsPage } from './version-history.sql.ts'

let { server, organization, author, other } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other } = await openStudioFixtures())
})
afterAll(() => server.close())

const list = (id: string, query = {}, person = author) =>
  person.send(listVersions, { params: { id }, query: query as { limit?: number; offset?: number } })
const read = (id: string, version: string, person = author) =>
  person.send(readVersion, { params: { id, version } })
const add = (id: string, body = {}, person = author) => person.call(createVersion, { params: { id }, body })

/** An asset with the versions 1.0.0, 1.0.1, 1.1.0 (active) and 3.0.0-beta.1 (the highest). */
async function withHistory() {
  const { id, currentVersionId } = await makeAsset(author, {
    name: `History ${newId()}`,
    description: 'first',
    bodyMarkdown: 'one',
    frontmatter: { z: 1, a: [2] },
  })
  const publisher = await organization.person()
  await shareAsset(server, author, id, 'USER', publisher.id, { level: 'EDIT' })
  await publisher.call(publishAsset, { params: { id } })
  await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'two', changelog: 'Better' } })
  await add(id, { version: '3.0.0-beta.1', description: 'far', setCurrent: false })
  const active = await add(id, { bump: 'minor', bodyMarkdown: 'three' }, publisher)
  await attachFile(server, author, id, active.id, { path: 'a', size: 5 })
  await attachFile(server, author, id, active.id, { path: 'b', size: 3_000_000_000 })
  return { id, publisher, firstId: currentVersionId, active }
}

describe('GET /assets/:id/versions', () => {
  it('lists the history, newest first, without content', async () => {
    const { id, publisher, firstId, active } = await withHistory()
    const { status, body } = await list(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 4, limit: limits.pageLimitDefault, offset: 0 })
    expect(body.items.map(({ version, isCurrent }) => [version, isCurrent])).toEqual([
      ['1.1.0', true],
      ['3.0.0-beta.1', false],
      ['1.0.1', false],
      ['1.0.0', false],
    ])
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(body.items[3]).toEqual({
      id: firstId,
      assetId: id,
      version: '1.0.0',
      changelog: null,
      description: 'first',
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      filesCount: 0,
      totalBytes: 0,
      isCurrent: false,
      createdBy: { id: author.id, name: author.name },
      createdAt: time,
      publishedAt: time,
      publishedBy: { id: publisher.id, name: publisher.name },
      restoredFrom: null,
    })
    expect(body.items[2]).toMatchObject({ changelog: 'Better', publishedAt: null, publishedBy: null })
    expect(body.items[0]).toMatchObject({ id: active.id, filesCount: 2, totalBytes: 3_000_000_005 })
    expect(firstOf(body.items).createdBy).toEqual({ id: publisher.id, name: publisher.name })
  })

  it('paginates', async () => {
    const { id } = await makeAsset(author)
    for (let n = 0; n < 6; n++) await add(id)
    const pages = await Promise.all([0, 3, 6, 7, 10_000].map(offset => list(id, { limit: 3, offset })))
    expect(pages.map(({ body }) => [body.total, body.items.map(({ version }) => version).join()])).toEqual([
      [7, '1.0.6,1.0.5,1.0.4'],
      [7, '1.0.3,1.0.2,1.0.1'],
      [7, '1.0.0'],
      [7, ''],
      [7, ''],
    ])
    for (const query of [{ limit: 101 }, { limit: 0 }, { offset: -1 }, { offset: limits.pageOffset + 1 }])
      expect(refusalOf(await list(id, query))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('requires STUDIO_VIEW and READ access, also for archived assets', async () => {
    const { id } = await makeAsset(author)
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await list(id, {}, limited))).toEqual([403, 'PERMISSION_DENIED'])
    const unknown = await list(newId(), {}, other)
    expect(refusalOf(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
    for (const person of [other, stranger]) expect((await list(id, {}, person)).text).toBe(unknown.text)
    await shareAsset(server, author, id, 'USER', other.id)
    await author.call(archiveAsset, { params: { id } })
    expect((await list(id, {}, other)).body.total).toBe(1)
    await author.call(removeAsset, { params: { id } })
    expect(refusalOf(await list(id))).toEqual([404, 'ASSET_NOT_FOUND'])
  })

  it('keeps the names of former members', async () => {
    const editor = await organization.person({ name: 'Someone' })
    const { id } = await makeAsset(author)
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    await add(id, {}, editor)
    await server.sql('update asset_version set created_by = $1 where created_by = $2', ['nobody', editor.id])
    expect(firstOf((await list(id)).body.items).createdBy).toEqual({ id: 'nobody', name: '' })
  })
})

describe('GET /assets/:id/versions/:version', () => {
  it('returns a version by its number, the active one and the highest one', async () => {
    const { id, active } = await withHistory()
    const { status, body } = await read(id, '1.0.0')
    expect(status).toBe(200)
    expect(body).toMatchObject({ description: 'first', bodyMarkdown: 'one', frontmatter: { z: 1, a: [2] } })
    expect(Object.keys(body.frontmatter)).toEqual(['z', 'a'])
    expect((await read(id, 'current')).body).toMatchObject({ id: active.id, version: '1.1.0', filesCount: 2 })
    expect((await read(id, 'latest')).body).toMatchObject({ version: '3.0.0-beta.1', isCurrent: false })
    const listed = (await list(id)).body.items.find(({ version }) => version === '1.0.0')
    const { bodyMarkdown: _, frontmatter: __, frontmatterText, ...item } = body
    expect(frontmatterText).toBe('z: 1\na:\n  - 2\n')
    expect(item).toEqual(listed)
  })

  it('orders by precedence, not by age or alphabetically', async () => {
    const { id } = await makeAsset(author, { version: '1.9.0' })
    for (const version of ['1.10.0-rc.2', '1.10.0-rc.10', '1.2.0']) {
      await add(id, { version })
    }
    expect((await read(id, 'latest')).body.version).toBe('1.10.0-rc.10')
    await add(id, { version: '1.10.0' })
    await add(id, { version: '1.10.0-rc.11' })
    expect((await read(id, 'latest')).body.version).toBe('1.10.0')
    expect((await read(id, 'current')).body.version).toBe('1.10.0-rc.11')
  })

  it('rejects anything that is not a version of this asset', async () => {
    const { id } = await makeAsset(author)
    const foreign = await makeAsset(author, { version: '7.7.7' })
    for (const version of [
      '7.7.7',
      '1.0',
      'v1.0.0',
      '1.0.0 ',
      'CURRENT',
      'Latest',
      foreign.currentVersionId,
      "'",
    ])
      expect(refusalOf(await read(id, version)), version).toEqual([404, 'VERSION_NOT_FOUND'])
    expect(refusalOf(await read(id, 'x'.repeat(65)))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('requires STUDIO_VIEW and READ access', async () => {
    const { id } = await makeAsset(author)
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await read(id, 'current', limited))).toEqual([403, 'PERMISSION_DENIED'])
    const unknown = await read(newId(), 'current', other)
    expect(refusalOf(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
    for (const version of ['current', '9.9.9'])
      for (const person of [other, stranger])
        expect((await read(id, version, person)).text).toBe(unknown.text)
    await shareAsset(server, author, id, 'USER', other.id)
    expect((await read(id, 'current', other)).status).toBe(200)
  })
})

it('reads as few rows of a history of 1,000 versions as of a short one', async () => {
  const [short, long] = [await makeAsset(author), await makeAsset(author)]
  await insertMany(server, 'asset_version', 1_000, n => ({
    organization_id: organization.id,
    asset_id: long.id,
    id: `${long.id}${n}`,
    version: `1.0.${n}`,
    ordinal: n + 1,
    precedence: `00000000010000000000${String(n).padStart(10, '0')}~`,
    body_markdown: scattered(n).repeat(300),
    created_by: author.id,
  }))
  await server.sql('analyze asset_version')
  expect((await list(long.id, { limit: 1, offset: 900 })).body).toMatchObject({
    total: 1_001,
    items: [{ version: '1.0.100' }],
  })
  expect((await read(long.id, 'latest')).body.version).toBe('1.0.1000')
  expect((await author.call(createVersion, { params: { id: long.id }, body: {} })).version).toBe('1.0.1001')

  const reader = {
    personId: author.id,
    isAdministrator: false,
    departmentIds: [],
    workspaceIds: [],
    groupIds: [],
  }
  const plans = await openPlans(server.config.databaseUrl, ['force_custom_plan', 'force_generic_plan'])
  try {
    // names and files are looked up for each version of a page
    const reads: [read: (db: Tx, id: string) => Promise<unknown>, most: number][] = [
      [(db, id) => versionsPage(db, reader, id, 20, 0), 250],
      [(db, id) => versionsPage(db, reader, id, 20, 900), 250],
      [(db, id) => versionDetail(db, reader, id, 'latest'), 20],
      [(db, id) => nextVersion(db, id, '1.0.0'), 20],
    ]
    for (const [read, most] of reads) {
      const blocks = (id: string) => plans.blocksOf(organization.id, db => read(db, id))
      expect((await blocks(long.id)) - (await blocks(short.id))).toBeLessThan(most)
    }
  } finally {
    await plans.close()
  }
})
