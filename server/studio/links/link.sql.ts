import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import {
  callerUnits,
  isReadableWithoutShare,
  isSharedWithCaller,
  type Reader,
} from '../assets/asset.access.ts'
import { type AssetItemRow, itemColumns, itemJoins } from '../assets/asset.sql.ts'

export type AssetLinkRow = {
  id: string
  asset_id: string
  entity_type: string
  entity_id: string
  note: string | null
  created_by: string
  creator_name: string
  created_at: string
}

const columns = `l.id, l.asset_id, l.entity_type, l.entity_id, l.note, l.created_by, m.name as creator_name, l.created_at`
const creator = 'join membership m on m.organization_id = $organization and m.person_id = l.created_by'

/** A link is unique by its asset and entity. */
type LinkKey = { assetId: string; entityType: string; entityId: string }
const insert = sql<never, LinkKey & { id: string; note: string | null; personId: string }>(`
  insert into asset_link (organization_id, asset_id, entity_type, entity_id, id, note, created_by)
  select a.organization_id, a.id, $entityType, $entityId, $id, $note, $personId from asset a
  where a.organization_id = $organization and a.id = $assetId
  on conflict (organization_id, entity_type, entity_id, asset_id) do nothing
  returning id`)
const selectLink = sql<AssetLinkRow, LinkKey>(`
  select ${columns} from asset_link l ${creator}
  where l.organization_id = $organization and l.asset_id = $assetId and l.entity_type = $entityType
    and l.entity_id = $entityId`)
const countOfAsset = sql<{ n: number }, { assetId: string }>(
  'select count(*) as n from asset_link l where l.organization_id = $organization and l.asset_id = $assetId',
)

/**
 * Links an asset to an entity unless the link exists. Returns the link, whether it is new, and the number of links of the
 * asset. `link` is undefined if the asset does not exist.
 */
export async function insertLink(
  tx: Tx,
  link: { id: string; assetId: string; entityType: string; entityId: string; note: string | null },
  personId: string,
): Promise<{ link: AssetLinkRow | undefined; isNew: boolean; count: number }> {
  const key: LinkKey = { assetId: link.assetId, entityType: link.entityType, entityId: link.entityId }
  const [inserted, row, count] = await Promise.all([
    tx.run(insert, { ...key, id: link.id, note: link.note, personId }),
    tx.first(selectLink, key),
    tx.one(countOfAsset, { assetId: link.assetId }),
  ])
  return { link: row, isNew: inserted > 0, count: count.n }
}

const deleteRow = sql<never, { assetId: string; id: string }>(
  'delete from asset_link l where l.organization_id = $organization and l.asset_id = $assetId and l.id = $id',
)

/** Deletes a link. False if the asset has no such link. */
export async function deleteLink(tx: Tx, assetId: string, id: string): Promise<boolean> {
  return (await tx.run(deleteRow, { assetId, id })) > 0
}

/** An empty page has one row with the total alone. */
type Paged<Row> = { total: number } & (Row | { id: null })

// index asset_link_asset
const selectOfAsset = sql<Paged<AssetLinkRow>, { assetId: string; limit: number; offset: number }>(`
  select t.total, i.*
  from (select count(*) as total from asset_link l
    where l.organization_id = $organization and l.asset_id = $assetId) t
  left join (
    select ${columns} from (
      select * from asset_link x where x.organization_id = $organization and x.asset_id = $assetId
      order by x.created_at desc, x.id desc limit $limit offset $offset) l ${creator}) i on true
  order by i.created_at desc, i.id desc`)

/** The links of an asset, newest first. */
export function listLinksOf(db: Db, assetId: string, limit: number, offset: number) {
  return db.rows(selectOfAsset, { assetId, limit, offset })
}

export type LinkedAssetRow = AssetItemRow & { link_id: string; note: string | null; linked_at: string }
type EntityLinkParams = Reader & { entityType: string; entityId: string; limit: number; offset: number }
const linkedAssets = `from asset_link l join asset a on a.organization_id = $organization and a.id = l.asset_id
  where l.organization_id = $organization and l.entity_type = $entityType and l.entity_id = $entityId and a.listed
    and (${isReadableWithoutShare('a')} or ${isSharedWithCaller('a.id')})`

// index asset_link_newest
const selectByEntity = sql<Paged<LinkedAssetRow>, EntityLinkParams>(`
  with ${callerUnits}
  select t.total, i.*
  from (select count(*) as total ${linkedAssets}) t
  left join (
    select p.link_id, p.note, p.linked_at, ${itemColumns}
    from (
      select l.id as link_id, l.asset_id, l.note, l.created_at as linked_at ${linkedAssets}
      order by l.created_at desc, l.id desc limit $limit offset $offset) p
    join asset a on a.organization_id = $organization and a.id = p.asset_id ${itemJoins}) i on true
  order by i.linked_at desc, i.link_id desc`)

/** The assets linked to an entity that the caller may read, newest link first. */
export function listLinkedAssets(db: Db, args: EntityLinkParams) {
  return db.rows(selectByEntity, args)
}
