import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import {
  type Entry,
  installEntry,
  readEntry,
  submitEntry,
  withdrawEntry,
} from '#contract/marketplace/entries.ts'
import { listInstalls, updateInstall } from '#contract/marketplace/installs.ts'
import type { Input } from '#contract/operation.ts'
import { readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { listFiles, removeFile } from '#contract/studio/files.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { createVersion, listVersions } from '#contract/studio/versions.ts'
import { defined, firstOf, only } from '#tests/support/elements.ts'
import { approveEntry, makeApprovedEntry } from '#tests/support/marketplace/marketplace.ts'
import { attachFile, emittedEvents } from '#tests/support/studio/assets.ts'
import { addFiles, sha256Of } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let away: Organization
let home: Organization
let author: Person
let user: Person
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  home = await server.organization({ features: ['marketplace'] })
  author = await home.person({ role: 'ADMIN' })
  away = await server.organization({ features: ['marketplace'] })
  user = await away.person()
  operator = await server.operator()
})
// the daily limit of submissions
beforeEach(async () => {
  author = await home.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

type Given = NonNullable<Parameters<typeof makeApprovedEntry>[2]>
type Change = Input<typeof updateAsset>['body']
type Installed = { entry: Entry; installId: string; id: string }

/** A fresh entry and a copy of it. */
async function installed(options: Given = {}, customName?: string): Promise<Installed> {
  const entry = await makeApprovedEntry(operator, author, options)
  const { installId, installedAssetId } = await user.call(installEntry, {
    params: { id: entry.id },
    body: { acknowledgeDisclaimer: true, ...(customName && { customName }) },
  })
  return { entry, installId, id: installedAssetId }
}

/** A newer approved release of the entry with changes of its asset. */
async function released(
  { entry }: Installed,
  body: Change,
  change?: (id: string) => Promise<unknown>,
): Promise<void> {
  const id = defined(entry.assetId)
  await author.call(createVersion, { params: { id }, body: {} })
  if (Object.keys(body).length > 0)
    await author.call(updateAsset, { params: { id }, body: { amend: true, ...body } })
  await change?.(id)
  await author.call(publishAsset, { params: { id } })
  await author.call(submitEntry, { body: { assetId: id, category: 'OTHER', acceptPolicy: true } })
  await approveEntry(operator, author, entry)
}

const update = (installId: string, body: Input<typeof updateInstall>['body'] = {}, person = user) =>
  person.send(updateInstall, { params: { id: installId }, body })
const change = ({ id }: Installed, body: Change) => user.call(updateAsset, { params: { id }, body })
const read = ({ id }: Installed) => user.call(readAsset, { params: { id } })
const filesOf = async ({ id }: Installed) =>
  (await user.call(listFiles, { params: { id, version: 'current' } })).items.map(({ path, sha256 }) => [
    path,
    sha256,
  ])
const versionsOf = async ({ id }: Installed) =>
  (await user.call(listVersions, { params: { id } })).items.map(({ version }) => version)
const lines = (...all: string[]) => all.join('\n')

test('an unchanged copy becomes the release, as a new unpublished version with its number', async () => {
  const copy = await installed({
    asset: { name: 'Before', bodyMarkdown: 'one', frontmatter: { a: 1 }, tags: ['old'], iconName: 'owl' },
    files: [
      ['a.txt', 'a'],
      ['b.txt', 'b'],
    ],
  })
  await user.call(publishAsset, { params: { id: copy.id } })
  await released(
    copy,
    {
      name: 'After',
      description: 'New',
      bodyMarkdown: 'two',
      frontmatter: { b: 2 },
      tags: ['new'],
      iconName: 'cat',
      color: 'blue',
    },
    async id => {
      const { items } = await author.call(listFiles, { params: { id, version: 'current' } })
      await author.call(removeFile, { params: { id, version: 'current', fileId: firstOf(items).id } })
      await addFiles(author, id, [['c.txt', 'c']])
    },
  )
  expect((await user.call(listInstalls)).items[0]).toMatchObject({ updateAvailable: true })
  const { status, body } = await update(copy.installId)
  expect(status).toBe(201)
  expect(body).toEqual({
    installId: copy.installId,
    installedAssetId: copy.id,
    fromVersion: '1.0.0',
    toVersion: '1.0.1',
    version: '1.0.1',
    isMerged: false,
    conflicts: [],
  })
  expect(await read(copy)).toMatchObject({
    name: 'After',
    slug: 'after',
    description: 'New',
    bodyMarkdown: 'two',
    frontmatter: { b: 2 },
    tags: ['new'],
    iconName: 'cat',
    color: 'blue',
    publishedVersion: '1.0.0',
    currentVersion: { version: '1.0.1', publishedAt: null },
  })
  expect(await filesOf(copy)).toEqual([
    ['b.txt', sha256Of('b')],
    ['c.txt', sha256Of('c')],
  ])
  expect((await user.call(listInstalls)).items[0]).toMatchObject({
    installedVersion: '1.0.1',
    updateAvailable: false,
    filesCopied: 2,
    entryName: 'Before',
  })
  expect(await user.call(readEntry, { params: { id: copy.entry.id } })).toMatchObject({
    installed: { installedVersion: '1.0.1', updateAvailable: false },
  })
  const events = await emittedEvents(server, away.id, copy.id)
  expect(
    events
      .slice(-2)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['ai-asset.updated', 'ai-asset.version-created'])
  expect(await update(copy.installId)).toMatchObject({
    status: 409,
    body: { errorCode: 'INSTALL_UP_TO_DATE' },
  })
})

test('edits of different places are both kept', async () => {
  const copy = await installed({
    asset: {
      bodyMarkdown: lines('a', 'b', 'c', 'd'),
      frontmatter: { model: 'm', tools: ['t'] },
      description: 'Does it.',
    },
    files: [['a.txt', 'a']],
  })
  await change(copy, {
    bodyMarkdown: lines('A', 'b', 'c', 'd'),
    frontmatter: { model: 'mine', tools: ['t'] },
  })
  await change(copy, { name: 'My own', tags: ['mine'] })
  await addFiles(user, copy.id, [['mine.txt', 'm']])
  await released(
    copy,
    {
      bodyMarkdown: lines('a', 'b', 'c', 'D'),
      frontmatter: { model: 'm', tools: ['t', 'u'] },
      description: 'Does it well.',
      tags: ['theirs'],
    },
    id => addFiles(author, id, [['new.txt', 'n']]),
  )
  const { body } = await update(copy.installId)
  // 1.0.1 is the local edit
  expect(body).toMatchObject({ version: '1.0.2', toVersion: '1.0.1', isMerged: true, conflicts: [] })
  expect(await read(copy)).toMatchObject({
    name: 'My own',
    bodyMarkdown: lines('A', 'b', 'c', 'D'),
    description: 'Does it well.',
    tags: ['mine'],
    frontmatter: { model: 'mine', tools: ['t', 'u'] },
  })
  expect((await filesOf(copy)).map(([path]) => path)).toEqual(['a.txt', 'mine.txt', 'new.txt'])
  expect(await versionsOf(copy)).toEqual(['1.0.2', '1.0.1', '1.0.0'])
})

test('each update is merged against the last one', async () => {
  const copy = await installed({ asset: { bodyMarkdown: lines('a', 'b', 'c') } })
  await change(copy, { bodyMarkdown: lines('mine', 'a', 'b', 'c') })
  await released(copy, { bodyMarkdown: lines('a', 'b', 'c', 'd') })
  await update(copy.installId)
  await released(copy, { bodyMarkdown: lines('a', 'b', 'd') })
  expect((await update(copy.installId)).body).toMatchObject({ fromVersion: '1.0.1', toVersion: '1.0.2' })
  expect((await read(copy)).bodyMarkdown).toBe(lines('mine', 'a', 'b', 'd'))
})

describe('the same place changed twice', () => {
  let copy: Installed
  beforeAll(async () => {
    copy = await installed({
      asset: { bodyMarkdown: lines('a', 'b', 'c', 'd'), frontmatter: { m: 1 } },
      files: [['f.txt', 'f']],
    })
    await change(copy, { bodyMarkdown: lines('a', 'mine', 'c', 'd'), frontmatter: { m: 2 } })
    const { items } = await user.call(listFiles, { params: { id: copy.id, version: 'current' } })
    await user.call(removeFile, { params: { id: copy.id, version: 'current', fileId: only(items).id } })
    await released(
      copy,
      { bodyMarkdown: lines('a', 'theirs', 'c', 'D'), frontmatter: { m: 3 } },
      async id => {
        const file = only((await author.call(listFiles, { params: { id, version: 'current' } })).items)
        await author.call(removeFile, { params: { id, version: 'current', fileId: file.id } })
        await addFiles(author, id, [['f.txt', 'F']])
      },
    )
  })
  const conflicts = [
    { path: 'bodyMarkdown', base: 'b', yours: 'mine', theirs: 'theirs' },
    { path: 'frontmatter.m', base: '1', yours: '2', theirs: '3' },
    { path: 'files/f.txt', base: sha256Of('f'), yours: null, theirs: sha256Of('F') },
  ]

  test('is a conflict that writes nothing', async () => {
    const before = [
      await read(copy),
      await filesOf(copy),
      await versionsOf(copy),
      await emittedEvents(server, away.id, copy.id),
    ]
    expect(await update(copy.installId)).toMatchObject({
      status: 409,
      body: { errorCode: 'INSTALL_CONFLICT', conflicts },
    })
    expect([
      await read(copy),
      await filesOf(copy),
      await versionsOf(copy),
      await emittedEvents(server, away.id, copy.id),
    ]).toEqual(before)
    expect((await user.call(listInstalls)).items[0]).toMatchObject({ updateAvailable: true })
  })

  test('is reported by a dry run, with the result of a choice', async () => {
    const before = [await read(copy), await versionsOf(copy)]
    expect(await update(copy.installId, { dryRun: true })).toMatchObject({
      status: 200,
      body: { version: null, isMerged: false, conflicts, fromVersion: '1.0.0', toVersion: '1.0.1' },
    })
    expect(await update(copy.installId, { dryRun: true, take: 'yours' })).toMatchObject({
      status: 200,
      body: { version: null, isMerged: true },
    })
    expect(await update(copy.installId, { dryRun: true, take: 'theirs' })).toMatchObject({
      status: 200,
      body: { version: null, isMerged: false },
    })
    expect([await read(copy), await versionsOf(copy)]).toEqual(before)
  })

  test('is resolved in favour of one side, place by place', async () => {
    expect(await update(copy.installId, { take: 'yours' })).toMatchObject({
      status: 201,
      body: { version: '1.0.2', isMerged: true, conflicts },
    })
    expect(await read(copy)).toMatchObject({
      bodyMarkdown: lines('a', 'mine', 'c', 'D'),
      frontmatter: { m: 2 },
    })
    expect(await filesOf(copy)).toEqual([])
  })

  test('or the other way', async () => {
    const other = await installed({ asset: { bodyMarkdown: lines('a', 'b', 'c', 'd') } })
    await change(other, { bodyMarkdown: lines('A', 'b', 'mine', 'd') })
    await released(other, { bodyMarkdown: lines('a', 'b', 'theirs', 'd') })
    expect((await update(other.installId, { take: 'theirs' })).body).toMatchObject({ isMerged: true })
    expect((await read(other)).bodyMarkdown).toBe(lines('A', 'b', 'theirs', 'd'))
  })
})

test('changed files alone create a version with a free number', async () => {
  const copy = await installed({ files: [['a.txt', 'a']] })
  await user.call(createVersion, { params: { id: copy.id }, body: { version: '1.0.1', setCurrent: false } })
  await released(copy, {}, id => addFiles(author, id, [['b.txt', 'b']]))
  expect((await update(copy.installId)).body).toMatchObject({
    toVersion: '1.0.1',
    version: '1.0.2',
    isMerged: false,
  })
  expect((await filesOf(copy)).map(([path]) => path)).toEqual(['a.txt', 'b.txt'])
})

test('a custom name stays and causes no conflict', async () => {
  const copy = await installed({ asset: { name: 'Before', bodyMarkdown: 'one' } }, 'Chosen')
  await released(copy, { name: 'After', bodyMarkdown: 'two' })
  expect((await update(copy.installId)).body).toMatchObject({ isMerged: false })
  expect(await read(copy)).toMatchObject({ name: 'Chosen', slug: 'chosen', bodyMarkdown: 'two' })
})

test('an identical local change creates no version', async () => {
  const copy = await installed({ asset: { bodyMarkdown: 'one' } })
  await change(copy, { bodyMarkdown: 'two' })
  await released(copy, { bodyMarkdown: 'two' })
  const before = await emittedEvents(server, away.id, copy.id)
  expect((await update(copy.installId)).body).toMatchObject({
    version: null,
    isMerged: false,
    toVersion: '1.0.1',
  })
  expect(await versionsOf(copy)).toEqual(['1.0.1', '1.0.0'])
  expect(await emittedEvents(server, away.id, copy.id)).toEqual(before)
  expect((await user.call(listInstalls)).items[0]).toMatchObject({
    installedVersion: '1.0.1',
    updateAvailable: false,
  })
})

test('one of many concurrent updates wins, and the others find nothing to do', async () => {
  const copy = await installed({ asset: { bodyMarkdown: 'one' } })
  await released(copy, { bodyMarkdown: 'two' })
  const answers = await Promise.all(Array.from({ length: 6 }, () => update(copy.installId)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
  expect(
    answers.filter(({ body }) => 'errorCode' in body && body.errorCode === 'INSTALL_UP_TO_DATE'),
  ).toHaveLength(5)
  expect(await versionsOf(copy)).toEqual(['1.0.1', '1.0.0'])
})

describe('it is refused', () => {
  test('for what is not an own install', async () => {
    const copy = await installed()
    await released(copy, { bodyMarkdown: 'two' })
    const unknown = await update('c'.padEnd(25, '0'))
    expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'INSTALL_NOT_FOUND' } })
    for (const person of [author, await away.person(), await away.person({ role: 'ADMIN' })])
      expect(await update(copy.installId, {}, person)).toMatchObject({ status: 404, text: unknown.text })
    const viewer = await away.person({ permissions: ['STUDIO_MARKETPLACE_VIEW'] })
    expect((await update(copy.installId, {}, viewer)).status).toBe(403)
    expect((await update(copy.installId, { take: 'both' as never })).status).toBe(400)
  })

  test('when the copy is deleted, archived or belongs to another person', async () => {
    const [gone, archived, options] = [await installed(), await installed(), await installed()]
    for (const copy of [gone, archived, options]) await released(copy, { bodyMarkdown: 'two' })
    await user.call(removeAsset, { params: { id: gone.id } })
    expect(await update(gone.installId)).toMatchObject({
      status: 404,
      body: { errorCode: 'ASSET_NOT_FOUND' },
    })
    await user.call(archiveAsset, { params: { id: archived.id } })
    expect(await update(archived.installId)).toMatchObject({
      status: 409,
      body: { errorCode: 'ASSET_ARCHIVED' },
    })
    await server.sql(`update asset set author_id = $2, visibility = 'ORGANIZATION' where id = $1`, [
      options.id,
      (await away.person()).id,
    ])
    expect(await update(options.installId)).toMatchObject({
      status: 403,
      body: { errorCode: 'ASSET_ACCESS_DENIED' },
    })
  })

  test('when the entry is withdrawn', async () => {
    const copy = await installed()
    await released(copy, { bodyMarkdown: 'two' })
    await author.call(withdrawEntry, { params: { id: copy.entry.id } })
    expect(await update(copy.installId)).toMatchObject({
      status: 400,
      body: { errorCode: 'ENTRY_NOT_APPROVED' },
    })
  })

  test('when the merged copy exceeds the limit of files', async () => {
    const copy = await installed()
    const version = only((await user.call(listVersions, { params: { id: copy.id } })).items)
    for (let n = 0; n < limits.filesPerVersion; n += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, k) =>
          attachFile(server, user, copy.id, version.id, { path: `mine/${n + k}.txt` }),
        ),
      )
    }
    await released(copy, {}, id => addFiles(author, id, [['one-more.txt', '1']]))
    expect(await update(copy.installId)).toMatchObject({
      status: 413,
      body: { errorCode: 'TOO_MANY_FILES', limit: limits.filesPerVersion },
    })
    await server.sql('delete from asset_file where version_id = $1', [version.id])
    await attachFile(server, user, copy.id, version.id, { path: 'huge', size: limits.versionBytes })
    expect(await update(copy.installId)).toMatchObject({ status: 413, body: { errorCode: 'FILE_TOO_LARGE' } })
    expect(await versionsOf(copy)).toEqual(['1.0.0'])
  })
})
