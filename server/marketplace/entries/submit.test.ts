import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  checkEntry,
  type Entry,
  readEntry,
  submitEntry,
  updateEntry,
  withdrawEntry,
} from '#contract/marketplace/entries.ts'
import type { Input } from '#contract/operation.ts'
import { permissions } from '#contract/permissions.ts'
import { removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { blocked } from '#tests/support/blocked.ts'
import { makePublishedAsset, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { sha256Of } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { releaseDigest } from './digest.ts'

let server: TestServer
let organization: Organization
let author: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization({ name: 'Nordlicht', features: ['marketplace'] })
  author = await organization.person({ name: 'Ana Author', permissions: [...permissions] })
  const other = await server.organization({ features: ['marketplace'] })
  stranger = await other.person({ permissions: [...permissions] })
})
afterAll(() => server.close())
beforeEach(() => server.sql('delete from rate_window'))

type Body = Partial<Input<typeof submitEntry>['body']>
const submit = (assetId: string, body: Body = {}, person = author) =>
  person.send(submitEntry, { body: { assetId, category: 'SALES_CRM', acceptPolicy: true, ...body } })
const read = (id: string, person = author) => person.send(readEntry, { params: { id } })
const withdraw = (id: string) => author.call(withdrawEntry, { params: { id } })
/** The events about an entry. */
async function eventsOf(entryId: string) {
  await server.relayed()
  return server.sql<{ name: string; data: object }>(
    `select name, data from event where data ->> 'entryId' = $1 order by seq`,
    [entryId],
  )
}

describe('POST /marketplace/entries', () => {
  it('copies the published version with attachments into a waiting release', async () => {
    const frontmatter = { model: 'small', tools: ['a', 'b'] }
    const content = { name: 'Offers', description: 'Writes offers', bodyMarkdown: '# Offer', frontmatter }
    const asset = { ...content, type: 'SKILL' as const, iconName: 'owl', color: 'red', tags: ['internal'] }
    const assetId = await makePublishedAsset(author, asset, [
      ['b.txt', 'beta'],
      ['a/c.md', 'gamma'],
    ])
    const { status, body } = await submit(assetId, { tags: [' Ventas ', 'ventas', 'CRM'] })
    expect(status).toBe(201)
    const files = [
      { path: 'a/c.md', size: 5, contentType: 'text/markdown', sha256: sha256Of('gamma') },
      { path: 'b.txt', size: 4, contentType: 'text/plain', sha256: sha256Of('beta') },
    ]
    expect(body).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      name: 'Offers',
      description: 'Writes offers',
      type: 'SKILL',
      category: 'SALES_CRM',
      tags: ['ventas', 'crm'],
      pricing: 'FREE',
      status: 'PENDING',
      version: '1.0.0',
      iconName: 'owl',
      color: 'red',
      featured: false,
      featuredUntil: null,
      ratingAverage: null,
      ratingCount: 0,
      installCount: 0,
      isOwn: true,
      installed: null,
      publisher: { displayName: 'Nordlicht', verified: false },
      submittedAt: expect.any(String),
      approvedAt: null,
      updatedAt: expect.any(String),
      bodyMarkdown: '# Offer',
      frontmatter,
      releaseNotes: null,
      assetId,
      rejectionReason: null,
      files: files.map(({ sha256: _, ...file }) => file),
      digest: releaseDigest({ ...asset, version: '1.0.0', files }),
      pendingRelease: { version: '1.0.0', status: 'PENDING', submittedAt: expect.any(String) },
      findings: expect.any(Array),
    })
    expect((await read((body as Entry).id)).body).toEqual(body)
    expect(await auditOf(body.id)).toEqual({
      operation: 'POST /api/studio/marketplace/entries',
      changed: ['status', 'version'],
    })
    expect(await eventsOf(body.id)).toEqual([])
  })

  async function auditOf(id: string) {
    await server.relayed()
    return (await server.sql('select operation, changed from audit where subject = $1', [id]))[0]
  }

  it('takes the last published version; later changes do not reach the release', async () => {
    const assetId = await makePublishedAsset(author, {
      name: 'Kept',
      bodyMarkdown: 'one',
      description: 'first',
    })
    await author.call(updateAsset, {
      params: { id: assetId },
      body: { bodyMarkdown: 'two', description: 'second' },
    })
    const { body: entry } = await submit(assetId)
    expect(entry).toMatchObject({ version: '1.0.0', bodyMarkdown: 'one', description: 'first' })
    await author.call(publishAsset, { params: { id: assetId } })
    await author.call(updateAsset, { params: { id: assetId }, body: { name: 'Other', iconName: 'fox' } })
    expect((await read(entry.id)).body).toEqual(entry)
    expect(await eventsOf(entry.id)).toEqual([])
  })

  it('is withdrawn with its asset; the release stays readable', async () => {
    const retirements = [
      (id: string) => author.call(archiveAsset, { params: { id } }),
      (id: string) => author.call(removeAsset, { params: { id } }),
    ]
    for (const retire of retirements) {
      const assetId = await makePublishedAsset(author, {}, [['keep.txt', 'bytes of a release']])
      const entry = await makeSubmission(author, { assetId })
      await retire(assetId)
      expect((await read(entry.id)).body).toEqual({
        ...entry,
        status: 'ARCHIVED',
        pendingRelease: null,
        updatedAt: expect.any(String),
      })
      expect(await eventsOf(entry.id)).toEqual([])
    }
  })

  it('is for published assets of the caller', async () => {
    const admin = await organization.person({ role: 'ADMIN' })
    const colleague = await organization.person({ permissions: [...permissions] })
    const assetId = await makePublishedAsset(author)
    expect(refusalOf(await submit(assetId, {}, colleague))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect((await submit(assetId, {}, stranger)).body).toEqual((await submit('unknown', {}, stranger)).body)
    expect(refusalOf(await submit(assetId, {}, admin))).toEqual([403, 'ASSET_NOT_OWN'])
    await shareAsset(server, author, assetId, 'USER', colleague.id, { level: 'ADMIN' })
    expect(refusalOf(await submit(assetId, {}, colleague))).toEqual([403, 'ASSET_NOT_OWN'])
    const draft = await makeAsset(author)
    expect(refusalOf(await submit(draft.id))).toEqual([400, 'ASSET_NOT_PUBLISHED'])
    await author.call(archiveAsset, { params: { id: assetId } })
    expect(refusalOf(await submit(assetId))).toEqual([400, 'ASSET_NOT_PUBLISHED'])
  })

  it.each<[string, object]>([
    ['no policy', { acceptPolicy: false }],
    ['another category', { category: 'GAMES' }],
    ['16 tags', { tags: Array.from({ length: 16 }, (_, n) => `t${n}`) }],
    ['a tag of 49', { tags: ['x'.repeat(49)] }],
    ['a blank tag', { tags: [' '] }],
    ['another field', { status: 'APPROVED' }],
  ])('refuses %s', async (_, body) => {
    const assetId = await makePublishedAsset(author)
    expect(refusalOf(await submit(assetId, body as Body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('accepts tags up to their limits, and no price', async () => {
    const assetId = await makePublishedAsset(author)
    expect(refusalOf(await submit(assetId, { pricing: 'PREMIUM' }))).toEqual([400, 'PRICING_NOT_SUPPORTED'])
    const tags = Array.from({ length: 15 }, (_, n) => `${n}`.padEnd(48, 'x'))
    const { status, body } = await submit(assetId, { tags, pricing: 'FREE' })
    expect([status, body.tags]).toEqual([201, tags])
  })

  it('refuses blocking findings and names their place', async () => {
    const assetId = await makePublishedAsset(author, { bodyMarkdown: 'Fine.' }, [
      [
        'keys/id.txt',
        `first line\n-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(20)}\n-----END PRIVATE KEY-----\n`,
      ],
    ])
    const { status, body } = await submit(assetId)
    expect([status, body]).toMatchObject([400, { errorCode: 'RELEASE_REFUSED' }])
    const { findings } = body as unknown as { findings: { severity: string }[] }
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: 'block', path: 'keys/id.txt', line: 2 }),
    )
    expect(await server.sql('select 1 from market_release where asset_id = $1', [assetId])).toEqual([])
    const checked = await author.call(checkEntry, { body: { assetId } })
    expect(checked).toEqual({ isSubmittable: false, version: '1.0.0', findings })
  })

  it('allows ten a day per person, not counting refused ones', async () => {
    const busy = await organization.person({ permissions: [...permissions] })
    for (let n = 0; n < 10; n++) {
      const one = await makePublishedAsset(busy)
      expect(refusalOf(await submit(one, { pricing: 'PREMIUM' }, busy))).toEqual([
        400,
        'PRICING_NOT_SUPPORTED',
      ])
      await makeSubmission(busy, { assetId: one })
    }
    const one = await makePublishedAsset(busy)
    const { status, body, headers } = await submit(one, {}, busy)
    expect([status, body]).toMatchObject([429, { errorCode: 'RATE_LIMIT_EXCEEDED', limit: 10, used: 10 }])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await submit(await makePublishedAsset(author))).status).toBe(201)
  })

  it('needs the permission and the feature', async () => {
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_MARKETPLACE_VIEW'] })
    expect(refusalOf(await submit('x', {}, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    const without = await (await server.organization()).person({ permissions: [...permissions] })
    expect(refusalOf(await submit('x', {}, without))).toEqual([403, 'FEATURE_NOT_ENABLED'])
    expect(refusalOf(await read('x', without))).toEqual([403, 'FEATURE_NOT_ENABLED'])
  })

  it('refuses a second submission; one of many concurrent requests succeeds', async () => {
    const assetId = await makePublishedAsset(author)
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(assetId)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201).map(refusalOf)).toEqual(
      Array(7).fill([409, 'ENTRY_ALREADY_SUBMITTED']),
    )
    expect(await server.sql('select 1 from market_release where asset_id = $1', [assetId])).toHaveLength(1)
  })

  it('resubmits the withdrawn assets of eight people at the same time', async () => {
    const withdrawn: { person: Person; assetId: string }[] = []
    for (let n = 0; n < 8; n++) {
      const person = await organization.person({ permissions: [...permissions] })
      const assetId = await makePublishedAsset(person)
      const { id } = await makeSubmission(person, { assetId })
      await person.call(withdrawEntry, { params: { id } })
      withdrawn.push({ person, assetId })
    }
    const answers = await Promise.all(withdrawn.map(({ person, assetId }) => submit(assetId, {}, person)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
  })

  it('resubmits a withdrawn asset as the same entry', async () => {
    const assetId = await makePublishedAsset(author, { bodyMarkdown: 'one' })
    const first = await makeSubmission(author, { assetId, tags: ['a'] })
    await withdraw(first.id)
    await author.call(updateAsset, { params: { id: assetId }, body: { bodyMarkdown: 'two' } })
    await author.call(publishAsset, { params: { id: assetId } })
    const again = await makeSubmission(author, { assetId, category: 'FINANCE' })
    expect(again).toMatchObject({ id: first.id, status: 'PENDING', category: 'FINANCE', bodyMarkdown: 'two' })
    // absent tags stay
    expect([again.version, again.tags]).toEqual(['1.0.1', ['a']])
    expect(again.digest).not.toBe(first.digest)
    const releases = await server.sql(
      'select status from market_release where entry_id = $1 order by submitted_at',
      [first.id],
    )
    expect(releases).toEqual([{ status: 'ARCHIVED' }, { status: 'PENDING' }])
  })

  /** Locks the row of an asset until this many submissions wait for it, and runs `before` the release. */
  async function whileHeld(assetId: string, waiting: number, change = 'select 1'): Promise<void> {
    const holder = new pg.Client({ connectionString: server.config.databaseUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from asset where organization_id = $1 and id = $2 for update', [
        organization.id,
        assetId,
      ])
      ready.resolve()
      await blocked(server, waiting)
      await holder.query(change)
      await holder.query('commit')
    } finally {
      await holder.end()
    }
  }
  let ready = Promise.withResolvers<void>()
  beforeEach(() => {
    ready = Promise.withResolvers()
  })

  it('lets one of two processes win that both checked first', async () => {
    const assetId = await makePublishedAsset(author)
    const there = author.at((await server.anotherApi()).url)
    const held = whileHeld(assetId, 2)
    await ready.promise
    const body = { assetId, category: 'OTHER', acceptPolicy: true } as const
    const answers = await Promise.all([submit(assetId), there.send(submitEntry, { body })])
    await held
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it.each([
    [
      'published',
      `update asset_version set published_at = now() where asset_id = $1 and version = '1.0.1';
       update asset set published_version = '1.0.1' where id = $1`,
      { version: '1.0.1', bodyMarkdown: 'new' },
    ],
    ['renamed', `update asset set name = 'Anew' where id = $1`, { version: '1.0.0', name: 'Anew' }],
  ])('looks again when the asset is %s while it is looked through', async (_, change, expected) => {
    const assetId = await makePublishedAsset(author, { bodyMarkdown: 'old' })
    await author.call(updateAsset, { params: { id: assetId }, body: { bodyMarkdown: 'new' } })
    const held = whileHeld(assetId, 1, change.replaceAll('$1', `'${assetId}'`))
    await ready.promise
    const { status, body } = await submit(assetId)
    await held
    expect([status, body]).toMatchObject([201, expected])
    const { type, name, version, description, bodyMarkdown, frontmatter } = body
    const content = { type, name, version, description, bodyMarkdown, frontmatter, files: [] }
    expect(body.digest).toBe(releaseDigest(content))
  })
})

describe('POST /marketplace/entries/check', () => {
  const check = (assetId: string, person = author) => person.send(checkEntry, { body: { assetId } })

  it('returns the findings of a submission and writes nothing', async () => {
    const assetId = await makePublishedAsset(author)
    const { status, body } = await check(assetId)
    expect([status, body]).toEqual([
      200,
      { isSubmittable: true, version: '1.0.0', findings: expect.any(Array) },
    ])
    expect(await server.sql('select 1 from market_entry where asset_id = $1', [assetId])).toEqual([])
  })

  it('is also for published assets of the caller', async () => {
    const assetId = await makePublishedAsset(author)
    const admin = await organization.person({ role: 'ADMIN' })
    expect(refusalOf(await check(assetId, stranger))).toEqual([404, 'ASSET_NOT_FOUND'])
    expect(refusalOf(await check(assetId, admin))).toEqual([403, 'ASSET_NOT_OWN'])
    expect(refusalOf(await check((await makeAsset(author)).id))).toEqual([400, 'ASSET_NOT_PUBLISHED'])
  })
})

describe('GET /marketplace/entries/:id', () => {
  it('shows a waiting release to its submitter and the administrators of the organization', async () => {
    const entry = await makeSubmission(author)
    const [admin, colleague] = [await organization.person({ role: 'ADMIN' }), await organization.person()]
    expect((await read(entry.id, admin)).body).toEqual({ ...entry, isOwn: false })
    const unknown = await read('cunknown', stranger)
    expect(refusalOf(unknown)).toEqual([404, 'ENTRY_NOT_FOUND'])
    for (const person of [colleague, stranger])
      expect((await read(entry.id, person)).body).toEqual(unknown.body)
    const withoutRight = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await read(entry.id, withoutRight))).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('PATCH /marketplace/entries/:id', () => {
  type Change = Input<typeof updateEntry>['body']
  const patch = (id: string, body: Change, person = author) =>
    person.send(updateEntry, { params: { id }, body })

  it('changes category and tags, and nothing else', async () => {
    const entry = await makeSubmission(author, { tags: ['a'] })
    const { status, body } = await patch(entry.id, { category: 'FINANCE', tags: ['B ', 'b'] })
    expect([status, body]).toEqual([
      200,
      { ...entry, category: 'FINANCE', tags: ['b'], updatedAt: expect.any(String) },
    ])
    expect((await patch(entry.id, { tags: [] })).body).toMatchObject({ category: 'FINANCE', tags: [] })
    await server.relayed()
    const audits = await server.sql('select changed from audit where subject = $1 order by seq', [entry.id])
    expect(audits.map(({ changed }) => changed)).toEqual([
      ['status', 'version'],
      ['category', 'tags'],
      ['tags'],
    ])
  })

  it('writes nothing if nothing changes', async () => {
    const entry = await makeSubmission(author, { tags: ['a'] })
    for (const body of [{}, { tags: ['A'] }, { category: entry.category }])
      expect((await patch(entry.id, body)).body).toEqual(entry)
  })

  it('is for its submitter and the administrators of the organization, while it is not withdrawn', async () => {
    const entry = await makeSubmission(author)
    const admin = await organization.person({ role: 'ADMIN' })
    expect((await patch(entry.id, { tags: ['by admin'] }, admin)).body).toMatchObject({ tags: ['by admin'] })
    const unknown = await patch('cunknown', { tags: [] }, stranger)
    expect(refusalOf(unknown)).toEqual([404, 'ENTRY_NOT_FOUND'])
    const colleague = await organization.person({ permissions: [...permissions] })
    for (const person of [stranger, colleague])
      expect((await patch(entry.id, { tags: [] }, person)).body).toEqual(unknown.body)
    for (const body of [{ tags: ['x'.repeat(49)] }, { category: 'x' }, { status: 'APPROVED' }])
      expect(refusalOf(await patch(entry.id, body as Change))).toEqual([400, 'VALIDATION_ERROR'])
    await withdraw(entry.id)
    expect(refusalOf(await patch(entry.id, { tags: [] }))).toEqual([409, 'ENTRY_ARCHIVED'])
  })
})

describe('DELETE /marketplace/entries/:id', () => {
  const remove = (id: string, person = author) => person.send(withdrawEntry, { params: { id } })

  it('withdraws a waiting entry once, without an event', async () => {
    const entry = await makeSubmission(author)
    const { status, body } = await remove(entry.id)
    const archived = { ...entry, status: 'ARCHIVED', pendingRelease: null, updatedAt: expect.any(String) }
    expect([status, body]).toEqual([200, archived])
    expect((await remove(entry.id)).body).toEqual(body)
    expect(await eventsOf(entry.id)).toEqual([])
    const audits = await server.sql('select changed from audit where subject = $1 order by seq', [entry.id])
    expect(audits.map(({ changed }) => changed)).toEqual([['status', 'version'], ['status'], []])
  })

  it('is for its submitter, and for the administrators of the organization with an event for the submitter', async () => {
    const entry = await makeSubmission(author)
    const admin = await organization.person({ role: 'ADMIN' })
    const other = await makeSubmission(author)
    expect((await remove(other.id, admin)).body).toMatchObject({ status: 'ARCHIVED', isOwn: false })
    expect(await eventsOf(other.id)).toMatchObject([{ name: 'ai-marketplace.archived' }])
    const unknown = await remove('cunknown', stranger)
    expect(refusalOf(unknown)).toEqual([404, 'ENTRY_NOT_FOUND'])
    expect((await remove(entry.id, stranger)).body).toEqual(unknown.body)
    expect((await read(entry.id)).body).toEqual(entry)
  })
})
