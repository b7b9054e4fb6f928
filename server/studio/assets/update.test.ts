import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input } from '#contract/operation.ts'
import { readAsset, readAssetBySlug, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset, verifyAsset } from '#contract/studio/lifecycle.ts'
import { createVersion, rollbackVersion } from '#contract/studio/versions.ts'
import { exactly, lastOf } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { attachFile, emittedEvents, makeAsset, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

type Body = Input<typeof updateAsset>['body']
const patch = (id: string, body: Body, person = author) => person.send(updateAsset, { params: { id }, body })
const names = async (id: string) => (await emittedEvents(server, organization.id, id)).map(({ name }) => name)
const versions = (id: string) =>
  server.sql<{ version: string; published: boolean; body_markdown: string; changelog: string | null }>(
    `select version, published_at is not null as published, body_markdown, changelog from asset_version
     where asset_id = $1 order by created_at, id`,
    [id],
  )

describe('PATCH /assets/:id', () => {
  it('changes the given fields only', async () => {
    const admin = await organization.person({ role: 'ADMIN' })
    const department = await makeUnit('DEPARTMENT', admin)
    const { id } = await makeAsset(author, { name: 'Before', iconName: 'a', color: 'b', tags: ['x'] })
    const before = await author.call(readAsset, { params: { id } })
    const given = { iconName: 'owl', color: null, tags: ['New', 'new'], visibility: 'DEPARTMENT' as const }
    const { status, body } = await patch(id, { ...given, departments: [department] })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...given,
      departments: [department],
      tags: ['new'],
      updatedAt: expect.any(String),
    })
    expect(body.updatedAt > before.updatedAt).toBe(true)
    expect(body).toEqual(await author.call(readAsset, { params: { id } }))
    const [, updated] = await emittedEvents(server, organization.id, id)
    expect(updated).toEqual({
      name: 'ai-asset.updated',
      actor_id: author.id,
      data: {
        assetId: id,
        slug: 'before',
        changes: ['iconName', 'color', 'tags', 'visibility', 'departments'],
      },
    })
    const [audit] = await server.sql(
      'select operation, changed from audit where subject = $1 order by seq desc limit 1',
      [id],
    )
    expect(audit).toEqual({
      operation: 'PATCH /api/studio/assets/:id',
      changed: ['iconName', 'color', 'tags', 'visibility', 'departments'],
    })
  })

  it('writes nothing and emits no event without changes', async () => {
    const { id } = await makeAsset(author, {
      name: 'Still',
      bodyMarkdown: 'b',
      frontmatter: { a: 1, b: 2 },
      tags: ['x'],
    })
    const before = await author.call(readAsset, { params: { id } })
    for (const body of [
      {},
      { name: 'Still', tags: ['X '] },
      { bodyMarkdown: 'b', frontmatter: { b: 2, a: 1 } },
      { amend: true },
    ]) {
      expect(await patch(id, body)).toMatchObject({ status: 200, body: before })
    }
    expect(await versions(id)).toHaveLength(1)
    expect(await names(id)).toEqual(['ai-asset.created'])
  })

  it('creates the next patch version for a change of content', async () => {
    const { id } = await makeAsset(author, { name: 'Content', bodyMarkdown: 'one', version: '1.4.9' })
    await author.call(publishAsset, { params: { id } })
    const { body } = await patch(id, { bodyMarkdown: 'two', changelog: 'Better' })
    expect(body).toMatchObject({
      bodyMarkdown: 'two',
      version: '1.4.10',
      status: 'PUBLISHED',
      publishedVersion: '1.4.9',
      currentVersion: { version: '1.4.10', publishedAt: null },
    })
    expect(await versions(id)).toEqual([
      { version: '1.4.9', published: true, body_markdown: 'one', changelog: null },
      { version: '1.4.10', published: false, body_markdown: 'two', changelog: 'Better' },
    ])
    const events = await emittedEvents(server, organization.id, id)
    expect(events.slice(-2).map(({ name, data }) => [name, data.changes ?? data.version])).toEqual([
      ['ai-asset.updated', ['bodyMarkdown', 'version']],
      ['ai-asset.version-created', '1.4.10'],
    ])
    for (const change of [{ description: 'd' }, { frontmatter: { a: 1 } }]) {
      expect((await patch(id, change)).body.version).not.toBe('1.4.10')
    }
    expect((await author.call(readAsset, { params: { id } })).version).toBe('1.4.12')
  })

  it('skips version numbers that exist', async () => {
    const { id } = await makeAsset(author, { name: 'Numbers' })
    for (const version of ['1.0.25', '1.0.3', '1.1.0', '2.0.0'])
      await author.call(createVersion, { params: { id }, body: { version, setCurrent: false } })
    expect((await patch(id, { bodyMarkdown: 'x' })).body.version).toBe('1.0.26')
  })

  it('shares the attachments by reference and keeps the text of equal front matter', async () => {
    const frontmatter = { z: 1, a: 2 }
    const { id, currentVersionId } = await makeAsset(author, { frontmatter })
    const frontmatterText = 'z: 1 # first\na: 2\n'
    await server.sql('update asset_version set frontmatter_text = $1 where id = $2', [
      frontmatterText,
      currentVersionId,
    ])
    await attachFile(server, author, id, currentVersionId, { path: 'a/b', sha256: 's1', size: 7 })
    await attachFile(server, author, id, currentVersionId, { path: 'c', sha256: 's2', size: 8 })
    const storedText = async () =>
      server.sql(
        `select v.version, v.frontmatter_text as text, json_agg(f.path || ' ' || f.sha256 order by f.path) as files
         from asset_version v left join asset_file f on f.organization_id = v.organization_id and f.version_id = v.id
         where v.asset_id = $1 group by v.id, v.version, v.frontmatter_text, v.ordinal order by v.ordinal`,
        [id],
      )
    const files = ['a/b s1', 'c s2']
    await patch(id, { bodyMarkdown: 'new', frontmatter: { a: 2, z: 1 } })
    await patch(id, { description: 'new', amend: true })
    const original = { text: frontmatterText, files }
    expect(await storedText()).toEqual([
      { version: '1.0.0', ...original },
      { version: '1.0.1', ...original },
    ])
    expect(Object.keys((await author.call(readAsset, { params: { id } })).frontmatter)).toEqual(['z', 'a'])
    await patch(id, { frontmatter: { z: 1, a: 3 } })
    expect((await storedText()).at(-1)).toEqual({ version: '1.0.2', text: null, files })
    await author.call(rollbackVersion, { params: { id, version: '1.0.1' }, body: {} })
    await patch(id, { frontmatter: {}, amend: true })
    expect((await storedText()).at(-1)).toEqual({ version: '1.0.3', text: null, files })
  })

  it('amends an unpublished version in place, and never a published one', async () => {
    const { id, currentVersionId } = await makeAsset(author, { name: 'Amended', bodyMarkdown: 'one' })
    const amended = await patch(id, { bodyMarkdown: 'two', amend: true })
    expect(amended.body).toMatchObject({ bodyMarkdown: 'two', version: '1.0.0', currentVersionId })
    expect(await names(id)).toEqual(['ai-asset.created', 'ai-asset.updated'])
    await author.call(publishAsset, { params: { id } })
    const next = await patch(id, { bodyMarkdown: 'three', amend: true })
    expect(next.body).toMatchObject({ bodyMarkdown: 'three', version: '1.0.1' })
    expect((await versions(id)).map(({ body_markdown }) => body_markdown)).toEqual(['two', 'three'])
  })

  it('removes the verification when another version becomes active', async () => {
    const admin = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_VERIFY'] })
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    await admin.call(verifyAsset, { params: { id } })
    expect((await patch(id, { tags: ['a'] })).body.verified).toBe(true)
    expect((await patch(id, { bodyMarkdown: 'new' })).body.verified).toBe(false)
  })

  it('removes the verification of a rewritten version', async () => {
    const verifier = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_VERIFY'] })
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION', bodyMarkdown: 'one' })
    await verifier.call(verifyAsset, { params: { id } })
    expect((await patch(id, { bodyMarkdown: 'one', amend: true })).body.verified).toBe(true)
    expect((await patch(id, { bodyMarkdown: 'two', amend: true })).body.verified).toBe(false)
    const changes = lastOf(await emittedEvents(server, organization.id, id)).data.changes
    expect(changes).toEqual(['bodyMarkdown', 'verified'])
    // The old content does not restore the verification
    expect((await patch(id, { bodyMarkdown: 'one', amend: true })).body.verified).toBe(false)
    expect((await verifier.call(verifyAsset, { params: { id } })).verifiedVersion).toBe('1.0.0')
    expect((await author.call(readAsset, { params: { id } })).verified).toBe(true)
  })

  it('derives a new slug from a new name and keeps the old ones', async () => {
    const { id } = await makeAsset(author, { name: 'One' })
    expect((await patch(id, { name: 'Two' })).body.slug).toBe('two')
    expect((await patch(id, { name: 'TWO!' })).body.slug).toBe('two')
    expect((await patch(id, { name: 'One' })).body.slug).toBe('one')
    expect((await makeAsset(author, { name: 'Two' })).slug).toBe('two-2')
    expect((await author.send(readAssetBySlug, { params: { slug: 'two' } })).status).toBe(301)
    expect((await author.send(readAssetBySlug, { params: { slug: 'one' } })).status).toBe(200)
  })

  it('accepts a slug unless another asset has or had it', async () => {
    const taken = await makeAsset(author, { name: 'Taken' })
    await patch(taken.id, { name: 'Taken otherwise' })
    const { id } = await makeAsset(author, { name: 'Asking' })
    const name = 'Refused'
    for (const slug of ['taken', 'taken-otherwise']) {
      expect(refusalOf(await patch(id, { slug, name }))).toEqual([409, 'SLUG_CONFLICT'])
    }
    expect((await author.call(readAsset, { params: { id } })).name).toBe('Asking')
    expect((await patch(id, { slug: 'own-2', name })).body).toMatchObject({ slug: 'own-2', name: 'Refused' })
    expect((await patch(id, { slug: 'asking' })).body.slug).toBe('asking')
    for (const slug of ['', 'A', 'a--b', '-a', 'a-', 'a_b', 'ñ', 'x'.repeat(65)]) {
      expect(refusalOf(await patch(id, { slug })), slug).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it.each([
    ['an unknown field', { status: 'PUBLISHED' }],
    ['another type', { type: 'SKILL' }],
    ['collections', { collectionIds: [] }],
    ['a version', { version: '2.0.0' }],
    ['a name that is null', { name: null }],
    ['a blank name', { name: '  ' }],
    ['front matter that is a list', { frontmatter: [1] }],
    ['a visibility that is null', { visibility: null }],
    ['an invalid time', { expectedUpdatedAt: 'yesterday' }],
    ['amend as text', { amend: 'true' }],
    ['a description of 4001', { description: 'x'.repeat(4_001) }],
  ])('rejects %s', async (_, body) => {
    const { id } = await makeAsset(author)
    expect(refusalOf(await patch(id, body as never))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('rejects a change of an outdated asset; one of many concurrent changes succeeds', async () => {
    const { id } = await makeAsset(author, { name: 'Contended' })
    const { updatedAt } = await author.call(readAsset, { params: { id } })
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        patch(id, { tags: [`t${n}`], bodyMarkdown: `${n}`, expectedUpdatedAt: updatedAt }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = responses.filter(({ status }) => status !== 200).map(refusalOf)
    expect(refused).toEqual(Array(11).fill([409, 'ASSET_UPDATE_CONFLICT']))
    expect((await author.call(readAsset, { params: { id } })).version).toBe('1.0.1')
    const now = (await author.call(readAsset, { params: { id } })).updatedAt
    const offset = now.replace('Z', '+00:00')
    expect((await patch(id, { tags: [], expectedUpdatedAt: offset })).status).toBe(200)
  })

  it('creates a version for each of many concurrent changes', async () => {
    const { id } = await makeAsset(author, { name: 'Many' })
    await Promise.all(Array.from({ length: 8 }, (_, n) => patch(id, { bodyMarkdown: `body ${n}` })))
    expect((await versions(id)).map(({ version }) => version).sort()).toEqual(
      Array.from({ length: 9 }, (_, n) => `1.0.${n}`).sort(),
    )
  })

  it('rejects archived assets', async () => {
    const { id } = await makeAsset(author)
    await author.call(archiveAsset, { params: { id } })
    expect(refusalOf(await patch(id, { tags: [] }))).toEqual([409, 'ASSET_ARCHIVED'])
  })

  it('requires EDIT access, and ADMIN access to change who may read', async () => {
    const [reader, editor, admin, stranger] = exactly(
      4,
      await Promise.all(Array.from({ length: 4 }, () => organization.person())),
    )
    const { id } = await makeAsset(author)
    await shareAsset(server, author, id, 'USER', reader.id, { level: 'READ' })
    await shareAsset(server, author, id, 'USER', editor.id, { level: 'EDIT' })
    await shareAsset(server, author, id, 'USER', admin.id, { level: 'ADMIN' })
    const change = { tags: ['z'] }
    const opening = { visibility: 'ORGANIZATION' as const }
    expect(refusalOf(await patch(id, change, stranger))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect(refusalOf(await patch(id, change, reader))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect((await patch(id, change, editor)).status).toBe(200)
    expect(refusalOf(await patch(id, opening, editor))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect(refusalOf(await patch(id, { departments: [] }, editor))).toEqual([403, 'ASSET_ACCESS_DENIED'])
    expect((await patch(id, opening, admin)).status).toBe(200)
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await patch(id, change, viewer))).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('rejects departments of other organizations', async () => {
    const { id } = await makeAsset(author)
    expect(refusalOf(await patch(id, { departments: ['nowhere'] }))).toEqual([400, 'DEPARTMENT_UNKNOWN'])
  })
})

describe('front matter as YAML (AST-45)', () => {
  const written = 'argument-hint: "[team]" # shown by tools\nmodel: sonnet\nversion: 1.10\n'

  it('is stored with its comments, and read back as fields', async () => {
    const { id } = await makeAsset(author, { type: 'COMMAND', frontmatter: { model: 'opus' } })
    expect(await author.call(readAsset, { params: { id } })).toMatchObject({
      frontmatterText: 'model: opus\n',
    })
    const { status, body } = await patch(id, { frontmatterText: written })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      version: '1.0.1',
      frontmatter: { 'argument-hint': '[team]', model: 'sonnet', version: '1.10' },
      frontmatterText: written,
    })
    // the same text, with or without other changes, is no change of the front matter
    expect((await patch(id, { frontmatterText: written })).body.version).toBe('1.0.1')
    expect((await patch(id, { bodyMarkdown: 'x' })).body).toMatchObject({ frontmatterText: written })
    const respelled = await patch(id, { frontmatterText: written.replace('shown', 'read') })
    expect(respelled.body).toMatchObject({ version: '1.0.3', frontmatter: body.frontmatter })
    expect(respelled.body.frontmatterText).toContain('# read by tools')
    const version = await author.call(createVersion, {
      params: { id },
      body: { bump: 'minor', frontmatterText: 'a: 1 # one' },
    })
    expect(version).toMatchObject({ frontmatter: { a: 1 }, frontmatterText: 'a: 1 # one\n' })
  })

  it('of a plugin has no comments, because its manifests have none', async () => {
    const { id } = await makeAsset(author, { type: 'PLUGIN' })
    const { body } = await patch(id, { frontmatterText: 'license: MIT # free\n' })
    expect(body).toMatchObject({ frontmatter: { license: 'MIT' }, frontmatterText: 'license: MIT\n' })
  })

  it.each(['a: &x 1', 'a: [', '- a', '__proto__: 1'])(
    'is refused if an import would refuse it: %s',
    async text => {
      const { id } = await makeAsset(author)
      expect(refusalOf(await patch(id, { frontmatterText: text }))).toEqual([400, 'VALIDATION_ERROR'])
      expect((await author.call(readAsset, { params: { id } })).version).toBe('1.0.0')
    },
  )
})
