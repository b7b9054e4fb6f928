import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { foldedName } from '#platform/fold.ts'
import { firstId } from '#platform/ids.ts'
import { type AssetRow, accessLevel, type Reader, readable, restorable } from './asset.access.ts'
import type { AssetBucketFields } from './asset.rules.ts'

/** An asset as lists show it. */
export type AssetItemRow = Omit<AssetRow, 'department_set'> & {
  verified: boolean
  usage_count: number
  thumbs_up: number
  thumbs_down: number
  author_name: string
  departments: string[]
  collection_ids: string[]
  my_reaction: boolean | null
}

/** The columns of `AssetItemRow`, of an asset `a` with its counters `c` and its author `m`. */
export const itemColumns = `a.id, a.type, a.slug, a.name, a.status, a.visibility, a.current_version_id,
  a.current_version, a.current_published_at, a.created_at, a.updated_at, a.description, a.icon_name, a.color,
  a.tags, a.published_version, coalesce(a.verified_version_id = a.current_version_id, false) as verified,
  c.usage_count, c.thumbs_up, c.thumbs_down, a.author_id, m.name as author_name,
  array(select d.department_id from department_set d
    where d.organization_id = $1 and d.id = a.department_set order by d.department_id) as departments,
  array(select k.collection_id from collection_asset k
    where k.organization_id = $1 and k.asset_id = a.id order by k.added_at, k.collection_id) as collection_ids,
  (select r.positive from asset_reaction r
    where r.organization_id = $1 and r.asset_id = a.id and r.person_id = $2) as my_reaction,
  ${accessLevel} as access`
export const itemJoins = `join asset_counter c on c.organization_id = $1 and c.asset_id = a.id
  join membership m on m.organization_id = $1 and m.person_id = a.author_id`

export type AssetDetailRow = AssetItemRow & {
  body_markdown: string
  frontmatter: Record<string, unknown>
  frontmatter_text: string | null
}

const detail = `${itemColumns}, v.body_markdown, v.frontmatter, v.frontmatter_text`
const detailJoins = `${itemJoins}
  join asset_version v on v.organization_id = $1 and v.id = a.current_version_id`

const selectDetail = sql<AssetDetailRow, [...Reader, id: string]>(`
  select ${detail} from asset a ${detailJoins} where a.organization_id = $1 and a.id = $7 and a.listed`)

/** The asset with its content, or undefined. `access` is 0 if the caller may not read it. */
export function assetDetail(db: Db, reader: Reader, id: string): Promise<AssetDetailRow | undefined> {
  return db.first(selectDetail, ...reader, id)
}

const selectBySlug = sql<AssetDetailRow & { is_current: boolean }, [...Reader, slug: string]>(`
  select ${detail}, g.is_current
  from asset_slug g join asset a on a.organization_id = $1 and a.id = g.asset_id ${detailJoins}
  where g.organization_id = $1 and g.slug = $7 and a.listed`)

/** The asset that has or had the slug. */
export function assetDetailBySlug(db: Db, reader: Reader, slug: string) {
  return db.first(selectBySlug, ...reader, slug)
}

const insertAssetRow = sql<{ created_at: string; updated_at: string }, unknown[]>(`
  insert into asset (organization_id, id, type, slug, name, name_folded, description, icon_name, color,
    visibility, department_set, tags, status, author_id, current_version_id, current_version)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  returning created_at, updated_at`)
const insertCounter = sql<never, [assetId: string]>(`
  insert into asset_counter (organization_id, asset_id, created_at, type, status, visibility, department_set,
    author_id)
  select a.organization_id, a.id, a.created_at, a.type, a.status, a.visibility, a.department_set, a.author_id
  from asset a where a.organization_id = $1 and a.id = $2`)

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

const insertTags = sql<never, [assetId: string, tags: readonly string[]]>(`
  insert into asset_tag (organization_id, tag, asset_id) select $1, t, $2 from unnest($3::text[]) t order by t
  on conflict do nothing`)
const deleteTags = sql<never, [assetId: string, tags: readonly string[]]>(
  'delete from asset_tag g where g.organization_id = $1 and g.tag = any($3::text[]) and g.asset_id = $2',
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
    added.length > 0 && tx.run(insertTags, assetId, added),
    removed.length > 0 && tx.run(deleteTags, assetId, removed),
  ])
}

/** Inserts the asset and its counter row. Callers insert the version, bucket counts and search row alongside. */
export async function insertAsset(tx: Tx, asset: NewAsset): Promise<{ created_at: string }> {
  const { id, type, slug, name, description, icon_name, color, visibility, department_set, tags } = asset
  const { status, author_id, current_version_id, current_version } = asset
  const identityFields = [id, type, slug, name, foldedName(name), description, icon_name, color]
  const catalogFields = [
    visibility,
    department_set,
    tags,
    status,
    author_id,
    current_version_id,
    current_version,
  ]
  const [row] = await Promise.all([
    tx.first(insertAssetRow, ...identityFields, ...catalogFields),
    tx.run(insertCounter, id),
    setTags(tx, id, [], tags),
  ])
  return row!
}

const updateAssetRow = sql<never, unknown[]>(`
  update asset a set slug = $3, name = $4, name_folded = $5, description = $6, icon_name = $7, color = $8,
    visibility = $9, department_set = $10, tags = $11, status = $12, current_version_id = $13,
    current_version = $14, current_published_at = $15, published_version = $16, verified_version_id = $17,
    verified_version = $18, verified_by = $19, verified_at = $20, author_id = $21,
    updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 millisecond')
  where a.organization_id = $1 and a.id = $2`)
const updateCounterRow = sql<
  never,
  [assetId: string, status: string, visibility: string, set: string, authorId: string]
>(`
  update asset_counter c set status = $3, visibility = $4, department_set = $5, author_id = $6
  where c.organization_id = $1 and c.asset_id = $2`)

/** Updates the asset; `updated_at` always increases. `moved`: it changes its access bucket. */
export async function updateAsset(tx: Tx, asset: AssetRow, moved: boolean): Promise<void> {
  const { id, slug, name, description, icon_name, color, visibility, department_set, tags, status } = asset
  const identityFields = [id, slug, name, foldedName(name), description, icon_name, color]
  const catalogFields = [visibility, department_set, tags, status]
  const activeVersion = [asset.current_version_id, asset.current_version, asset.current_published_at]
  const verification = [
    asset.verified_version_id,
    asset.verified_version,
    asset.verified_by,
    asset.verified_at,
  ]
  await Promise.all([
    tx.run(
      updateAssetRow,
      ...identityFields,
      ...catalogFields,
      ...activeVersion,
      asset.published_version,
      ...verification,
      asset.author_id,
    ),
    moved && tx.run(updateCounterRow, id, status, visibility, department_set, asset.author_id),
  ])
}

const selectName = sql<{ name: string }, [personId: string]>(
  'select m.name from membership m where m.organization_id = $1 and m.person_id = $2',
)

/** Whether the person is a current or former member. */
export async function isKnownMember(db: Db, personId: string): Promise<boolean> {
  return (await db.first(selectName, personId)) !== undefined
}

// index asset_recent_author
const selectIdsOfAuthor = sql<{ id: string }, [authorId: string, most: number]>(`
  select a.id from asset a where a.organization_id = $1 and a.author_id = $2 and a.listed
  order by a.updated_at, a.id limit $3`)

/** Ids of up to `most` assets of an author. */
export async function assetsOfAuthor(db: Db, authorId: string, most: number): Promise<string[]> {
  return (await db.rows(selectIdsOfAuthor, authorId, most)).map(({ id }) => id)
}

const countOfAuthor = sql<{ n: number }, [authorId: string]>(`
  select coalesce(sum(n), 0)::integer as n from asset_bucket_count t, unnest(t.counts) n
  where t.organization_id = $1 and t.author_id = $2`)

/** The number of assets of an author. */
export async function countAssetsByAuthor(db: Db, authorId: string): Promise<number> {
  return (await db.first(countOfAuthor, authorId))!.n
}

/** The name of a current or former member. */
export async function memberName(db: Db, personId: string): Promise<string> {
  return (await db.first(selectName, personId))?.name ?? ''
}

const markDeleted = sql<never, [assetId: string, personId: string]>(`
  with marked as (
    update asset a set deleted_at = now(), updated_at = now(), deleted_by = $3 where a.organization_id = $1 and a.id = $2
    returning a.id)
  update asset_counter c set listed = false from marked where c.organization_id = $1 and c.asset_id = marked.id`)

export async function deleteAssetRow(tx: Tx, assetId: string, personId: string): Promise<void> {
  await tx.run(markDeleted, assetId, personId)
}

const markRestored = sql<never, [assetId: string]>(`
  with marked as (
    update asset a set deleted_at = null, deleted_by = null,
      updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 millisecond')
    where a.organization_id = $1 and a.id = $2 returning a.id)
  update asset_counter c set listed = true from marked where c.organization_id = $1 and c.asset_id = marked.id`)

export async function restoreAssetRow(tx: Tx, assetId: string): Promise<void> {
  await tx.run(markRestored, assetId)
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
const deletedAssets = `from asset a where a.organization_id = $1 and ${restorable}
  and ($3::boolean or a.author_id = $2 or a.deleted_by = $2) and ${accessLevel} = 3`
const selectDeleted = sql<DeletedRow, [...Reader, limit: number, offset: number]>(`
  select t.total, i.*
  from (select count(*)::integer as total ${deletedAssets}) t
  left join (
    select a.id, a.type, a.slug, a.name, a.status, a.visibility, a.current_version, a.author_id,
      m.name as author_name, a.deleted_at, a.deleted_by, d.name as deleter_name,
      a.deleted_at + interval '${limits.deletedAssetDays} days' as restorable_until
    from (select a.* ${deletedAssets} order by a.deleted_at desc, a.id desc limit $7 offset $8) a
    join membership m on m.organization_id = $1 and m.person_id = a.author_id
    left join membership d on d.organization_id = $1 and d.person_id = a.deleted_by) i on true
  order by i.deleted_at desc, i.id desc`)

/** A page of the deleted assets that the reader may restore, with the total. */
export function listDeleted(db: Db, reader: Reader, limit: number, offset: number): Promise<DeletedRow[]> {
  return db.rows(selectDeleted, ...reader, limit, offset)
}

const recordUse = sql<
  { usage_count: number },
  [...Reader, assetId: string, useId: string, ...(string | null)[]]
>(`
  with reached as (
    select a.id from asset a where a.organization_id = $1 and a.id = $7 and a.listed and ${readable}),
  recorded as (
    insert into asset_use (organization_id, id, asset_id, person_id, entity_type, entity_id)
    select $1, $8, reached.id, $2, $9, $10 from reached)
  update asset_counter c set usage_count = c.usage_count + 1 from reached
  where c.organization_id = $1 and c.asset_id = reached.id
  returning c.usage_count`)

/** Records and counts a use in one statement. Undefined if the caller may not read the asset. */
export function insertUse(
  tx: Tx,
  reader: Reader,
  use: { id: string; assetId: string; entityType?: string; entityId?: string },
): Promise<{ usage_count: number } | undefined> {
  return tx.first(recordUse, ...reader, use.assetId, use.id, use.entityType ?? null, use.entityId ?? null)
}

// index asset_use_asset: ids are in the order of time
const usesByDay = sql<
  { uses: number },
  [...Reader, assetId: string, firstIds: string[], nextIds: string[], most: number]
>(`
  select (
    select count(*)::int from (
      select from asset_use u
      where u.organization_id = $1 and u.asset_id = a.id and u.id >= d.first_id and u.id < d.next_id
      limit $10) counted) as uses
  from asset a cross join unnest($8::text[], $9::text[]) with ordinality d (first_id, next_id, at)
  where a.organization_id = $1 and a.id = $7 and a.listed and ${readable}
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
  const rows = await db.rows(
    usesByDay,
    ...reader,
    assetId,
    ids.slice(0, -1),
    ids.slice(1),
    limits.assetUsesPerDay,
  )
  return rows.map(({ uses }) => uses)
}

type Counters = { thumbs_up: number; thumbs_down: number }
const lockCounter = sql<Counters, [...Reader, assetId: string]>(`
  select c.thumbs_up, c.thumbs_down
  from asset a join asset_counter c on c.organization_id = $1 and c.asset_id = a.id
  where a.organization_id = $1 and a.id = $7 and a.listed and ${readable}
  for no key update of c`)
const putReaction = sql<Counters, [assetId: string, personId: string, positive: boolean]>(`
  with before as (
    select r.positive from asset_reaction r
    where r.organization_id = $1 and r.asset_id = $2 and r.person_id = $3),
  put as (
    insert into asset_reaction (organization_id, asset_id, person_id, positive)
    select $1, k.asset_id, $3, $4::boolean from asset_counter k where k.organization_id = $1 and k.asset_id = $2
    on conflict (organization_id, asset_id, person_id) do update
      set positive = excluded.positive, created_at = excluded.created_at
      where asset_reaction.positive <> excluded.positive
    returning positive)
  update asset_counter c set
    thumbs_up = c.thumbs_up + case when put.positive then 1 when exists (select from before) then -1 else 0 end,
    thumbs_down = c.thumbs_down + case when not put.positive then 1 when exists (select from before) then -1 else 0 end
  from put where c.organization_id = $1 and c.asset_id = $2
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
  const [before, after] = await Promise.all([
    tx.first(lockCounter, ...reader, assetId),
    // Without access the operation fails and this is rolled back
    tx.first(putReaction, assetId, reader[0], positive),
  ])
  return before && { ...(after ?? before), changed: after !== undefined }
}
