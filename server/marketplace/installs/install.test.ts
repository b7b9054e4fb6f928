import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { type Entry, installEntry, readEntry, withdrawEntry } from '#contract/marketplace/entries.ts'
import { listInstalls } from '#contract/marketplace/installs.ts'
import { readSubmission, rejectSubmission } from '#contract/marketplace/review-queue.ts'
import { readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { listFiles } from '#contract/studio/files.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { listVersions } from '#contract/studio/versions.ts'
import { blocked } from '#tests/support/blocked.ts'
import { defined, firstOf, only } from '#tests/support/elements.ts'
import { makeApprovedEntry, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { emittedEvents } from '#tests/support/studio/assets.ts'
import { sha256Of, stored } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let home: Organization
let away: Organization
let author: Person
let user: Person
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  home = await server.organization({ name: 'Home of authors', features: ['marketplace'] })
  away = await server.organization({ features: ['marketplace'] })
  author = await home.person({ role: 'ADMIN' })
  user = await away.person()
  operator = await server.operator()
})
// the daily limit of submissions
beforeEach(async () => {
  author = await home.person({ role: 'ADMIN' })
})
afterAll(() => server.close())

type Body = { acknowledgeDisclaimer?: unknown; customName?: string }
const install = (person: Person, id: string, body: Body = {}) =>
  person.send(installEntry, { params: { id }, body: { acknowledgeDisclaimer: true, ...body } as never })
const counts = async (entryId: string) =>
  only(
    await server.sql<{ install_count: number; recent_installers: number; popularity: number }>(
      'select install_count, recent_installers, popularity from market_listing where entry_id = $1',
      [entryId],
    ),
  )
const copies = async () =>
  only(
    await server.sql<{ n: number }>('select count(*)::int as n from asset where organization_id = $1', [
      away.id,
    ]),
  ).n

describe('an installed copy', () => {
  let entry: Entry
  beforeAll(async () => {
    entry = await makeApprovedEntry(operator, author, {
      asset: {
        type: 'SKILL',
        name: 'Weekly report',
        description: 'Writes it.',
        bodyMarkdown: 'Write.',
        version: '2.1.0',
        frontmatter: { z: 1, a: [2] },
        tags: ['x'],
        iconName: 'owl',
        color: 'red',
      },
      files: [
        ['references/how.md', 'How.'],
        ['scripts/run.sh', 'echo'],
      ],
    })
  })

  test('is a private draft with the content, version and attachments of the release, without copying bytes', async () => {
    const objects = stored(server).objects
    const { status, body } = await install(user, entry.id)
    expect(status).toBe(201)
    expect(body).toEqual({
      installId: expect.any(String),
      installedAssetId: expect.any(String),
      installedVersion: '2.1.0',
      filesCopied: 2,
      filesFailed: 0,
    })
    const params = { id: body.installedAssetId }
    expect(await user.call(readAsset, { params })).toMatchObject({
      name: 'Weekly report',
      slug: 'weekly-report',
      type: 'SKILL',
      status: 'DRAFT',
      visibility: 'PRIVATE',
      description: 'Writes it.',
      bodyMarkdown: 'Write.',
      frontmatter: { z: 1, a: [2] },
      tags: ['x'],
      iconName: 'owl',
      color: 'red',
      author: { id: user.id },
      usageCount: 0,
      publishedVersion: null,
      currentVersion: { version: '2.1.0', publishedAt: null },
    })
    const { items } = await user.call(listFiles, { params: { ...params, version: 'current' } })
    expect(items.map(({ path, sha256, createdBy }) => [path, sha256, createdBy.id])).toEqual([
      ['references/how.md', sha256Of('How.'), user.id],
      ['scripts/run.sh', sha256Of('echo'), user.id],
    ])
    expect(stored(server).objects).toEqual(objects)
    const colleague = await away.person()
    expect((await colleague.send(readAsset, { params })).status).toBe(404)
    expect(await emittedEvents(server, away.id, body.installedAssetId)).toMatchObject([
      { name: 'ai-asset.created', actor_id: user.id },
    ])
  })

  test('takes another name, and a free slug', async () => {
    const { body } = await install(user, entry.id, { customName: '  Mine  ' })
    expect(await user.call(readAsset, { params: { id: body.installedAssetId } })).toMatchObject({
      name: 'Mine',
      slug: 'mine',
    })
    const again = (await install(user, entry.id)).body
    expect((await user.call(readAsset, { params: { id: again.installedAssetId } })).slug).toBe(
      'weekly-report-2',
    )
  })

  test('does not change when its source changes or is deleted', async () => {
    const own = await makeApprovedEntry(operator, author, { asset: { bodyMarkdown: 'First.' } })
    const { body } = await install(user, own.id)
    const params = { id: defined(own.assetId) }
    await author.call(updateAsset, { params, body: { bodyMarkdown: 'Second.' } })
    await author.call(publishAsset, { params })
    const copy = { id: body.installedAssetId }
    expect((await user.call(readAsset, { params: copy })).bodyMarkdown).toBe('First.')
    // entries that are not approved cannot be installed
    const later = (await install(user, own.id)).body
    expect((await user.call(readAsset, { params: { id: later.installedAssetId } })).bodyMarkdown).toBe(
      'First.',
    )
    await author.call(removeAsset, { params })
    expect((await user.call(readAsset, { params: copy })).bodyMarkdown).toBe('First.')
    // the entry is withdrawn with its asset
    expect(await install(user, own.id)).toMatchObject({
      status: 400,
      body: { errorCode: 'ENTRY_NOT_APPROVED' },
    })
  })

  test('leaves out a file whose bytes are lost, and says so', async () => {
    const lost = 'Lost bytes.'
    const { id } = await makeApprovedEntry(operator, author, {
      files: [
        ['kept.txt', 'Kept bytes.'],
        ['lost.txt', lost],
      ],
    })
    await server.sql('delete from file_object where sha256 = $1', [sha256Of(lost)])
    const { body } = await install(user, id)
    expect(body).toMatchObject({ filesCopied: 1, filesFailed: 1 })
    const { items } = await user.call(listFiles, {
      params: { id: body.installedAssetId, version: 'current' },
    })
    expect(items.map(({ path }) => path)).toEqual(['kept.txt'])
  })

  test('has the version and audit entry of a created asset', async () => {
    const { body } = await install(user, entry.id)
    const { items } = await user.call(listVersions, { params: { id: body.installedAssetId } })
    expect(items).toMatchObject([{ version: '2.1.0', createdBy: { id: user.id }, filesCount: 2 }])
    await server.relayed()
    expect(
      await server.sql(`select actor_id, operation from audit where organization_id = $1 and subject = $2`, [
        away.id,
        body.installedAssetId,
      ]),
    ).toEqual([{ actor_id: user.id, operation: 'POST /api/studio/marketplace/entries/:id/install' }])
  })
})

describe('who may install', () => {
  test('nobody can install an entry that is not approved; only an unknown id is not found', async () => {
    expect(await install(user, 'c'.padEnd(25, '0'))).toMatchObject({
      status: 404,
      body: { errorCode: 'ENTRY_NOT_FOUND' },
    })
    const pending = await makeSubmission(author)
    const rejected = await makeSubmission(author)
    const { releaseId } = await operator.call(readSubmission, { params: { entryId: rejected.id } })
    await operator.call(rejectSubmission, {
      params: { entryId: rejected.id },
      body: { releaseId, reason: 'This one is not for everybody.' },
    })
    const withdrawn = await makeApprovedEntry(operator, author)
    await author.call(withdrawEntry, { params: { id: withdrawn.id } })
    const callers = [author, await home.person({ role: 'ADMIN' }), await home.person(), user]
    for (const { id } of [pending, rejected, withdrawn]) {
      for (const person of callers) {
        expect(await install(person, id)).toMatchObject({
          status: 400,
          body: { errorCode: 'ENTRY_NOT_APPROVED' },
        })
      }
    }
  })

  test('not the author, in whatever organization, but their colleagues', async () => {
    const entry = await makeApprovedEntry(operator, author)
    expect(await install(author, entry.id)).toMatchObject({ status: 400, body: { errorCode: 'ENTRY_OWN' } })
    const elsewhere = await install(await away.joined(author), entry.id)
    expect(elsewhere).toMatchObject({ status: 400, body: { errorCode: 'ENTRY_OWN' } })
    expect((await install(await home.person(), entry.id)).status).toBe(201)
  })

  test('not without the permission, the feature or the acknowledgement', async () => {
    const { id } = await makeApprovedEntry(operator, author)
    const viewer = await away.person({ permissions: ['STUDIO_MARKETPLACE_VIEW', 'STUDIO_CREATE'] })
    expect(await install(viewer, id)).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
    const installer = await away.person({ permissions: ['STUDIO_MARKETPLACE_INSTALL'] })
    expect((await install(installer, id)).status).toBe(201)
    const outside = await (await server.organization()).person()
    expect((await install(outside, id)).status).toBe(403)
    const before = await copies()
    for (const body of [
      { acknowledgeDisclaimer: false },
      { acknowledgeDisclaimer: undefined },
      { customName: 'x'.repeat(limits.installName + 1) },
      { customName: ' ' },
      { customName: 'two\nlines' },
    ]) {
      expect((await install(user, id, body)).status).toBe(400)
    }
    expect(await copies()).toBe(before)
    expect((await install(user, id, { customName: 'x'.repeat(limits.installName) })).status).toBe(201)
  })
})

test('limits installs per day, not counting refused ones', async () => {
  const { id } = await makeApprovedEntry(operator, author)
  const person = await away.person()
  await install(person, 'c'.padEnd(25, '0'))
  const answers = await Promise.all(
    Array.from({ length: limits.installsPerDay + 5 }, () => install(person, id)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter(status => status === 201)).toHaveLength(limits.installsPerDay)
  expect(statuses.filter(status => status === 429)).toHaveLength(5)
  const { total } = await person.call(listInstalls)
  expect(total).toBe(limits.installsPerDay)
})

describe('counters', () => {
  test('count each person once, also for concurrent installs', async () => {
    const { id } = await makeApprovedEntry(operator, author)
    const before = await counts(id)
    const people = await Promise.all([away.person(), away.person(), home.person()])
    const answers = await Promise.all(
      people.flatMap(person => Array.from({ length: 5 }, () => install(person, id))),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const after = await counts(id)
    expect(after).toMatchObject({ install_count: 3, recent_installers: 3 })
    expect(after.popularity - before.popularity).toBeCloseTo(2, 6)
    expect(await user.call(readEntry, { params: { id } })).toMatchObject({ installCount: 3 })
  })

  test('count a returning person as recent but not as new', async () => {
    const { id } = await makeApprovedEntry(operator, author)
    await install(user, id)
    await server.sql('update market_installer set is_recent = false where entry_id = $1', [id])
    await server.sql('update market_listing set recent_installers = 0 where entry_id = $1', [id])
    await Promise.all([install(user, id), install(user, id)])
    expect(await counts(id)).toMatchObject({ install_count: 1, recent_installers: 1 })
  })

  test('ignore a refused install', async () => {
    const { id } = await makeApprovedEntry(operator, author)
    await install(author, id)
    await install(user, id, { acknowledgeDisclaimer: false })
    expect(await counts(id)).toMatchObject({ install_count: 0, recent_installers: 0 })
    expect(await server.sql('select 1 from market_installer where entry_id = $1', [id])).toEqual([])
  })
})

test('submitter and installer get an event with only the count', async () => {
  const { id } = await makeApprovedEntry(operator, author)
  await install(user, id)
  await server.relayed()
  const events = await server.sql<{ data: Record<string, unknown>; recipients: string[] }>(
    `select data, recipients from event where name = 'ai-marketplace.installed' and data ->> 'entryId' = $1`,
    [id],
  )
  expect(events).toEqual([
    { data: { entryId: id, version: '1.0.0', installCount: 1 }, recipients: expect.any(Array) },
  ])
  expect(firstOf(events).recipients.toSorted()).toEqual(
    [`${home.id}/${author.id}`, `${away.id}/${user.id}`].toSorted(),
  )
})

test('an install after a withdrawal leaves nothing behind', async () => {
  const { id } = await makeApprovedEntry(operator, author, { files: [['a.txt', 'a']] })
  const before = await copies()
  const withdrawal = new pg.Client({ connectionString: server.config.databaseUrl })
  await withdrawal.connect()
  await withdrawal.query('begin')
  await withdrawal.query('update market_listing set is_listed = false where entry_id = $1', [id])
  const answer = install(user, id)
  await blocked(server)
  await withdrawal.query('commit')
  await withdrawal.end()
  expect(await answer).toMatchObject({ status: 400, body: { errorCode: 'ENTRY_NOT_APPROVED' } })
  expect(await copies()).toBe(before)
  expect(await counts(id)).toMatchObject({ install_count: 0 })
  expect(await server.sql('select 1 from market_installer where entry_id = $1', [id])).toEqual([])
})

test('a concurrently withdrawn entry is installed completely or not at all', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await makeApprovedEntry(operator, author, { files: [['a.txt', 'a']] })
    const before = await copies()
    const [answers] = await Promise.all([
      Promise.all([install(user, id), install(await away.person(), id)]),
      author.send(withdrawEntry, { params: { id } }),
    ])
    const made = answers.filter(({ status }) => status === 201).length
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 400)).toBe(true)
    expect((await copies()) - before).toBe(made)
    const [rows] = await server.sql<{ installs: number; counted: number }>(
      `select (select count(*)::int from market_install where entry_id = $1) as installs,
        (select install_count from market_listing where entry_id = $1) as counted`,
      [id],
    )
    expect(rows).toEqual({ installs: made, counted: made })
  }
})
