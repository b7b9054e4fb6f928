import type { Db } from '#platform/data/database.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import type { Reader } from '../assets/asset.access.ts'
import { cells } from '../assets/asset-counters.sql.ts'
import { cell, reach, type Shelves } from '../assets/listing/shelves.ts'
import { type CollectionRow, collectionColumns } from './collection.access.ts'

/** A collection as it is shown: with what the caller may read of it, and the way to it from the top. */
export type ShownRow = CollectionRow & {
  asset_count: number
  child_count: number
  path: { id: string; name: string }[]
}
/** A row of a page; a page without collections still has one row, with the total alone. */
export type PageRow = { total: number } & (ShownRow | { id: null })

/**
 * How many assets of each collection of `page` the caller may read, from the tally: what everybody reads, what
 * the caller's departments read, what colleagues of their workspaces and they themselves made. $2 to $11 as in
 * lists of assets. `n` adds up a row `t`.
 */
export const tallied = (n: string) => `
  tallied as materialized (
    select p.id, sum(y.n)::integer as n from page p cross join lateral (
      select ${n} as n from collection_tally t
      where t.organization_id = $1 and t.collection_id = p.id and t.visibility = any($10::text[])
        and t.author_id = '' and t.department_set = ''
      union all
      select ${n} from my_set s join collection_tally t on t.organization_id = $1 and t.collection_id = p.id
        and t.visibility = 'DEPARTMENT' and t.author_id = '' and t.department_set = s.id
      where 'DEPARTMENT' = any($11::text[])
      union all
      select ${n} from collection_tally t
      where t.organization_id = $1 and t.collection_id = p.id and t.visibility in ('PRIVATE', 'DEPARTMENT')
        and t.visibility = any($11::text[]) and t.author_id = $2
        and t.department_set not in (select id from my_set)
      union all
      select ${n} from collection_tally t
      where t.organization_id = $1 and t.collection_id = p.id and t.visibility = 'WORKSPACE'
        and 'WORKSPACE' = any($11::text[]) and t.author_id = any(array(select person_id from colleague))) y
    group by 1)`
/** How many more nothing but shares let the caller read, counted one by one. */
export const shared = `
  shared as materialized (
    select f.collection_id as id, count(*)::integer as n
    from granted g join collection_asset f on f.organization_id = $1 and f.asset_id = g.asset_id
    join page p on p.id = f.collection_id where not $3::boolean group by 1)`

// without a loop over the cells: a page may add up many rows
const notArchived = cells
  .filter(({ status }) => status !== 'ARCHIVED')
  .map(({ at }) => `t.counts[${at}]`)
  .join(' + ')
const counts = `${tallied(notArchived)}, ${shared}`

/** The way to each collection of `page`, and the statement's end: the page with the number of all. */
const shown = `
  up as (
    select k.id as of_id, k.id, k.name, k.parent_id, 0 as step
    from page p join collection k on k.organization_id = $1 and k.id = p.id
    union all
    select u.of_id, k.id, k.name, k.parent_id, u.step + 1
    from up u join collection k on k.organization_id = $1 and k.id = u.parent_id),
  way as materialized (
    select u.of_id as id, json_agg(json_build_object('id', u.id, 'name', u.name) order by u.step desc) as path
    from up u group by 1)
  select t.total, i.* from (select total from whole) t left join (
    select p.place, ${collectionColumns}, w.path, coalesce(n.n, 0) + coalesce(s.n, 0) as asset_count,
      (select count(*) from collection b where b.organization_id = $1 and b.parent_id = k.id) as child_count
    from page p join collection k on k.organization_id = $1 and k.id = p.id join way w on w.id = p.id
    left join tallied n on n.id = p.id left join shared s on s.id = p.id) i on true
  order by i.place`

/** Whose children a list has, as $14: those of any, of none, or of one. */
const places = {
  all: '$14::text is null',
  top: `$14::text = 'root' and k.parent_id is null`,
  children: 'k.parent_id = $14',
} as const
type Place = keyof typeof places

/** By position, then name: indexes collection_order and collection_children. */
function flat(place: Place): string {
  const source = `from collection k where k.organization_id = $1 and ${places[place]}`
  return `
  with recursive ${cell}, ${reach},
  whole as materialized (select count(*) as total ${source}),
  page as materialized (
    select k.id, row_number() over (order by k.position, k.name_folded, k.id) as place ${source}
    order by place limit $12 offset $13),
  ${counts},
  ${shown}`
}

// no name holds a control character: a collection stands before what it holds, and that before its next sibling
const key = `lpad(k.position::text, 7, '0') || k.name_folded || chr(1)`

/** The same, each followed by what it holds. No organization has more than `limits.collectionsPerOrganization`. */
function tree(place: Place): string {
  const start = place === 'all' ? `${places.all} and k.parent_id is null` : places[place]
  return `
  with recursive ${cell}, ${reach},
  walked as (
    select k.id, ${key} as key from collection k where k.organization_id = $1 and ${start}
    union all
    select k.id, v.key || ${key} from walked v join collection k on k.organization_id = $1 and k.parent_id = v.id),
  whole as materialized (select count(*) as total from walked),
  page as materialized (
    select v.id, row_number() over (order by v.key) as place from walked v order by place limit $12 offset $13),
  ${counts},
  ${shown}`
}

type PageArgs = [...Reader, ...Shelves, limit: number, offset: number, parentId: string | null]
const statements = (write: (place: Place) => string): Record<Place, Statement<PageRow, PageArgs>> => ({
  all: sql<PageRow, PageArgs>(write('all')),
  top: sql<PageRow, PageArgs>(write('top')),
  children: sql<PageRow, PageArgs>(write('children')),
})
const flatPages = statements(flat)
const treePages = statements(tree)

/**
 * One page of collections with the number of all: of all of the organization, of those at the top (`root`), or
 * of the children of one. `isTree`: with everything below them, in the order of the tree.
 */
export function listPage(
  db: Db,
  { parentId, isTree }: { parentId: string | null; isTree: boolean },
  ...args: [...Reader, ...Shelves, limit: number, offset: number]
): Promise<PageRow[]> {
  const place = parentId === null ? 'all' : parentId === 'root' ? 'top' : 'children'
  return db.rows((isTree ? treePages : flatPages)[place], ...args, parentId)
}

const selectShown = sql<PageRow, [...Reader, ...Shelves, id: string]>(`
  with recursive ${cell}, ${reach},
  whole as materialized (select 1 as total),
  page as materialized (select $12::text as id, 1 as place),
  ${counts},
  ${shown}`)

/** One collection as it is shown, or undefined. */
export async function shownCollection(
  db: Db,
  id: string,
  ...args: [...Reader, ...Shelves]
): Promise<ShownRow | undefined> {
  const row = await db.first(selectShown, ...args, id)
  return row && row.id !== null ? row : undefined
}
