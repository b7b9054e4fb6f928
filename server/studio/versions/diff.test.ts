import { afterAll, beforeAll, expect, it } from 'vitest'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { createVersion, diffVersions, rollbackVersion } from '#contract/studio/versions.ts'
import { newId } from '#platform/ids.ts'
import { defined } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { attachFile, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'

let { server, organization, author } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author } = await openStudioFixtures())
})
afterAll(() => server.close())

const diff = (id: string, a: string, b: string, person = author) =>
  person.send(diffVersions, { params: { id, a, b } })

it('returns the differences: lines, fields of the front matter, files', async () => {
  const { id, currentVersionId } = await makeAsset(author, {
    description: 'For owls',
    bodyMarkdown: '# Title\n\nOld line\nkept\n',
    frontmatter: { model: 'small', tools: ['a', 'b'], gone: null },
  })
  for (const [path, sha256] of Object.entries({ 'a.md': '1', 'b.md': '2', 'c.md': '3' }))
    await attachFile(server, author, id, currentVersionId, { path, sha256, size: 10 })
  const next = await author.call(createVersion, {
    params: { id },
    body: {
      version: '2.0.0',
      bodyMarkdown: '# Title\n\nNew line\nkept\n',
      copyFiles: false,
      setCurrent: false,
      frontmatter: { model: 'large', tools: ['a'], new: { x: 1 } },
    },
  })
  for (const [path, sha256] of Object.entries({ 'a.md': '1', 'moved.md': '2', 'c.md': '4', 'd.md': '5' }))
    await attachFile(server, author, id, next.id, { path, sha256, size: 20 })

  const { status, body } = await diff(id, 'current', 'latest')
  expect(status).toBe(200)
  expect(body).toEqual({
    from: '1.0.0',
    to: '2.0.0',
    isSame: false,
    description: null,
    bodyMarkdown: {
      added: 1,
      removed: 1,
      isComplete: true,
      hunks: [
        {
          fromLine: 1,
          toLine: 1,
          runs: [
            { kind: 'same', lines: ['# Title', ''] },
            { kind: 'removed', lines: ['Old line'] },
            { kind: 'added', lines: ['New line'] },
            { kind: 'same', lines: ['kept', ''] },
          ],
        },
      ],
    },
    frontmatter: [
      { path: '/model', kind: 'changed', before: 'small', after: 'large' },
      { path: '/tools/1', kind: 'removed', before: 'b' },
      { path: '/gone', kind: 'removed', before: null },
      { path: '/new', kind: 'added', after: { x: 1 } },
    ],
    files: [
      { path: 'c.md', kind: 'changed', previousPath: null, sizeBefore: 10, sizeAfter: 20 },
      { path: 'd.md', kind: 'added', previousPath: null, sizeBefore: null, sizeAfter: 20 },
      { path: 'moved.md', kind: 'renamed', previousPath: 'b.md', sizeBefore: 10, sizeAfter: 20 },
    ],
  })
  const back = (await diff(id, '2.0.0', '1.0.0')).body
  expect(back).toMatchObject({ from: '2.0.0', to: '1.0.0', bodyMarkdown: { added: 1, removed: 1 } })
  expect(back.files.map(({ kind }) => kind)).toEqual(['renamed', 'changed', 'removed'])
})

it('returns nothing for equal parts, also of a version and itself', async () => {
  const { id } = await makeAsset(author, { bodyMarkdown: 'one', frontmatter: { a: 1 } })
  await author.call(createVersion, { params: { id }, body: { description: 'changed' } })
  await author.call(rollbackVersion, { params: { id, version: '1.0.0' }, body: {} })
  const nothing = { isSame: true, description: null, bodyMarkdown: null, frontmatter: [], files: [] }
  expect((await diff(id, '1.0.0', 'current')).body).toEqual({ from: '1.0.0', to: '1.0.2', ...nothing })
  expect((await diff(id, 'latest', 'latest')).body).toEqual({ from: '1.0.2', to: '1.0.2', ...nothing })
  expect((await diff(id, '1.0.1', '1.0.2')).body).toMatchObject({
    isSame: false,
    description: { added: 0, removed: 1, hunks: [{ runs: [{ kind: 'removed', lines: ['changed'] }] }] },
  })
})

it('compares bodies of the maximum length', async () => {
  const body = (mark: string) =>
    Array.from({ length: 12_500 }, (_, n) => `${mark}${n % 97} of ${n}`.padEnd(39)).join('\n')
  const { id } = await makeAsset(author, { bodyMarkdown: body('a') })
  await author.call(createVersion, { params: { id }, body: { bodyMarkdown: body('b') } })
  const { status, body: difference } = await diff(id, '1.0.0', 'current')
  expect([status, defined(difference.bodyMarkdown).added, defined(difference.bodyMarkdown).removed]).toEqual([
    200, 12_500, 12_500,
  ])
})

it('requires STUDIO_VIEW, READ access and two versions of the asset, also when it is archived', async () => {
  const { id } = await makeAsset(author)
  const [reader, stranger] = [await organization.person(), await organization.person()]
  const foreign = await (await server.organization()).person({ role: 'OWNER' })
  const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
  await shareAsset(server, author, id, 'USER', reader.id)
  const unknown = await diff(newId(), '1.0.0', '1.0.0', stranger)
  expect(refusalOf(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
  for (const person of [stranger, foreign])
    for (const version of ['1.0.0', '9.9.9'])
      expect((await diff(id, version, version, person)).text).toBe(unknown.text)
  expect(refusalOf(await diff(id, '1.0.0', '1.0.0', limited))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await diff(id, '1.0.0', '9.9.9', reader))).toEqual([404, 'VERSION_NOT_FOUND'])
  expect(refusalOf(await diff(id, '9.9.9', 'current', reader))).toEqual([404, 'VERSION_NOT_FOUND'])
  expect(refusalOf(await diff(id, 'current', 'x'.repeat(65), reader))).toEqual([400, 'VALIDATION_ERROR'])
  await author.call(archiveAsset, { params: { id } })
  expect((await diff(id, 'current', 'latest', reader)).status).toBe(200)
})
