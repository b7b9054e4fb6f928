import type { Db } from '#platform/data/db.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import type { Reader } from '../assets/asset.access.ts'
import {
  callerAccess,
  type ListFilters,
  notArchived,
  readableCount,
  sharedCount,
  statusTypeTable,
} from '../assets/catalogue/index.ts'
import { type CollectionRow, collectionColumns } from './collection.access.ts'

/** A collection with the number of assets that the caller may read and its path from the top. */
export type ShownRow = CollectionRow & {
  asset_count: number
  child_count: number
  path: { id: string; name: string }[]
}
/** A row of a page; a page without collections still has one row, with the total alone. */
export type CollectionPageRow = { total: number } & (ShownRow | { id: null })

const counts = `${readableCount(notArchived)}, ${sharedCount}`

/** The path of each collection of `page`, and the end of the statement: the page with the total. */
const shown = `
  up as (
    select k.id as of_id, k.id, k.name, k.parent_id, 0 as step
    from page p join collection k on k.organization_id = $organization and k.id = p.id
    union all
    select u.of_id, k.id, k.name, k.parent_id, u.step + 1
    from up u join collection k on k.organization_id = $organization and k.id = u.parent_id),
  way as materialized (
    select u.of_id as id, json_agg(json_build_object('id', u.id, 'name', u.name) order by u.step desc) as path
    from up u group by 1)
  select t.total, i.* from (select total from whole) t left join (
    select p.page_position, ${collectionColumns}, w.path, coalesce(n.n, 0) + coalesce(s.n, 0) as asset_count,
      (select count(*) from collection b where b.organization_id = $organization
        and b.parent_id = k.id) as child_count
    from page p join collection k on k.organization_id = $organization and k.id = p.id join way w on w.id = p.id
    left join readable_count n on n.id = p.id left join shared s on s.id = p.id) i on true
  order by i.page_position`

/** The parent of the listed collections, any, none, or one. */
const parentConditions = {
  all: '$parentId::text is null',
  top: `$parentId::text = 'root' and k.parent_id is null`,
  children: 'k.parent_id = $parentId',
} as const
type ParentFilter = keyof typeof parentConditions

/** By position, then name: indexes collection_order and collection_children. */
function flat(parent: ParentFilter): string {
  const source = `from collection k where k.organization_id = $organization and ${parentConditions[parent]}`
  return `
  with recursive ${statusTypeTable}, ${callerAccess},
  whole as materialized (select count(*) as total ${source}),
  page as materialized (
    select k.id, row_number() over (order by k.position, k.name_folded, k.id) as page_position ${source}
    order by page_position limit $limit offset $offset),
  ${counts},
  ${shown}`
}

// no name contains a control character: a collection sorts before its children, and these before its next
// sibling
const key = `lpad(k.position::text, 7, '0') || k.name_folded || chr(1)`

/**
 * The same, each collection followed by its children. No organization has more than
 * `limits.collectionsPerOrganization`.
 */
function tree(parent: ParentFilter): string {
  const start =
    parent === 'all' ? `${parentConditions.all} and k.parent_id is null` : parentConditions[parent]
  return `
  with recursive ${statusTypeTable}, ${callerAccess},
  scanned as (
    select k.id, ${key} as key from collection k where k.organization_id = $organization and ${start}
    union all
    select k.id, v.key || ${key} from scanned v join collection k on k.organization_id = $organization
      and k.parent_id = v.id),
  whole as materialized (select count(*) as total from scanned),
  page as materialized (
    select v.id, row_number() over (order by v.key) as page_position from scanned v
    order by page_position limit $limit offset $offset),
  ${counts},
  ${shown}`
}

type PageArgs = Reader & ListFilters & { limit: number; offset: number; parentId: string | null }
const statements = (
  write: (parent: ParentFilter) => string,
): Record<ParentFilter, Statement<CollectionPageRow, PageArgs>> => ({
  all: sql<CollectionPageRow, PageArgs>(write('all')),
  top: sql<CollectionPageRow, PageArgs>(write('top')),
  children: sql<CollectionPageRow, PageArgs>(write('children')),
})
const flatPages = statements(flat)
const treePages = statements(tree)

/**
 * One page of collections with the total: all of the organization, those at the top (`root`), or the children
 * of one. `isTree`: with all their descendants, in the order of the tree.
 */
export function listPage(
  db: Db,
  { parentId, isTree }: { parentId: string | null; isTree: boolean },
  args: Omit<PageArgs, 'parentId'>,
): Promise<CollectionPageRow[]> {
  const parent = parentId === null ? 'all' : parentId === 'root' ? 'top' : 'children'
  return db.rows((isTree ? treePages : flatPages)[parent], { ...args, parentId })
}

const selectShown = sql<CollectionPageRow, Reader & ListFilters & { id: string }>(`
  with recursive ${statusTypeTable}, ${callerAccess},
  whole as materialized (select 1 as total),
  page as materialized (select $id::text as id, 1 as page_position),
  ${counts},
  ${shown}`)

/** One collection with its counts and path, or undefined. */
export async function shownCollection(
  db: Db,
  id: string,
  args: Reader & ListFilters,
): Promise<ShownRow | undefined> {
  const row = await db.first(selectShown, { ...args, id })
  return row && row.id !== null ? row : undefined
}
