import {
  type AssetOrder,
  type AssetStatus,
  type AssetType,
  assetStatuses,
  type Visibility,
  visibilities,
} from '#contract/studio/assets.ts'
import type { Caller } from '#platform/http/caller.ts'
import { personalShare, type Reader, readerOf, unitShare } from '../asset.access.ts'
import { cells } from '../asset-counters.sql.ts'

/** An order of lists: where its keys stand, and a bound that everything lies within. */
export type Order = {
  /** The table whose indexes have the order, under the alias `k`. */
  from: string
  id: string
  keys: { column: string; bound: string }[]
  descending: boolean
}

/** The orders of lists (CAT-4). The id comes last, so that no asset is on two pages. */
export const orders: Record<AssetOrder, Order> = {
  popular: {
    from: 'asset_counter k',
    id: 'asset_id',
    keys: [
      { column: 'usage_count', bound: '-1' },
      { column: 'score', bound: '0' },
      { column: 'created_at', bound: "'-infinity'" },
    ],
    descending: true,
  },
  recent: {
    from: 'asset k',
    id: 'id',
    keys: [{ column: 'updated_at', bound: "'-infinity'" }],
    descending: true,
  },
  name: {
    from: 'asset k',
    id: 'id',
    keys: [{ column: 'name_folded', bound: "U&'\\+10FFFF'" }],
    descending: false,
  },
}

/** The keys and the id of an asset, of rows of the order's table or of rows made from it. */
export function columnsOf({ keys, id }: Order, alias = 'k'): string {
  const own = alias === 'k' ? `k.${id} as asset_id` : `${alias}.asset_id`
  return [...keys.map(({ column }) => `${alias}.${column}`), own].join(', ')
}

export function sortBy({ keys, descending }: Order, alias: string, id = 'asset_id'): string {
  const columns = [...keys.map(({ column }) => column), id]
  return columns.map(column => `${alias}.${column}${descending ? ' desc' : ''}`).join(', ')
}

/** What narrows a list by columns that the tally knows, as $7 to $11. */
export type Shelves = readonly [
  places: readonly number[],
  statuses: readonly AssetStatus[],
  types: readonly AssetType[],
  /** The visibilities that the caller reads all of. */
  open: readonly Visibility[],
  closed: readonly Visibility[],
]
export type Narrowed = { type?: AssetType; status?: AssetStatus; visibility?: Visibility }

/** $2 to $11 of the list statements. Without a status, what is archived is left out. */
export function shelvesOf(caller: Caller, narrowed: Narrowed): [...Reader, ...Shelves] {
  const { type, status, visibility } = narrowed
  const statuses = status ? [status] : assetStatuses.filter(one => one !== 'ARCHIVED')
  const wanted = cells.filter(cell => statuses.includes(cell.status) && (!type || cell.type === type))
  const visible = visibility ? [visibility] : visibilities
  const isOpen = (one: Visibility) =>
    caller.isAdministrator || one === 'ORGANIZATION' || one === 'MARKETPLACE'
  return [
    ...readerOf(caller),
    wanted.map(cell => cell.at),
    wanted.map(cell => cell.status),
    wanted.map(cell => cell.type),
    visible.filter(isOpen),
    visible.filter(one => !isOpen(one)),
  ]
}

/** The numbers of the tally that are asked for. */
export const cell = `cell as materialized (
  select * from unnest($7::integer[], $8::text[], $9::text[]) c (at, status, type))`

/** What the caller's departments may read, and whose workspaces are theirs too. */
export const own = `my_set as materialized (
    select distinct d.id from department_set d
    where d.organization_id = $1 and d.department_id = any($4::text[])),
  colleague as materialized (
    select w.person_id from unit_member w
    where w.organization_id = $1 and w.unit_id = any($5::text[]) and w.kind = 'WORKSPACE'
    union select $2)`

/** The same, and what only shares let the caller read of what is wanted. */
export const reach = `${own},
  granted as materialized (
    select s.asset_id from asset_share s where ${onlyShared(personalShare)}
    union select s.asset_id from asset_share s where ${onlyShared(unitShare)})`

/**
 * Shares `s` of the given kind that let the caller read what is wanted and stands on no shelf of theirs. All that
 * it looks at stands in the index asset_share_reach.
 */
export function onlyShared(reaching: string): string {
  return `s.organization_id = $1 and ${reaching} and s.visibility = any($11::text[])
    and s.cell = any($7::integer[]) and s.author_id <> $2
    and case s.visibility when 'PRIVATE' then true
      when 'DEPARTMENT' then s.department_set not in (select id from my_set)
      else s.author_id not in (select person_id from colleague) end`
}

/** True when the caller may read the asset without a share. The same answer as `readable` in access.ts. */
export function onOwnShelf(alias: string): string {
  return `case when $3::boolean or ${alias}.author_id = $2 then true
    when ${alias}.visibility in ('ORGANIZATION', 'MARKETPLACE') then true
    when ${alias}.visibility = 'DEPARTMENT' then ${alias}.department_set in (select id from my_set)
    when ${alias}.visibility = 'WORKSPACE' then ${alias}.author_id in (select person_id from colleague)
    else false end`
}

/** Listed assets `k` of the wanted cells and visibilities. */
export const wanted = `k.organization_id = $1 and k.listed and k.status = any($8::text[])
  and k.type = any($9::text[]) and k.visibility = any($10::text[] || $11::text[])`
