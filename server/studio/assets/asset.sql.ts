import { limits } from '#contract/limits.ts'
import type { AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { nextMillisecond } from '#platform/data/later.ts'
import { sql } from '#platform/data/statement.ts'
import { foldedName } from '#platform/fold.ts'
import { firstId } from '#platform/ids.ts'
import { type AssetRow, accessLevel, type Reader, readable, restorable } from './asset.access.ts'
import type { AssetBucketFields } from './asset.rules.ts'

/** An asset as lists show it. */
export type AssetItemRow = Omit<
  AssetRow,
  'department_set' | 'verified_version_id' | 'verified_version' | 'verified_by' | 'verified_at'
> & {
  verified: boolean
  usage_count: number
  thumbs_up: number
  thumbs_down: number
  author_name: string
  departments: string[]
  collection_ids: string[]
  my_reaction: boolean | null
}

/** The columns of `AssetItemRow`, of an asset `a` and its author `m`; `counters` is the alias of its counters. */
export const itemColumnsWith = (
  access: string,
  counters = 'c',
) => `a.id, a.type, a.slug, a.name, a.status, a.visibility, a.current_version_id,
  a.current_version, a.current_published_at, a.created_at, a.updated_at, a.description, a.icon_name, a.color,
  a.tags, a.published_version, coalesce(a.verified_version_id = a.current_version_id, false) as verified,
  ${counters}.usage_count, ${counters}.thumbs_up, ${counters}.thumbs_down, a.author_id, m.name as author_name,
  case a.department_set when '' then '{}' else array(select d.department_id from department_set d
    where d.organization_id = $organization and d.id = a.department_set order by d.department_id) end as departments,
  array(select k.collection_id from collection_asset k
    where k.organization_id = $organization and k.asset_id = a.id
    order by k.added_at, k.collection_id) as collection_ids,
  (select r.positive from asset_reaction r
    where r.organization_id = $organization and r.asset_id = a.id and r.person_id = $personId) as my_reaction, ${access} as access`
export const itemColumns = itemColumnsWith(accessLevel)
const countersJoin = 'join asset_counter c on c.organization_id = $organization and c.asset_id = a.id'
export const authorJoin = `join membership m on m.organization_id = $organization and m.person_id = a.author_id`
export const itemJoins = `${countersJoin} ${authorJoin}`

export type AssetDetailRow = AssetItemRow & {
  body_markdown: string
  frontmatter: Record<string, unknown>
  frontmatter_text: string | null
}

const detail = `${itemColumns}, v.body_markdown, v.frontmatter, v.frontmatter_text`
const detailJoins = `${itemJoins}
  join asset_version v on v.organization_id = $organization and v.id = a.current_version_id`

const selectDetail = sql<AssetDetailRow, Reader & { id: string }>(`
  select ${detail} from asset a ${detailJoins} where a.organization_id = $organization and a.id = $id and a.listed`)

/** The asset with its content, or undefined. `access` is 0 if the caller may not read it. */
export function assetDetail(db: Db, reader: Reader, id: string): Promise<AssetDetailRow | undefined> {
  return db.first(selectDetail, { ...reader, id })
}

const selectBySlug = sql<AssetDetailRow & { is_current: boolean }, Reader & { slug: string }>(`
  select ${detail}, g.is_current
  from asset_slug g join asset a on a.organization_id = $organization and a.id = g.asset_id ${detailJoins}
  where g.organization_id = $organization and g.slug = $slug and a.listed`)

/** The asset that has or had the slug. */
export function assetDetailBySlug(db: Db, reader: Reader, slug: string) {
  return db.first(selectBySlug, { ...reader, slug })
}

/** The columns that a new and a changed asset write. */
type AssetColumns = {
  slug: string
  name: string
  nameFolded: string
  description: string
  iconName: string | null
  color: string | null
  visibility: Visibility
  departmentSet: string
  tags: readonly string[]
  status: AssetStatus
  authorId: string
  currentVersionId: string
  currentVersion: string
}

function columnsOfAsset(asset: Omit<NewAsset, 'id' | 'type'>): AssetColumns {
  return {
    slug: asset.slug,
    name: asset.name,
    nameFolded: foldedName(asset.name),
    description: asset.description,
    iconName: asset.icon_name,
    color: asset.color,
    visibility: asset.visibility,
    departmentSet: asset.department_set,
    tags: asset.tags,
    status: asset.status,
    authorId: asset.author_id,
    currentVersionId: asset.current_version_id,
    currentVersion: asset.current_version,
  }
}

const insertAssetRow = sql<
  { created_at: string; updated_at: string },
  AssetColumns & { id: string; type: AssetType }
>(`
  ${insertInto(
    'asset',
    `id, type, slug, name, name_folded, description, icon_name, color, visibility, department_set, tags, status, author_id,
      current_version_id, current_version`,
  )}
  returning created_at, updated_at`)
const insertCounter = sql<never, { assetId: string }>(`
  insert into asset_counter (organization_id, asset_id, created_at, type, status, visibility, department_set,
    author_id)
  select a.organization_id, a.id, a.created_at, a.type, a.status, a.visibility, a.department_set, a.author_id
  from asset a where a.organization_id = $organization and a.id = $assetId`)

export type NewAsset = Pick<
  AssetRow,
  | 'id'
  | 'slug'
  | 'name'
  | 'description'
  | 'icon_name'
  | 'color'
  | 'tags'
  | 'current_version_id'
  | 'current_version'
> &
  AssetBucketFields

const insertTags = sql<never, { assetId: string; tags: readonly string[] }>(`
  insert into asset_tag (organization_id, tag, asset_id) select $organization, t, $assetId
  from unnest($tags::text[]) t order by t
  on conflict do nothing returning tag`)
const deleteTags = sql<never, { assetId: string; tags: readonly string[] }>(
  `delete from asset_tag g where g.organization_id = $organization and g.tag = any($tags::text[])
    and g.asset_id = $assetId`,
)

/** Updates the tags by which lists find an asset. */
export async function setTags(
  tx: Tx,
  assetId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const added = after.filter(tag => !before.includes(tag))
  const removed = before.filter(tag => !after.includes(tag))
  await Promise.all([
    added.length > 0 && tx.run(insertTags, { assetId, tags: added }),
    removed.length > 0 && tx.run(deleteTags, { assetId, tags: removed }),
  ])
}

/** Inserts the asset and its counter row. Callers insert the version, bucket counts and search row alongside. */
export async function insertAsset(tx: Tx, asset: NewAsset): Promise<{ created_at: string }> {
  const { id, type, tags } = asset
  const [row] = await Promise.all([
    tx.one(insertAssetRow, { id, type, ...columnsOfAsset(asset) }),
    tx.run(insertCounter, { assetId: id }),
    setTags(tx, id, [], tags),
  ])
  return row
}

type UpdateArgs = AssetColumns & {
  id: string
  currentPublishedAt: string | null
  publishedVersion: string | null
  verifiedVersionId: string | null
  verifiedVersion: string | null
  verifiedBy: string | null
  verifiedAt: string | null
}
const updateAssetRow = sql<never, UpdateArgs>(`
  update asset a set slug = $slug, name = $name, name_folded = $nameFolded, description = $description,
    icon_name = $iconName, color = $color,
    visibility = $visibility, department_set = $departmentSet, tags = $tags, status = $status,
    current_version_id = $currentVersionId,
    current_version = $currentVersion, current_published_at = $currentPublishedAt,
    published_version = $publishedVersion, verified_version_id = $verifiedVersionId,
    verified_version = $verifiedVersion, verified_by = $verifiedBy, verified_at = $verifiedAt, author_id = $authorId,
    updated_at = greatest((select clock_timestamp()), ${nextMillisecond('a.updated_at')})
  where a.organization_id = $organization and a.id = $id`)
const updateCounterRow = sql<
  never,
  { assetId: string; status: string; visibility: string; set: string; authorId: string }
>(`
  update asset_counter c set status = $status, visibility = $visibility, department_set = $set, author_id = $authorId
  where c.organization_id = $organization and c.asset_id = $assetId`)

/** Updates the asset; `updated_at` always increases. `moved`: it changes its access bucket. */
export async function updateAsset(tx: Tx, asset: AssetRow, moved: boolean): Promise<void> {
  const { id, status, visibility, department_set } = asset
  await Promise.all([
    tx.run(updateAssetRow, {
      id,
      ...columnsOfAsset(asset),
      currentPublishedAt: asset.current_published_at,
      publishedVersion: asset.published_version,
      verifiedVersionId: asset.verified_version_id,
      verifiedVersion: asset.verified_version,
      verifiedBy: asset.verified_by,
      verifiedAt: asset.verified_at,
    }),
    moved &&
      tx.run(updateCounterRow, {
        assetId: id,
        status,
        visibility,
        set: department_set,
        authorId: asset.author_id,
      }),
  ])
}

const selectName = sql<{ name: string }, { personId: string }>(
  'select m.name from membership m where m.organization_id = $organization and m.person_id = $personId',
)

/** Whether the person is a current or former member. */
export async function isKnownMember(db: Db, personId: string): Promise<boolean> {
  return (await db.first(selectName, { personId })) !== undefined
}

// index asset_recent_author
const selectIdsOfAuthor = sql<{ id: string }, { authorId: string; most: number }>(`
  select a.id from asset a where a.organization_id = $organization and a.author_id = $authorId and a.listed
  order by a.updated_at, a.id limit $most`)

/** Ids of up to `most` assets of an author. */
export async function assetsOfAuthor(db: Db, authorId: string, most: number): Promise<string[]> {
  return (await db.rows(selectIdsOfAuthor, { authorId, most })).map(({ id }) => id)
}

const countOfAuthor = sql<{ n: number }, { authorId: string }>(`
  select coalesce(sum(n), 0)::integer as n from asset_bucket_count t, unnest(t.counts) n
  where t.organization_id = $organization and t.author_id = $authorId`)

/** The number of assets of an author. */
export async function countAssetsByAuthor(db: Db, authorId: string): Promise<number> {
  return (await db.one(countOfAuthor, { authorId })).n
}

/** The name of a current or former member. */
export async function memberName(db: Db, personId: string): Promise<string> {
  return (await db.first(selectName, { personId }))?.name ?? ''
}

const markDeleted = sql<never, { assetId: string; personId: string }>(`
  with marked as (
    update asset a set deleted_at = now(), updated_at = now(), deleted_by = $personId
    where a.organization_id = $organization and a.id = $assetId
    returning a.id)
  update asset_counter c set listed = false from marked
  where c.organization_id = $organization and c.asset_id = marked.id`)

export async function deleteAssetRow(tx: Tx, assetId: string, personId: string): Promise<void> {
  await tx.run(markDeleted, { assetId, personId })
}

const markRestored = sql<never, { assetId: string }>(`
  with marked as (
    update asset a set deleted_at = null, deleted_by = null,
      updated_at = greatest((select clock_timestamp()), ${nextMillisecond('a.updated_at')})
    where a.organization_id = $organization and a.id = $assetId returning a.id)
  update asset_counter c set listed = true from marked
  where c.organization_id = $organization and c.asset_id = marked.id`)

export async function restoreAssetRow(tx: Tx, assetId: string): Promise<void> {
  await tx.run(markRestored, { assetId })
}

/** A deleted asset that the reader may restore. An empty page has one row with the total alone. */
export type DeletedRow = { total: number } & (
  | { id: null }
  | (Pick<
      AssetRow,
      'id' | 'type' | 'slug' | 'name' | 'status' | 'visibility' | 'current_version' | 'author_id'
    > & {
      author_name: string
      deleted_at: string
      deleted_by: string | null
      deleter_name: string | null
      restorable_until: string
    })
)
// index asset_restorable
const deletedAssets = `from asset a where a.organization_id = $organization and ${restorable}
  and ($isAdministrator::boolean or a.author_id = $personId or a.deleted_by = $personId) and ${accessLevel} = 3`
const selectDeleted = sql<DeletedRow, Reader & { limit: number; offset: number }>(`
  select t.total, i.*
  from (select count(*)::integer as total ${deletedAssets}) t
  left join (
    select a.id, a.type, a.slug, a.name, a.status, a.visibility, a.current_version, a.author_id,
      m.name as author_name, a.deleted_at, a.deleted_by, d.name as deleter_name,
      a.deleted_at + interval '${limits.deletedAssetDays} days' as restorable_until
    from (select a.* ${deletedAssets} order by a.deleted_at desc, a.id desc limit $limit offset $offset) a
    join membership m on m.organization_id = $organization and m.person_id = a.author_id
    left join membership d on d.organization_id = $organization and d.person_id = a.deleted_by) i on true
  order by i.deleted_at desc, i.id desc`)

/** A page of the deleted assets that the reader may restore, with the total. */
export function listDeleted(db: Db, reader: Reader, limit: number, offset: number): Promise<DeletedRow[]> {
  return db.rows(selectDeleted, { ...reader, limit, offset })
}

const recordUse = sql<
  { usage_count: number },
  Reader & { assetId: string; useId: string; entityType: string | null; entityId: string | null }
>(`
  with reached as (
    select a.id from asset a where a.organization_id = $organization and a.id = $assetId and a.listed
      and ${readable}),
  recorded as (
    insert into asset_use (organization_id, id, asset_id, person_id, entity_type, entity_id)
    select $organization, $useId, reached.id, $personId, $entityType, $entityId from reached)
  update asset_counter c set usage_count = c.usage_count + 1 from reached
  where c.organization_id = $organization and c.asset_id = reached.id
  returning c.usage_count`)

/** Records and counts a use in one statement. Undefined if the caller may not read the asset. */
export function insertUse(
  tx: Tx,
  reader: Reader,
  use: { id: string; assetId: string; entityType?: string; entityId?: string },
): Promise<{ usage_count: number } | undefined> {
  return tx.first(recordUse, {
    ...reader,
    assetId: use.assetId,
    useId: use.id,
    entityType: use.entityType ?? null,
    entityId: use.entityId ?? null,
  })
}

// index asset_use_asset: ids are in the order of time
const usesByDay = sql<
  { uses: number },
  Reader & { assetId: string; firstIds: string[]; nextIds: string[]; most: number }
>(`
  select (
    select count(*)::int from (
      select from asset_use u
      where u.organization_id = $organization and u.asset_id = a.id and u.id >= d.first_id and u.id < d.next_id
      limit $most) counted) as uses
  from asset a cross join unnest($firstIds::text[], $nextIds::text[]) with ordinality d (first_id, next_id, at)
  where a.organization_id = $organization and a.id = $assetId and a.listed and ${readable}
  order by d.at`)

/**
 * Counts the uses of an asset on each day, up to a maximum. `starts`: when the days begin and the last one ends, in
 * milliseconds since 1970, in order. Empty if the caller may not read the asset.
 */
export async function countUsesByDay(
  db: Db,
  reader: Reader,
  assetId: string,
  starts: readonly number[],
): Promise<number[]> {
  const ids = starts.map(firstId)
  const rows = await db.rows(usesByDay, {
    ...reader,
    assetId,
    firstIds: ids.slice(0, -1),
    nextIds: ids.slice(1),
    most: limits.assetUsesPerDay,
  })
  return rows.map(({ uses }) => uses)
}

type Counters = { thumbs_up: number; thumbs_down: number }
const lockCounter = sql<Counters, Reader & { assetId: string }>(`
  select c.thumbs_up, c.thumbs_down
  from asset a join asset_counter c on c.organization_id = $organization and c.asset_id = a.id
  where a.organization_id = $organization and a.id = $assetId and a.listed and ${readable}
  for no key update of c`)
const putReaction = sql<Counters, { assetId: string; personId: string; positive: boolean }>(`
  with before as (
    select r.positive from asset_reaction r
    where r.organization_id = $organization and r.asset_id = $assetId and r.person_id = $personId),
  put as (
    insert into asset_reaction (organization_id, asset_id, person_id, positive)
    select $organization, k.asset_id, $personId, $positive::boolean from asset_counter k
    where k.organization_id = $organization and k.asset_id = $assetId
    on conflict (organization_id, asset_id, person_id) do update
      set positive = excluded.positive, created_at = excluded.created_at
      where asset_reaction.positive <> excluded.positive
    returning positive)
  update asset_counter c set
    thumbs_up = c.thumbs_up + case when put.positive then 1 when exists (select from before) then -1 else 0 end,
    thumbs_down = c.thumbs_down + case when not put.positive then 1 when exists (select
      from before) then -1 else 0 end
  from put where c.organization_id = $organization and c.asset_id = $assetId
  returning c.thumbs_up, c.thumbs_down`)

/**
 * Sets the reaction of a person. Locks the counter row first, so that reactions to one asset run one after the other and
 * the counters always match the reactions. Undefined if the caller may not read the asset.
 */
export async function setReaction(
  tx: Tx,
  reader: Reader,
  assetId: string,
  positive: boolean,
): Promise<(Counters & { changed: boolean }) | undefined> {
  const [before, after] = await tx.inOrder(
    () => tx.first(lockCounter, { ...reader, assetId }),
    // Without access the operation fails and this is rolled back
    () => tx.first(putReaction, { assetId, personId: reader.personId, positive }),
  )
  return before && { ...(after ?? before), changed: after !== undefined }
}
