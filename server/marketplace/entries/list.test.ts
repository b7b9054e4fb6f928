import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeMember, updateOrganization } from '#contract/identity/organization.ts'
import {
  type EntryItem,
  installEntry,
  listEntries,
  readEntry,
  submitEntry,
  updateEntry,
  withdrawEntry,
} from '#contract/marketplace/entries.ts'
import { featureEntry, unfeatureEntry } from '#contract/marketplace/review-queue.ts'
import type { Input } from '#contract/operation.ts'
import { permissions } from '#contract/permissions.ts'
import { removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset, transferAssetsOf } from '#contract/studio/lifecycle.ts'
import { rollbackVersion } from '#contract/studio/versions.ts'
import { defined, itemAt, only } from '#tests/support/elements.ts'
import { keepAverageOfRatings } from '#tests/support/marketplace/listings.ts'
import { approveEntry, makeApprovedEntry, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let home: Organization
let operator: Person
let author: Person
let visitor: Person
beforeAll(async () => {
  server = await startTestServer()
  await keepAverageOfRatings(server)
  operator = await server.operator()
  home = await server.organization({ name: 'Secret Works', features: ['marketplace'] })
  author = await home.person({ name: 'Ana Author', permissions: [...permissions] })
  visitor = await (await server.organization({ features: ['marketplace'] })).person({
    permissions: [...permissions],
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  // each test starts with an empty catalogue
  for (const table of [
    'install',
    'installer',
    'review',
    'listing',
    'listing_count',
    'word',
    'entry',
    'release_file',
    'release',
  ])
    await server.sql(`delete from market_${table}`)
  await server.sql('delete from rate_window')
})

type Query = Input<typeof listEntries>['query']
const page = (query: Query = {}, person = visitor) => person.call(listEntries, { query })
const names = async (query: Query = {}, person = visitor) => {
  const { items, total } = await page(query, person)
  expect(query.limit !== undefined || total === items.length).toBe(true)
  return items.map(({ name }) => name)
}
const list = (name: string, options: Parameters<typeof makeSubmission>[1] = {}) =>
  makeApprovedEntry(operator, author, { ...options, asset: { name, ...options.asset } })
const sorted = (items: string[]) => [...items].sort()

describe('GET /marketplace/entries', () => {
  it('lists approved entries without their submitters', async () => {
    const waiting = await makeSubmission(author, { asset: { name: 'Waits' } })
    const entry = await list('Listed', {
      tags: ['a'],
      category: 'FINANCE',
      asset: { type: 'AGENT', iconName: 'owl' },
    })
    await makeSubmission(author, { assetId: defined((await withdrawn()).assetId) })
    const { items, total, limit, offset } = await page()
    expect([total, limit, offset]).toEqual([1, 20, 0])
    expect(items).toEqual([
      {
        id: entry.id,
        name: 'Listed',
        description: 'Does something',
        type: 'AGENT',
        category: 'FINANCE',
        tags: ['a'],
        pricing: 'FREE',
        status: 'APPROVED',
        version: '1.0.0',
        iconName: 'owl',
        color: null,
        featured: false,
        featuredUntil: null,
        ratingAverage: null,
        ratingCount: 0,
        installCount: 0,
        publisher: { displayName: 'Otra empresa', verified: false },
        isOwn: false,
        installed: null,
        submittedAt: entry.submittedAt,
        approvedAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const detail = await visitor.call(readEntry, { params: { id: entry.id } })
    for (const secret of [author.id, home.id, 'Ana Author', 'Secret Works', defined(entry.assetId)])
      expect(JSON.stringify([items, detail])).not.toContain(secret)
    expect(detail).toMatchObject({ ...items[0], bodyMarkdown: 'Do it.', digest: entry.digest })
    for (const field of ['assetId', 'rejectionReason', 'pendingRelease', 'findings'])
      expect(detail).not.toHaveProperty(field)
    expect((await page({}, author)).items).toMatchObject([
      { id: entry.id, isOwn: true, publisher: { displayName: 'Secret Works' } },
    ])
    expect((await visitor.send(readEntry, { params: { id: waiting.id } })).status).toBe(404)
  })

  async function withdrawn() {
    const { id } = await list('Withdrawn')
    return author.call(withdrawEntry, { params: { id } })
  }

  it('filters by category, type and price, with the right totals', async () => {
    await list('A', { category: 'FINANCE', asset: { type: 'SKILL' } })
    await list('B', { category: 'FINANCE', asset: { type: 'PROMPT' } })
    await list('C', { category: 'OTHER', asset: { type: 'SKILL' } })
    for (const sort of [
      'RECENT',
      'POPULAR',
      'TOP_RATED',
      'FEATURED',
      'MOST_DOWNLOADED',
      'RELEVANCE',
    ] as const) {
      expect(sorted(await names({ sort }))).toEqual(['A', 'B', 'C'])
      expect(sorted(await names({ sort, category: 'FINANCE' }))).toEqual(['A', 'B'])
      expect(sorted(await names({ sort, type: 'SKILL' }))).toEqual(['A', 'C'])
      expect(await names({ sort, category: 'FINANCE', type: 'SKILL' })).toEqual(['A'])
      expect(await names({ sort, category: 'OTHER', type: 'AGENT' })).toEqual([])
      expect(sorted(await names({ sort, pricing: 'FREE', type: 'SKILL' }))).toEqual(['A', 'C'])
      expect(await names({ sort, pricing: 'PREMIUM' })).toEqual([])
    }
  })

  it('pages without gaps or repetitions in every order', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await list(name)
    // equal sort values: the id decides
    await server.sql(`update market_listing set approved_at = now(), popularity = 1`)
    for (const sort of ['RECENT', 'POPULAR', 'TOP_RATED', 'FEATURED', 'MOST_DOWNLOADED'] as const) {
      const all = await names({ sort })
      const parts: string[] = []
      for (const offset of [0, 2, 4, 6]) {
        const { items, total } = await page({ sort, limit: 2, offset })
        expect(total).toBe(5)
        parts.push(...items.map(({ name }) => name))
      }
      expect(parts).toEqual(all)
      expect(sorted(all)).toEqual(['A', 'B', 'C', 'D', 'E'])
    }
  })

  it('sorts as requested', async () => {
    const ids: Record<string, string> = {}
    for (const name of ['A', 'B', 'C']) ids[name] = (await list(name)).id
    const earn = (name: string, set: string) =>
      server.sql(`update market_listing set ${set} where entry_id = $1`, [ids[name]])
    await earn('A', 'install_count = 5, popularity = 10, rating_rank = 3, rating_count = 1')
    await earn('B', 'install_count = 9, popularity = 30, rating_rank = 3, rating_count = 2')
    await earn('C', 'install_count = 7, popularity = 20, rating_rank = 4, rating_count = 9')
    expect(await names()).toEqual(['C', 'B', 'A'])
    expect(await names({ sort: 'RECENT' })).toEqual(['C', 'B', 'A'])
    expect(await names({ sort: 'POPULAR' })).toEqual(['B', 'C', 'A'])
    expect(await names({ sort: 'RELEVANCE' })).toEqual(['B', 'C', 'A'])
    expect(await names({ sort: 'TOP_RATED' })).toEqual(['C', 'B', 'A'])
    expect(await names({ sort: 'MOST_DOWNLOADED' })).toEqual(['B', 'C', 'A'])
    const until = new Date(Date.now() + 86_400_000).toISOString()
    for (const name of ['A', 'C'])
      await operator.call(featureEntry, { params: { entryId: defined(ids[name]) }, body: { until } })
    expect(await names({ sort: 'FEATURED' })).toEqual(['C', 'A', 'B'])
    expect(await names({ featured: true, sort: 'POPULAR' })).toEqual(['C', 'A'])
    expect(await names({ featured: true, sort: 'RECENT' })).toEqual(['C', 'A'])
    expect((await page({ featured: true })).items[0]).toMatchObject({ featured: true, featuredUntil: until })
    expect((await page({ featured: true, limit: 1, offset: 1 })).total).toBe(2)
    expect(await names({ featured: true, category: 'FINANCE' })).toEqual([])
    // the clock of the database decides, with or without the event
    await server.sql(
      `update market_listing set featured_until = now() - interval '1 second' where entry_id = $1`,
      [ids.C],
    )
    expect(await names({ featured: true })).toEqual(['A'])
    expect(await names({ sort: 'FEATURED' })).toEqual(['A', 'B', 'C'])
    await operator.call(unfeatureEntry, { params: { entryId: defined(ids.A) } })
    expect(await names({ featured: true })).toEqual([])
    expect((await page()).items.every(({ featured }) => !featured)).toBe(true)
  })

  it('shows the published name of an organization', async () => {
    const { id } = await list('Named')
    const owner = await home.person({ role: 'OWNER' })
    const shown = async () => (await visitor.call(readEntry, { params: { id } })).publisher
    await owner.call(updateOrganization, { body: { publisherName: 'Works' } })
    expect(await shown()).toEqual({ displayName: 'Works', verified: false })
    await server.sql('update organization set publisher_verified = true where id = $1', [home.id])
    expect(only((await page()).items).publisher).toEqual({ displayName: 'Works', verified: true })
    await owner.call(updateOrganization, { body: { publisherName: null } })
    expect(await shown()).toEqual({ displayName: 'Otra empresa', verified: false })
  })

  it('shows the newest existing copy of the caller', async () => {
    const entry = await list('Copied', { asset: { bodyMarkdown: 'one' } })
    const params = { id: entry.id }
    const shown = async (person = visitor) => {
      const item = only((await page({ search: 'copied' }, person)).items)
      expect(only((await page({}, person)).items).installed).toEqual(item.installed)
      expect((await person.call(readEntry, { params })).installed).toEqual(item.installed)
      return item.installed
    }
    expect(await shown()).toBeNull()
    const install = () => visitor.call(installEntry, { params, body: { acknowledgeDisclaimer: true } })
    await install()
    const { installId, installedAssetId } = await install()
    expect(await shown()).toEqual({ installId, installedVersion: '1.0.0', updateAvailable: false })
    expect(await shown(author)).toBeNull()
    await author.call(updateAsset, { params: { id: defined(entry.assetId) }, body: { bodyMarkdown: 'two' } })
    await author.call(publishAsset, { params: { id: defined(entry.assetId) } })
    await makeApprovedEntry(operator, author, { assetId: defined(entry.assetId) })
    expect(await shown()).toEqual({ installId, installedVersion: '1.0.0', updateAvailable: true })
    await visitor.call(removeAsset, { params: { id: installedAssetId } })
    const before = await shown()
    expect([defined(before).updateAvailable, defined(before).installId === installId]).toEqual([true, false])
    await server.sql('update asset set deleted_at = now() where organization_id = $1', [
      visitor.organizationId,
    ])
    expect(await shown()).toBeNull()
  })

  it('lists own submissions in every status', async () => {
    const colleague = await home.person({ permissions: [...permissions] })
    await makeSubmission(colleague, { asset: { name: 'Theirs' } })
    const entry = await list('Listed', { category: 'FINANCE' })
    await makeSubmission(author, { asset: { name: 'Waits', type: 'SKILL' }, tags: ['Ñandú'] })
    const gone = await makeSubmission(author, { asset: { name: 'Gone' } })
    await author.call(withdrawEntry, { params: { id: gone.id } })
    const own = (query: Query = {}) => names({ mine: true, ...query }, author)
    expect(await own()).toEqual(['Gone', 'Waits', 'Listed'])
    const { items } = await page({ mine: true }, author)
    expect(items.map(({ status }) => status)).toEqual(['ARCHIVED', 'PENDING', 'APPROVED'])
    expect(items.every(({ isOwn }) => isOwn)).toBe(true)
    expect((await page({ mine: true, limit: 1, offset: 1 }, author)).items.map(({ name }) => name)).toEqual([
      'Waits',
    ])
    for (const sort of ['POPULAR', 'TOP_RATED', 'FEATURED', 'MOST_DOWNLOADED', 'RELEVANCE'] as const)
      expect(sorted(await own({ sort }))).toEqual(['Gone', 'Listed', 'Waits'])
    expect(await own({ category: 'FINANCE' })).toEqual(['Listed'])
    expect(await own({ type: 'SKILL' })).toEqual(['Waits'])
    expect(await own({ pricing: 'PREMIUM' })).toEqual([])
    expect(await own({ featured: true })).toEqual([])
    expect(await own({ search: 'wai' })).toEqual(['Waits'])
    expect(await own({ search: 'nandu' })).toEqual(['Waits'])
    expect(await own({ search: 'nowhere' })).toEqual([])
    expect(await own({ search: '%' })).toEqual([])
    expect(itemAt(items, 2).id).toBe(entry.id)
    expect(await names({ mine: true })).toEqual([])
  })

  it.each([
    { limit: 0 },
    { limit: 101 },
    { offset: -1 },
    { offset: 10_001 },
    { sort: 'NEW' },
    { category: 'GAMES' },
    { type: 'GAME' },
    { pricing: 'CHEAP' },
    { search: 'x'.repeat(201) },
    { featured: 'maybe' },
  ])('refuses %j', async query => {
    const { status, body } = await visitor.send(listEntries, { query: query as never })
    expect([status, (body as { errorCode?: string }).errorCode]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a listed entry', () => {
  const counts = () =>
    server.sql<{ category: string; type: string; n: number }>(
      `select category, type, n from market_listing_count where category <> '' and n <> 0 order by 1, 2`,
    )
  const item = async (id: string): Promise<EntryItem | undefined> =>
    (await page()).items.find(one => one.id === id)
  const reported = async (name: string) => {
    await server.relayed()
    return server.sql<{ data: object; recipients: string[] | null }>(
      'select data, recipients from event where name = $1 order by seq',
      [`ai-marketplace.${name}`],
    )
  }

  it('follows category and tags, and leaves the catalogue with the entry', async () => {
    const { id } = await list('Moved', { category: 'FINANCE', tags: ['old'] })
    expect(await counts()).toEqual([{ category: 'FINANCE', type: 'PROMPT', n: 1 }])
    await author.call(updateEntry, { params: { id }, body: { category: 'OTHER', tags: ['new'] } })
    expect(await counts()).toEqual([{ category: 'OTHER', type: 'PROMPT', n: 1 }])
    expect(await item(id)).toMatchObject({ category: 'OTHER', tags: ['new'], status: 'APPROVED' })
    expect(await names({ category: 'FINANCE' })).toEqual([])
    expect(await names({ search: 'new', category: 'OTHER' })).toEqual(['Moved'])
    expect(await names({ search: 'new', category: 'FINANCE' })).toEqual([])
    expect(await names({ search: 'old' })).toEqual([])

    const before = await reported('archived')
    const archived = await author.call(withdrawEntry, { params: { id } })
    expect(archived).toMatchObject({ status: 'ARCHIVED', approvedAt: null })
    expect([await names(), await counts(), await names({ search: 'new' })]).toEqual([[], [], []])
    expect((await visitor.send(readEntry, { params: { id } })).status).toBe(404)
    expect((await visitor.send(withdrawEntry, { params: { id } })).status).toBe(404)
    await author.call(withdrawEntry, { params: { id } })
    const [event, ...more] = (await reported('archived')).slice(before.length)
    expect([event, more]).toEqual([
      { data: { entryId: id, reason: null }, recipients: [`${home.id}/${author.id}`] },
      [],
    ])
  })

  it('is no longer featured once it is withdrawn, with an event for everyone', async () => {
    const { id } = await list('Short fame')
    const until = new Date(Date.now() + 86_400_000).toISOString()
    await operator.call(featureEntry, { params: { entryId: id }, body: { until } })
    const before = await reported('unfeatured')
    await author.call(withdrawEntry, { params: { id } })
    expect((await reported('unfeatured')).slice(before.length)).toEqual([
      { data: { entryId: id }, recipients: null },
    ])
    expect(await author.call(readEntry, { params: { id } })).toMatchObject({
      featured: false,
      featuredUntil: null,
    })
  })

  it('leaves the catalogue with its asset at once, with an event for its submitter', async () => {
    const admin = await home.person({ role: 'ADMIN' })
    const retirements = [
      (id: string) => admin.call(archiveAsset, { params: { id } }),
      (id: string) => admin.call(removeAsset, { params: { id } }),
    ]
    for (const retire of retirements) {
      const { id, assetId } = await list('Retired')
      const until = new Date(Date.now() + 86_400_000).toISOString()
      await operator.call(featureEntry, { params: { entryId: id }, body: { until } })
      const before = await reported('archived')
      await retire(defined(assetId))
      expect(await names({ search: 'retired' })).toEqual([])
      expect((await visitor.send(readEntry, { params: { id } })).status).toBe(404)
      expect((await reported('archived')).slice(before.length)).toEqual([
        { data: { entryId: id, reason: null }, recipients: [`${home.id}/${author.id}`] },
      ])
      expect((await reported('unfeatured')).at(-1)).toEqual({ data: { entryId: id }, recipients: null })
      expect(await author.call(readEntry, { params: { id } })).toMatchObject({ status: 'ARCHIVED' })
    }
  })

  it('stays with the organization when its submitter leaves: administrators act on it, and hand it over', async () => {
    const company = await server.organization({ features: ['marketplace'] })
    const [admin, leaver, heir] = await Promise.all([
      company.person({ role: 'ADMIN' }),
      company.person({ permissions: [...permissions] }),
      company.person({ permissions: [...permissions] }),
    ])
    const entry = await makeApprovedEntry(operator, leaver, { asset: { name: 'Left behind' } })
    const params = { id: entry.id }
    await admin.call(removeMember, { params: { personId: leaver.id } })
    expect((await heir.send(updateEntry, { params, body: { tags: ['mine'] } })).status).toBe(403)
    const { items } = await page({ organization: true }, admin)
    expect(items).toMatchObject([{ id: entry.id, isOwn: false, status: 'APPROVED' }])
    const refused = await heir.send(listEntries, { query: { organization: true } })
    expect(refused).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
    expect(await admin.call(updateEntry, { params, body: { tags: ['kept'] } })).toMatchObject({
      tags: ['kept'],
      assetId: entry.assetId,
    })

    await admin.call(transferAssetsOf, { params: { personId: leaver.id }, body: { authorId: heir.id } })
    expect(await heir.call(readEntry, { params })).toMatchObject({ isOwn: true, assetId: entry.assetId })
    expect(await names({ mine: true }, heir)).toEqual(['Left behind'])
    const own = { acknowledgeDisclaimer: true } as const
    expect(await heir.send(installEntry, { params, body: own })).toMatchObject({
      status: 400,
      body: { errorCode: 'ENTRY_OWN' },
    })
    const asset = { params: { id: defined(entry.assetId) } }
    await heir.call(updateAsset, { ...asset, body: { bodyMarkdown: 'New.' } })
    await heir.call(publishAsset, asset)
    const submission = { assetId: defined(entry.assetId), category: 'OTHER', acceptPolicy: true } as const
    expect(await heir.call(submitEntry, { body: submission })).toMatchObject({
      status: 'APPROVED',
      pendingRelease: { version: '1.0.1', status: 'PENDING' },
    })
    expect(await admin.call(withdrawEntry, { params })).toMatchObject({ status: 'ARCHIVED' })
  })

  it('cannot be changed by others', async () => {
    const { id } = await list('Seen')
    for (const answer of [
      await visitor.send(withdrawEntry, { params: { id } }),
      await visitor.send(updateEntry, { params: { id }, body: { tags: [] } }),
    ])
      expect([answer.status, (answer.body as { errorCode?: string }).errorCode]).toEqual([
        403,
        'ENTRY_NOT_OWN',
      ])
  })

  it('stays while a newer version waits, with an event for its submitter', async () => {
    const entry = await list('Kept', { asset: { bodyMarkdown: 'one' }, tags: ['t'] })
    const { id, assetId } = { id: entry.id, assetId: defined(entry.assetId) }
    const again = () =>
      author.send(submitEntry, { body: { assetId, category: 'FINANCE', acceptPolicy: true } })
    expect((await again()).body).toMatchObject({ errorCode: 'ENTRY_ALREADY_SUBMITTED' })
    const before = await reported('new-version-pending-review')
    await author.call(updateAsset, {
      params: { id: assetId },
      body: { bodyMarkdown: 'two', name: 'Kept anew' },
    })
    await author.call(publishAsset, { params: { id: assetId } })
    await author.call(publishAsset, { params: { id: assetId } })
    await author.call(rollbackVersion, { params: { id: assetId, version: '1.0.1' }, body: { publish: true } })
    const events = (await reported('new-version-pending-review')).slice(before.length)
    expect(events).toEqual(
      ['1.0.1', '1.0.2'].map(version => ({
        data: { entryId: id, version },
        recipients: [`${home.id}/${author.id}`],
      })),
    )
    const { body: waiting } = await again()
    expect(waiting).toMatchObject({
      id,
      name: 'Kept',
      version: '1.0.0',
      bodyMarkdown: 'one',
      status: 'APPROVED',
      category: 'FINANCE',
      tags: ['t'],
      digest: entry.digest,
      pendingRelease: { version: '1.0.2', status: 'PENDING' },
    })
    expect(await item(id)).toMatchObject({ name: 'Kept', version: '1.0.0', category: 'FINANCE' })
    expect((await again()).status).toBe(409)
    // a newer version replaces the waiting one
    await author.call(updateAsset, { params: { id: assetId }, body: { bodyMarkdown: 'three' } })
    await author.call(publishAsset, { params: { id: assetId } })
    expect((await again()).body.pendingRelease).toMatchObject({ version: '1.0.3' })
    const releases = () =>
      server.sql('select version, status from market_release where entry_id = $1 order by submitted_at', [id])
    expect(await releases()).toEqual([
      { version: '1.0.0', status: 'APPROVED' },
      { version: '1.0.2', status: 'ARCHIVED' },
      { version: '1.0.3', status: 'PENDING' },
    ])
    await approveEntry(operator, author, { id })
    expect(await item(id)).toMatchObject({ name: 'Kept anew', version: '1.0.3' })
    expect(await names({ search: 'anew' })).toEqual(['Kept anew'])
    expect(await counts()).toEqual([{ category: 'FINANCE', type: 'PROMPT', n: 1 }])
    const { pendingRelease } = await author.call(readEntry, { params: { id } })
    expect(pendingRelease).toBeNull()
  })

  it('keeps ratings and installs when it is listed again', async () => {
    const { id, assetId } = await list('Back')
    await server.sql(
      `update market_listing set install_count = 7, recent_installers = 3, rating_sum = 9, rating_count = 2, rating_rank = 3.25
       where entry_id = $1`,
      [id],
    )
    await author.call(withdrawEntry, { params: { id } })
    const again = await makeApprovedEntry(operator, author, { assetId: defined(assetId) })
    expect(again).toMatchObject({
      id,
      installCount: 7,
      ratingAverage: 4.5,
      ratingCount: 2,
      status: 'APPROVED',
    })
    const [row] = await server.sql(
      `select recent_installers, rating_rank, popularity - extract(epoch from approved_at)::float8 / (90 * 86400) as popular
       from market_listing where entry_id = $1`,
      [id],
    )
    expect(row).toEqual({ recent_installers: 3, rating_rank: 3.25, popular: expect.closeTo(2, 5) })
  })

  it('is counted exactly under concurrent changes', async () => {
    const entries = await Promise.all(
      Array.from({ length: 6 }, (_, n) => makeSubmission(author, { asset: { name: `Race ${n}` } })),
    )
    await Promise.all(entries.map(entry => approveEntry(operator, author, entry)))
    expect(await counts()).toEqual([{ category: 'PRODUCTIVITY', type: 'PROMPT', n: 6 }])
    await Promise.all(
      entries.flatMap(({ id }, n) => [
        author
          .call(updateEntry, { params: { id }, body: { category: n % 2 ? 'FINANCE' : 'OTHER' } })
          .catch(() => {}),
        n < 3 && author.call(withdrawEntry, { params: { id } }),
        author.call(updateEntry, { params: { id }, body: { category: 'SALES_CRM' } }).catch(() => {}),
      ]),
    )
    const listed = await server.sql(
      `select category, type, count(*)::int as n from market_listing where is_listed group by 1, 2 order by 1, 2`,
    )
    expect(await counts()).toEqual(listed)
    expect((await page()).total).toBe(3)
  })

  it('is not listed after a concurrent approval and withdrawal, in either order', async () => {
    const waiting = await makeSubmission(author)
    await Promise.all([
      approveEntry(operator, author, waiting).catch(() => {}),
      author.call(withdrawEntry, { params: { id: waiting.id } }),
    ])
    const { status } = await author.call(readEntry, { params: { id: waiting.id } })
    expect([status, (await page()).total]).toEqual(['ARCHIVED', 0])
    expect(await counts()).toEqual([])
  })
})
