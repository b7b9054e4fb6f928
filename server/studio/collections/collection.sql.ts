import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { violated } from '#platform/data/errors.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { nextMillisecond } from '#platform/data/later.ts'
import { sql } from '#platform/data/statement.ts'
import { foldedName } from '#platform/fold.ts'
import type { CollectionRow } from './collection.access.ts'

type NewCollection = Omit<CollectionRow, 'created_at' | 'updated_at'>
type CollectionColumns = {
  id: string
  name: string
  nameFolded: string
  description: string
  parentId: string | null
  iconName: string | null
  color: string | null
  position: number
}

const insertRow = sql<{ id: string }, CollectionColumns & { ownerId: string }>(`
  ${insertInto('collection', 'id, name, name_folded, description, parent_id, icon_name, color, position, owner_id')}
  on conflict (organization_id, coalesce(parent_id, ''), name_folded) do nothing
  returning id`)
const setRow = sql<never, CollectionColumns>(`
  update collection k set name = $name, name_folded = $nameFolded, description = $description,
    parent_id = $parentId, icon_name = $iconName,
    color = $color, position = $position,
      updated_at = greatest((select clock_timestamp()), ${nextMillisecond('k.updated_at')})
  where k.organization_id = $organization and k.id = $id`)
const deleteRow = sql<never, { id: string }>(
  'delete from collection k where k.organization_id = $organization and k.id = $id',
)

function columnsOf_(row: NewCollection): CollectionColumns {
  const { id, name, description, parent_id, icon_name, color, position } = row
  return {
    id,
    name,
    nameFolded: foldedName(name),
    description,
    parentId: parent_id,
    iconName: icon_name,
    color,
    position,
  }
}

/** Writes a new collection. False when a sibling has the name. */
export async function insertCollection(tx: Tx, row: NewCollection): Promise<boolean> {
  return (await tx.first(insertRow, { ...columnsOf_(row), ownerId: row.owner_id })) !== undefined
}

/** Updates a collection. False when a sibling has the name; the transaction must then end. */
export async function setCollection(tx: Tx, row: CollectionRow): Promise<boolean> {
  try {
    await tx.run(setRow, columnsOf_(row))
    return true
  } catch (error) {
    if (violated(error) === 'collection_name') return false
    throw error
  }
}

/** Deletes a collection without children, with its filings and counters. */
export async function deleteCollection(tx: Tx, id: string): Promise<void> {
  await tx.run(deleteRow, { id })
}

const selectAbove = sql<{ id: string }, { id: string }>(`
  with recursive up as (
    select k.id, k.parent_id from collection k where k.organization_id = $organization and k.id = $id
    union all
    select k.id, k.parent_id from up u join collection k on k.organization_id = $organization
      and k.id = u.parent_id)
  select id from up`)

/** The ids from a collection up to the top, itself first; none when it does not exist. */
export async function pathToTop(db: Db, id: string): Promise<string[]> {
  return (await db.rows(selectAbove, { id })).map(row => row.id)
}

const countLevels = sql<{ levels: number }, { id: string }>(`
  with recursive down as (
    select $id::text as id, 1 as level
    union all
    select k.id, d.level + 1 from down d join collection k on k.organization_id = $organization
      and k.parent_id = d.id)
  select max(level) as levels from down`)

/** The number of levels of a collection with all its descendants: 1 without children. */
export async function levelCount(db: Db, id: string): Promise<number> {
  return (await db.one(countLevels, { id })).levels
}

const countChildren = sql<{ n: number }, { id: string }>(`
  select count(*) as n from collection k where k.organization_id = $organization and k.parent_id = $id`)
const countAll = sql<{ n: number }>(
  'select count(*) as n from collection k where k.organization_id = $organization',
)

/** The number of direct children of a collection. */
export async function childCount(db: Db, id: string): Promise<number> {
  return (await db.one(countChildren, { id })).n
}

/** True while the organization may have another collection. */
export async function hasRoom(db: Db): Promise<boolean> {
  return (await db.one(countAll)).n < limits.collectionsPerOrganization
}
