import {
  type AssetOrder,
  type AssetStatus,
  type AssetType,
  assetStatuses,
  type Visibility,
  visibilities,
} from '#contract/studio/assets.ts'
import type { Caller } from '#platform/http/caller.ts'
import { callerUnits, personalShare, type Reader, readerOf, unitShare } from '../../asset.access.ts'
import { statusTypes } from '../counters/asset-counters.sql.ts'

/** An order of lists: its sort keys, and for each a bound that no value exceeds. */
export type Order = {
  /** The table whose indexes have the order, under the alias `k`. */
  from: string
  id: string
  /** True if the table also has the counters that list items show. */
  hasCounters: boolean
  keys: { column: string; bound: string }[]
  descending: boolean
}

/** The orders of lists (CAT-4). The id is the last key, so that no asset is on two pages. */
export const orders: Record<AssetOrder, Order> = {
  popular: {
    from: 'asset_counter k',
    id: 'asset_id',
    hasCounters: true,
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
    hasCounters: false,
    keys: [{ column: 'updated_at', bound: "'-infinity'" }],
    descending: true,
  },
  name: {
    from: 'asset k',
    id: 'id',
    hasCounters: false,
    keys: [{ column: 'name_folded', bound: "U&'\\+10FFFF'" }],
    descending: false,
  },
}

/** The sort keys and the id of an asset, from the order's table (alias `k`) or from rows derived from it. */
export function columnsOf({ keys, id }: Order, alias = 'k'): string {
  const assetId = alias === 'k' ? `k.${id} as asset_id` : `${alias}.asset_id`
  return [...keys.map(({ column }) => `${alias}.${column}`), assetId].join(', ')
}

export function sortBy({ keys, descending }: Order, alias: string, id = 'asset_id'): string {
  const columns = [...keys.map(({ column }) => column), id]
  return columns.map(column => `${alias}.${column}${descending ? ' desc' : ''}`).join(', ')
}

/** The filters that the counters know. */
export type ListFilters = {
  positions: readonly number[]
  statuses: readonly AssetStatus[]
  types: readonly AssetType[]
  open: readonly Visibility[]
  closed: readonly Visibility[]
}
export type AssetFilters = { type?: AssetType; status?: AssetStatus; visibility?: Visibility }

/** The reader and the filters of a list. Without a status, archived assets are left out. */
export function listFiltersOf(caller: Caller, narrowed: AssetFilters): Reader & ListFilters {
  const { type, status, visibility } = narrowed
  const statuses = status ? [status] : assetStatuses.filter(one => one !== 'ARCHIVED')
  const matching = statusTypes.filter(one => statuses.includes(one.status) && (!type || one.type === type))
  const visible = visibility ? [visibility] : visibilities
  const isOpen = (one: Visibility) =>
    caller.isAdministrator || one === 'ORGANIZATION' || one === 'MARKETPLACE'
  return {
    ...readerOf(caller),
    positions: matching.map(({ position }) => position),
    statuses: matching.map(({ status }) => status),
    types: matching.map(({ type }) => type),
    open: visible.filter(isOpen),
    closed: visible.filter(one => !isOpen(one)),
  }
}

/** The statuses and types that match the filters, with their positions in the counters. */
export const statusTypeTable = `status_type as materialized (
  select * from unnest($positions::integer[], $statuses::text[], $types::text[]) c (position, status, type))`

/** `callerUnits`, and the matching assets that only a share lets the caller read. */
export const callerAccess = `${callerUnits},
  granted as materialized (
    select s.asset_id from asset_share s where ${isOnlyShared(personalShare)}
    union select s.asset_id from asset_share s where ${isOnlyShared(unitShare)})`

/**
 * Shares `s` of one kind that let the caller read a matching asset which they could not read otherwise. The index
 * asset_share_by_grantee holds every column of it.
 */
export function isOnlyShared(reaching: string): string {
  return `s.organization_id = $organization and ${reaching} and s.visibility = any($closed::text[])
    and s.status_type = any($positions::integer[]) and s.author_id <> $personId
    and case s.visibility when 'PRIVATE' then true
      when 'DEPARTMENT' then s.department_set not in (select id from my_department_set)
      else s.author_id not in (select person_id from colleague) end`
}

/** Listed assets `k` that match the filters. */
export const matchesFilters = `k.organization_id = $organization and k.listed and k.status = any($statuses::text[])
  and k.type = any($types::text[]) and k.visibility = any($open::text[] || $closed::text[])`
