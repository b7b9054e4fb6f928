import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AssetOrder, assetOrders, listAssets } from '#contract/studio/assets.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import type { Grantee } from '#server/studio/shares/share.rules.ts'
import { defined, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import { makeUnit } from '#tests/support/studio/assets.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { seedShares } from '../../../../../bench/shares.ts'
import { readable, readerOf } from '../../asset.access.ts'
import { type AssetBucketFields, departmentSetId } from '../../asset.rules.ts'
import { addToCounters, counterRows } from '../counters/asset-counters.sql.ts'

/**
 * Lists of people with many departments and shares are made in other ways than those of others: parts of the
 * catalogue are scanned, or left to be read share by share. Each page must be what the plain predicate gives.
 */
let server: TestServer
let people: Person[]
let organizationId: string
type Made = AssetBucketFields & { id: string; uses: number }
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.organization()
  organizationId = organization.id
  const admin = await organization.person({ role: 'ADMIN' })
  people = await Promise.all(Array.from({ length: 6 }, () => organization.person()))
  const [many, few, member, last, author] = people as [Person, Person, Person, Person, Person]
  const departments = await Promise.all(
    Array.from({ length: 30 }, () => makeUnit('DEPARTMENT', admin, [many])),
  )
  await makeUnit('WORKSPACE', admin, [author, member])
  const [group, other] = [
    { type: 'GROUP', id: await makeUnit('GROUP', admin, [many, member, author]) },
    { type: 'GROUP', id: await makeUnit('GROUP', admin, [member, last]) },
  ] as const
  const assets = Array.from({ length: 1_200 }, (_, at): Made => {
    const visibility = defined(
      (['PRIVATE', 'PRIVATE', 'PRIVATE', 'DEPARTMENT', 'ORGANIZATION', 'WORKSPACE'] as const)[at % 6],
    )
    return {
      id: newId(),
      author_id: itemAt(people, at % 5).id,
      visibility,
      status: at % 50 === 0 ? 'ARCHIVED' : 'DRAFT',
      type: at % 7 === 0 ? 'PLUGIN' : 'PROMPT',
      department_set: visibility === 'DEPARTMENT' ? departmentSetId([itemAt(departments, at % 30)]) : '',
      uses: (at * 7) % 100,
    }
  })
  await insert(assets, departments)

  const closed = assets.filter(({ visibility }) => visibility !== 'ORGANIZATION')
  const share = (some: Made[], grantees: readonly Grantee[], given = {}) => {
    const but = (at: number) => grantees.filter(({ id }) => id !== itemAt(some, at).author_id)
    const ids = some.map(({ id }) => id)
    return seedShares(server.api.services.database, organizationId, ids, but, given)
  }
  const person = ({ id }: Person): Grantee => ({ type: 'USER', id })
  const every = (n: number, at = 0) => closed.filter((_, place) => place % n === at)
  await share(every(3), [person(many)])
  await share(every(3, 1), [group])
  await share(every(6, 2), [person(few), group, other])
  await share(every(24, 5), [person(member)])
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  await share(every(12, 5), [other], { expiresAt })
  await share(every(10, 3), [person(many), other], { expiresAt })
  await share(
    assets.filter((_, place) => place % 40 === 0),
    [person(few), person(last)],
  )
  // among many these come last: a walk to them is led astray
  await share(closed.slice(0, 120), [person(last)])
  await server.sql(
    `update asset_share set expires_at = now() - interval '1 minute' where expires_at is not null and asset_id = any($1)`,
    [every(4, 3).map(({ id }) => id)],
  )
})
afterAll(() => server.close())

/** Assets as the lists see them, the first the oldest. */
async function insert(assets: Made[], departments: string[]): Promise<void> {
  await insertRows(
    server,
    'department_set',
    departments.map(id => ({
      organization_id: organizationId,
      id: departmentSetId([id]),
      department_id: id,
    })),
  )
  const common = assets.map(({ type, visibility, department_set, status, author_id }, place) => ({
    organization_id: organizationId,
    type,
    visibility,
    department_set,
    status,
    author_id,
    created_at: secondsAgo((1_199 - place) * 3_600),
  }))
  await insertRows(
    server,
    'asset',
    assets.map(({ id }, place) => {
      const columns = itemAt(common, place)
      return {
        ...columns,
        id,
        slug: id,
        name_folded: `asset ${(1_199 - place) % 90}`,
        updated_at: columns.created_at,
      }
    }),
  )
  await insertRows(
    server,
    'asset_counter',
    assets.map(({ id, uses }, place) => ({
      ...itemAt(common, place),
      asset_id: id,
      usage_count: uses,
    })),
  )
  const rows = assets.flatMap(asset => counterRows(asset.id, undefined, asset))
  const byCounter = Map.groupBy(rows, ({ counts, ...place }) => JSON.stringify(place))
  await server.api.services.database.transact(organizationId, tx =>
    addToCounters(
      tx,
      [...byCounter.values()].map(same => ({
        ...firstOf(same),
        counts: firstOf(same).counts.map((_, at) =>
          same.reduce((sum, row) => sum + itemAt(row.counts, at), 0),
        ),
      })),
    ),
  )
}

const keys: Record<AssetOrder, string> = {
  popular: 'c.usage_count desc, c.score desc, a.created_at desc, a.id desc',
  recent: 'a.updated_at desc, a.id desc',
  name: 'a.name_folded, a.id',
}

/** All that a person may read, in order, by the predicate that access.ts has for a single asset. */
async function plainly(person: Person, orderBy: AssetOrder, where = 'true'): Promise<string[]> {
  const caller = defined(await server.api.identity.recognise.person(person.token))
  const all = sql<{ id: string }, ReturnType<typeof readerOf>>(
    `select a.id from asset a
     join asset_counter c on c.organization_id = $organization and c.asset_id = a.id
     where a.organization_id = $organization and a.listed and a.status <> 'ARCHIVED' and ${where} and ${readable}
     order by ${keys[orderBy]}`,
  )
  const rows = await server.api.services.database.of(organizationId).rows(all, readerOf(caller))
  return rows.map(({ id }) => id)
}

async function page(person: Person, query: object) {
  const { items, total } = await person.call(listAssets, { query: query as never })
  return { ids: items.map(({ id }) => id), total }
}

it.each(assetOrders)('lists by %s what the predicate says, near and far', async orderBy => {
  for (const person of people) {
    const all = await plainly(person, orderBy)
    for (const [limit, offset] of [
      [20, 0],
      [100, 60],
      [100, 500],
      [100, 5_000],
    ] as const) {
      const expected = { ids: all.slice(offset, offset + limit), total: all.length }
      expect(await page(person, { orderBy, limit, offset })).toEqual(expected)
    }
  }
})

it.each([
  ['visibility', { visibility: 'PRIVATE' }, `a.visibility = 'PRIVATE'`],
  ['visibility of departments', { visibility: 'DEPARTMENT' }, `a.visibility = 'DEPARTMENT'`],
  ['type', { type: 'PLUGIN' }, `a.type = 'PLUGIN'`],
  ['status', { status: 'DRAFT', type: 'PLUGIN' }, `a.status = 'DRAFT' and a.type = 'PLUGIN'`],
])('narrows by %s', async (_, query, where) => {
  for (const person of people) {
    const all = await plainly(person, 'recent', where)
    for (const offset of [0, 40]) {
      const expected = { ids: all.slice(offset, offset + 30), total: all.length }
      expect(await page(person, { ...query, orderBy: 'recent', limit: 30, offset })).toEqual(expected)
    }
  }
})

it('narrows by author', async () => {
  for (const person of people) {
    for (const { id: authorId } of [firstOf(people), itemAt(people, 4)]) {
      const all = await plainly(person, 'name', `a.author_id = '${authorId}'`)
      expect(await page(person, { authorId, orderBy: 'name', limit: 50 })).toEqual({
        ids: all.slice(0, 50),
        total: all.length,
      })
    }
  }
})

it('finds what is shared', async () => {
  const word = `zz${newId()}`
  const closed = await server.sql<{ id: string }>(
    `select s.asset_id as id from asset_share s where s.grantee_id = $1 and s.visibility = 'PRIVATE' and s.status_type in (1, 6)
     order by 1 limit 15`,
    [firstOf(people).id],
  )
  const { database } = server.api.services
  const { putIntoSearch } = await import('../indexing/asset-index.sql.ts')
  for (const { id } of closed) {
    const asset = only(
      await server.sql<Parameters<typeof putIntoSearch>[2] & { name: string; slug: string }>(
        'select * from asset where id = $1',
        [id],
      ),
    )
    const text = { name: asset.name, slug: asset.slug, tags: [], description: word, bodyMarkdown: '' }
    await database.transact(organizationId, tx => putIntoSearch(tx, id, asset, text))
  }
  for (const person of people) {
    const may = new Set(await plainly(person, 'name'))
    const found = await page(person, { search: word, orderBy: 'name', limit: 100 })
    expect([...found.ids].sort()).toEqual(
      closed
        .map(({ id }) => id)
        .filter(id => may.has(id))
        .sort(),
    )
  }
})
