import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { violated } from '#platform/data/errors.ts'
import { sql } from '#platform/data/statement.ts'
import { foldedName } from '#platform/fold.ts'
import type { CollectionRow } from './collection.access.ts'

type NewCollection = Omit<CollectionRow, 'created_at' | 'updated_at'>
type CollectionColumns = [
  id: string,
  name: string,
  nameFolded: string,
  description: string,
  parentId: string | null,
  iconName: string | null,
  color: string | null,
  position: number,
]

const insertRow = sql<{ id: string }, [...CollectionColumns, ownerId: string]>(`
  insert into collection (organization_id, id, name, name_folded, description, parent_id, icon_name, color,
    position, owner_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (organization_id, coalesce(parent_id, ''), name_folded) do nothing
  returning id`)
const setRow = sql<never, CollectionColumns>(`
  update collection k set name = $3, name_folded = $4, description = $5, parent_id = $6, icon_name = $7,
    color = $8, position = $9, updated_at = greatest(clock_timestamp(), k.updated_at + interval '1 millisecond')
  where k.organization_id = $1 and k.id = $2`)
const deleteRow = sql<never, [id: string]>(
  'delete from collection k where k.organization_id = $1 and k.id = $2',
)

function columnsOf_(row: NewCollection): CollectionColumns {
  const { id, name, description, parent_id, icon_name, color, position } = row
  return [id, name, foldedName(name), description, parent_id, icon_name, color, position]
}

/** Writes a new collection. False when a sibling has the name. */
export async function insertCollection(tx: Tx, row: NewCollection): Promise<boolean> {
  return (await tx.first(insertRow, ...columnsOf_(row), row.owner_id)) !== undefined
}

/** Updates a collection. False when a sibling has the name; the transaction must then end. */
export async function setCollection(tx: Tx, row: CollectionRow): Promise<boolean> {
  try {
    await tx.run(setRow, ...columnsOf_(row))
    return true
  } catch (error) {
    if (violated(error) === 'collection_name') return false
    throw error
  }
}

/** Deletes a collection without children, with its filings and counters. */
export async function deleteCollection(tx: Tx, id: string): Promise<void> {
  await tx.run(deleteRow, id)
}

const selectAbove = sql<{ id: string }, [id: string]>(`
  with recursive up as (
    select k.id, k.parent_id from collection k where k.organization_id = $1 and k.id = $2
    union all
    select k.id, k.parent_id from up u join collection k on k.organization_id = $1 and k.id = u.parent_id)
  select id from up`)

/** The ids from a collection up to the top, itself first; none when it does not exist. */
export async function pathToTop(db: Db, id: string): Promise<string[]> {
  return (await db.rows(selectAbove, id)).map(row => row.id)
}

const countLevels = sql<{ levels: number }, [id: string]>(`
  with recursive down as (
    select $2::text as id, 1 as level
    union all
    select k.id, d.level + 1 from down d join collection k on k.organization_id = $1 and k.parent_id = d.id)
  select max(level) as levels from down`)

/** The number of levels of a collection with all its descendants: 1 without children. */
export async function levelCount(db: Db, id: string): Promise<number> {
  return (await db.first(countLevels, id))!.levels
}

const countChildren = sql<{ n: number }, [id: string]>(`
  select count(*) as n from collection k where k.organization_id = $1 and k.parent_id = $2`)
const countAll = sql<{ n: number }>('select count(*) as n from collection k where k.organization_id = $1')

/** The number of direct children of a collection. */
export async function childCount(db: Db, id: string): Promise<number> {
  return (await db.first(countChildren, id))!.n
}

/** True while the organization may have another collection. */
export async function hasRoom(db: Db): Promise<boolean> {
  return (await db.first(countAll))!.n < limits.collectionsPerOrganization
}
