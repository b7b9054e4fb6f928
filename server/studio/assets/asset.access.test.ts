import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AssetOrder,
  assetOrders,
  assetStatuses,
  assetTypes,
  listAssets,
  readAsset,
  removeAsset,
  updateAsset,
  type Visibility,
  visibilities,
} from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import type { Caller } from '#platform/http/caller.ts'
import { defined, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { linkAsset, makeAsset, makeCollection, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { assetFor, mayRead, readersOf } from './asset.access.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ poolSize: 4 })
})
afterAll(() => server.close())

/** People, units and assets. The model decides in plain code who may read what. */
type ModelAsset = {
  id: string
  slug: string
  author: number
  visibility: Visibility
  departments: number[]
  type: string
  status: string
  isGone: boolean
  shares: { kind: 'USER' | 'GROUP' | 'DEPARTMENT'; to: number; level: number; isOver: boolean }[]
  collections: number[]
  entities: string[]
}
type ModelUnits = { departments: number[][]; workspaces: number[][]; groups: number[][] }

const people = 5
const adminAt = 4
const anyMembers = fc.uniqueArray(fc.nat(people - 2), { minLength: 1, maxLength: people - 1 })
const anyUnits = fc.tuple(anyMembers, anyMembers, anyMembers).map(units => [...units])
const anyShare = fc.record({
  kind: fc.constantFrom('USER' as const, 'GROUP' as const, 'DEPARTMENT' as const),
  to: fc.nat(2),
  level: fc.integer({ min: 1, max: 3 }),
  isOver: fc.boolean(),
})
const anyAsset = fc.record({
  author: fc.nat(people - 2),
  visibility: fc.constantFrom(...visibilities),
  departments: fc.subarray([0, 1, 2]),
  type: fc.constantFrom(...assetTypes),
  fate: fc.constantFrom('stays', 'stays', 'published', 'archived', 'deleted', 'moved'),
  movesTo: fc.constantFrom(...visibilities),
  movesInto: fc.subarray([0, 1, 2]),
  shares: fc.uniqueArray(anyShare, { maxLength: 2, selector: share => `${share.kind}${share.to}` }),
  collections: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
  entities: fc.uniqueArray(fc.constantFrom('lead/1', 'lead/2', 'ticket/1'), { maxLength: 2 }),
})
const anyModel = fc.record({
  departments: anyUnits,
  workspaces: anyUnits,
  groups: anyUnits,
  assets: fc.array(anyAsset, { minLength: 4, maxLength: 12 }),
})

/** 0 nothing, 1 READ, 2 EDIT, 3 ADMIN (ACL-1). */
function levelOf(units: ModelUnits, who: number, asset: ModelAsset): number {
  if (who === adminAt || asset.author === who) return 3
  const shared = asset.shares.filter(({ kind, to, isOver }) => {
    if (isOver) return false
    if (kind === 'USER') return to === who
    return itemAt(kind === 'GROUP' ? units.groups : units.departments, to).includes(who)
  })
  const readableByVisibility = {
    ORGANIZATION: true,
    MARKETPLACE: true,
    DEPARTMENT: asset.departments.some(at => itemAt(units.departments, at).includes(who)),
    WORKSPACE: units.workspaces.some(members => members.includes(who) && members.includes(asset.author)),
    PRIVATE: false,
  }[asset.visibility]
  return Math.max(readableByVisibility ? 1 : 0, ...shared.map(({ level }) => level))
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

async function build(model: typeof anyModel extends fc.Arbitrary<infer Given> ? Given : never) {
  const organization = await server.organization()
  const persons: Person[] = []
  for (let at = 0; at < people; at++) {
    persons.push(await organization.person({ role: at === adminAt ? 'ADMIN' : 'MEMBER' }))
  }
  const admin = itemAt(persons, adminAt)
  const units = async (kind: 'DEPARTMENT' | 'WORKSPACE' | 'GROUP', members: number[][]) =>
    Promise.all(
      members.map(some =>
        makeUnit(
          kind,
          admin,
          some.map(at => itemAt(persons, at)),
        ),
      ),
    )
  const departments = await units('DEPARTMENT', model.departments)
  await units('WORKSPACE', model.workspaces)
  const groups = await units('GROUP', model.groups)
  const collections = [await makeCollection(admin), await makeCollection(admin)]
  const assets: ModelAsset[] = []
  for (const plan of model.assets) {
    const author = itemAt(persons, plan.author)
    const { visibility, type } = plan
    const created = await makeAsset(author, {
      visibility,
      type,
      name: 'Gärtner report',
      departments: plan.departments.map(at => itemAt(departments, at)),
      collectionIds: plan.collections.map(at => itemAt(collections, at)),
    })
    const known: ModelAsset = {
      ...plan,
      id: created.id,
      slug: created.slug,
      status: 'DRAFT',
      isGone: plan.fate === 'deleted',
    }
    const params = { id: created.id }
    for (const { kind, to, level, isOver } of plan.shares) {
      const grantee =
        kind === 'USER' ? itemAt(persons, to).id : itemAt(kind === 'GROUP' ? groups : departments, to)
      // The author has full access, and nobody can share with them
      if (grantee === author.id) continue
      const expiresAt = isOver ? '2020-01-01' : level === 2 ? tomorrow : null
      await shareAsset(server, author, created.id, kind, grantee, {
        level: defined((['READ', 'EDIT', 'ADMIN'] as const)[level - 1]),
        expiresAt,
      })
    }
    for (const entity of plan.entities)
      await linkAsset(author, created.id, ...(entity.split('/') as [string, string]))
    if (plan.fate === 'published') known.status = (await author.call(publishAsset, { params })).status
    if (plan.fate === 'archived') known.status = (await author.call(archiveAsset, { params })).status
    if (plan.fate === 'deleted') await author.call(removeAsset, { params })
    if (plan.fate === 'moved') {
      const moved = {
        visibility: plan.movesTo,
        departments: plan.movesInto.map(at => itemAt(departments, at)),
      }
      await author.call(updateAsset, { params, body: moved })
      Object.assign(known, { visibility: plan.movesTo, departments: plan.movesInto })
    }
    assets.push(known)
  }
  return { persons, collections, assets, organization }
}

async function callerOf(token: string): Promise<Caller> {
  return defined(await server.api.identity.recognise.person(token))
}

describe('access to an asset', () => {
  it('is the same in the detail, lists, filters, searches, totals and streams', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(anyModel, async model => {
        const { persons, assets, organization, collections } = await build(model)
        const db = server.api.services.database.of(organization.id)
        const readers = await readersOf(
          db,
          assets.map(({ id }) => id),
        )
        for (const [who, person] of persons.entries()) {
          const caller = await callerOf(person.token)
          for (const asset of assets) {
            const level = levelOf(model, who, asset)
            expect(mayRead(caller, defined(readers.get(asset.id)))).toBe(level > 0)
            const { status, body } = await person.send(readAsset, { params: { id: asset.id } })
            const expected =
              asset.isGone || level === 0 ? [404, undefined] : [200, ['', 'READ', 'EDIT', 'ADMIN'][level]]
            expect([status, status === 200 ? body.access : undefined]).toEqual(expected)
          }
          await checkLists(
            person,
            assets.filter(asset => !asset.isGone && levelOf(model, who, asset) > 0),
            collections,
            persons,
          )
        }
        await checkDenormalizedCopies(organization.id)
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })

  it('does not exist for an unknown asset or one of another organization', async () => {
    const person = await (await server.organization()).person({ role: 'OWNER' })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const { id } = await makeAsset(stranger, { visibility: 'ORGANIZATION' })
    const caller = await callerOf(person.token)
    const db = server.api.services.database.of(person.organizationId)
    await expect(assetFor(db, caller, id, 'read')).rejects.toMatchObject({ code: 'ASSET_NOT_FOUND' })
    expect(await readersOf(db, [id, 'none'])).toEqual(new Map())
  })
})

/** Runs all filters and searches, with the orders in turn. */
async function checkLists(person: Person, readable: ModelAsset[], collections: string[], persons: Person[]) {
  const live = readable.filter(({ status }) => status !== 'ARCHIVED')
  const by = (keep: (asset: ModelAsset) => boolean) => live.filter(keep)
  const type = readable[0]?.type ?? 'SKILL'
  const [first, second] = collections as [string, string]
  const inFirst = by(asset => asset.collections.includes(0))
  const leadTwo = by(asset => asset.entities.includes('lead/2'))
  const expected: [query: object, assets: ModelAsset[]][] = [
    [{}, live],
    ...assetStatuses.map(
      status => [{ status }, readable.filter(asset => asset.status === status)] as [object, ModelAsset[]],
    ),
    ...visibilities.map(
      visibility => [{ visibility }, by(asset => asset.visibility === visibility)] as [object, ModelAsset[]],
    ),
    ...persons.map(
      ({ id: authorId }, at) => [{ authorId }, by(asset => asset.author === at)] as [object, ModelAsset[]],
    ),
    [{ type }, by(asset => asset.type === type)],
    [{ type, authorId: person.id }, by(asset => asset.type === type && persons[asset.author] === person)],
    [{ collectionId: first }, inFirst],
    [
      { collectionId: second, authorId: firstOf(persons).id },
      by(asset => asset.collections.includes(1) && asset.author === 0),
    ],
    [{ entityType: 'lead' }, by(asset => asset.entities.some(entity => entity.startsWith('lead/')))],
    [{ entityId: '1' }, by(asset => asset.entities.some(entity => entity.endsWith('/1')))],
    [{ entityType: 'lead', entityId: '2' }, leadTwo],
    [
      { entityType: 'lead', entityId: '2', collectionId: first },
      leadTwo.filter(asset => inFirst.includes(asset)),
    ],
  ]
  await Promise.all(
    expected.map(async ([query, assets], at) => {
      const ids = assets.map(({ id }) => id).sort()
      for (const search of [undefined, 'gartner REPO']) {
        const orderBy = assetOrders[at % 3] as AssetOrder
        const { items, total } = await person.call(listAssets, { query: { ...query, search, orderBy } })
        expect(
          [items.map(({ id }) => id).sort(), total],
          JSON.stringify({ ...query, search, orderBy }),
        ).toEqual([ids, ids.length])
      }
    }),
  )
}

/** Checks that all denormalized copies agree with the asset. */
async function checkDenormalizedCopies(organizationId: string) {
  const copies = only(
    await server.sql<{ n: number }>(
      `select count(*)::integer as n from asset a left join asset_counter c using (organization_id)
     where organization_id = $1 and a.id = c.asset_id and (a.type, a.status, a.visibility, a.department_set, a.author_id,
       a.listed, a.created_at) = (c.type, c.status, c.visibility, c.department_set, c.author_id, c.listed, c.created_at)`,
      [organizationId],
    ),
  )
  const assets = only(
    await server.sql<{ n: number; listed: number }>(
      'select count(*)::integer as n, (count(*) filter (where listed))::integer as listed from asset where organization_id = $1',
      [organizationId],
    ),
  )
  expect(copies.n).toBe(assets.n)
  const placed = only(
    await server.sql(
      `select sum(n)::integer as n from asset_bucket_count, unnest(counts) n where organization_id = $1 and visibility = '+'`,
      [organizationId],
    ),
  )
  expect(placed.n).toBe(assets.n)
  const searched = only(
    await server.sql('select count(*)::integer as n from asset_search where organization_id = $1', [
      organizationId,
    ]),
  )
  expect(searched.n).toBe(assets.listed)
  const shares = only(
    await server.sql<{ n: number; same: number }>(
      `select count(*)::integer as n, (count(*) filter (where (s.author_id, s.visibility, s.department_set, s.status_type) =
       (a.author_id, a.visibility, a.department_set, case when a.listed then
         (array_position($2::text[], a.status) - 1) * 5 + array_position($3::text[], a.type) else 0 end)))::integer as same
     from asset_share s join asset a using (organization_id) where organization_id = $1 and a.id = s.asset_id`,
      [organizationId, assetStatuses, assetTypes],
    ),
  )
  expect(shares.same).toBe(shares.n)
  expect(await shareCounts(organizationId, 'share_bucket_count')).toEqual(
    await shareCounts(organizationId, countedShares),
  )
  const negative = await server.sql(
    'select 1 from asset_bucket_count where organization_id = $1 and 0 > any(counts)',
    [organizationId],
  )
  expect(negative).toEqual([])
}

/** The counters of shares, as stored or as computed from the shares. */
function shareCounts(organizationId: string, source: string) {
  return server.sql(
    `select key, grantee_id, visibility, status_type, since, n from ${source} t where organization_id = $1 and n <> 0
     order by 1, 2, 3, 4, 5`,
    [organizationId],
  )
}
const countedShares = `(
  select s.organization_id, k.key, s.grantee_id, s.visibility, s.status_type, s.since, count(*)::integer as n
  from asset_share s cross join lateral (
    select distinct key from unnest(array['', case when s.visibility = 'DEPARTMENT' then s.department_set
      when s.visibility = 'WORKSPACE' or s.unit_id is not null then s.author_id else '' end]) key) k
  where s.expires_at is null and s.status_type > 0 and s.visibility in ('PRIVATE', 'WORKSPACE', 'DEPARTMENT')
    and (s.person_id is not null or (s.visibility <> 'DEPARTMENT' and not exists (
      select from asset_share o where o.organization_id = s.organization_id and o.asset_id = s.asset_id and o.id <> s.id)))
  group by 1, 2, 3, 4, 5, 6)`
