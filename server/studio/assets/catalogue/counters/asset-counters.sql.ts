import type { AssetStatus, AssetType } from '#contract/studio/assets.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { AssetBucketFields } from '../../asset.rules.ts'

/** How many rows share the count of everybody's assets, so that writers rarely wait for each other. */
const shards = 8
/** The row that only grows: how many assets were ever added to the catalogue. */
export const additions = '+'
/** The row that grows with every other change of what search finds. Its sum and that of `additions` are a generation. */
export const searchChanges = '#'
/** The row that grows with every share that is created, changed or removed. */
export const shareChanges = '$'

/**
 * The position of the number of assets of a status and type in the stored arrays `counts`, and the value of
 * `status_type` in the tables of shares. Stored: never change a number. A new status or type takes the next free
 * numbers; rows that were written before are shorter and count as 0 there (decision 0027).
 */
const positions: Record<AssetStatus, Record<AssetType, number>> = {
  DRAFT: { PROMPT: 1, SKILL: 2, AGENT: 3, COMMAND: 4, PLUGIN: 5 },
  PUBLISHED: { PROMPT: 6, SKILL: 7, AGENT: 8, COMMAND: 9, PLUGIN: 10 },
  ARCHIVED: { PROMPT: 11, SKILL: 12, AGENT: 13, COMMAND: 14, PLUGIN: 15 },
}

/** A status and type, and the position of their number in `counts`. */
export type StatusType = { position: number; status: AssetStatus; type: AssetType }
export const statusTypes: readonly StatusType[] = Object.entries(positions)
  .flatMap(([status, byType]) =>
    Object.entries(byType).map(([type, position]) => ({ position, status, type }) as StatusType),
  )
  .sort((a, b) => a.position - b.position)
const positionCount = Math.max(...statusTypes.map(({ position }) => position))

/** The position of a status and type in the counters. */
export function statusTypePosition({ status, type }: Pick<AssetBucketFields, 'status' | 'type'>): number {
  return positions[status][type]
}

/** A change of one row of the counters. */
export type CounterRow = {
  author_id: string
  visibility: string
  department_set: string
  shard: number
  counts: number[]
}

/** The same rows as columns, which is how statements take them. */
export type CounterColumns = {
  authors: string[]
  visibilities: string[]
  sets: string[]
  shards: number[]
  counts: string[]
}

/** The sum of two arrays of counts by position; the shorter one counts as 0 where it ends. */
export const addedCounts = (stored: string, change: string) => `array(
    select coalesce(b.stored, 0) + coalesce(b.change, 0)
    from unnest(${stored}, ${change}) with ordinality b (stored, change, position)
    order by b.position)`

const addCounts = sql<never, CounterColumns>(`
  insert into asset_bucket_count (organization_id, author_id, visibility, department_set, shard, counts)
  select $organization, t.author_id, t.visibility, t.department_set, t.shard, t.counts::integer[]
  from unnest($authors::text[], $visibilities::text[], $sets::text[], $shards::smallint[], $counts::text[])
    as t (author_id, visibility, department_set, shard, counts)
  order by 2, 3, 4, 5
  on conflict (organization_id, author_id, visibility, department_set, shard) do update set
    counts = ${addedCounts('asset_bucket_count.counts', 'excluded.counts')}
  returning shard`)

/**
 * Counts an asset in its new bucket and no longer in its old one; undefined for none. The rows are always
 * locked in the same order. Send it last in a transaction: others wait for these rows.
 */
export async function moveInCounters(
  tx: Tx,
  assetId: string,
  before: AssetBucketFields | undefined,
  after: AssetBucketFields | undefined,
): Promise<void> {
  await addToCounters(tx, counterRows(assetId, before, after))
}

export async function addToCounters(tx: Tx, rows: readonly CounterRow[]): Promise<void> {
  await tx.run(addCounts, counterColumns(rows))
}

export function counterColumns(rows: readonly CounterRow[]): CounterColumns {
  return {
    authors: rows.map(row => row.author_id),
    visibilities: rows.map(row => row.visibility),
    sets: rows.map(row => row.department_set),
    shards: rows.map(row => row.shard),
    counts: rows.map(row => `{${row.counts.join()}}`),
  }
}

/** True for a row that counts assets, false for one that counts changes. */
export function countsAssets({ visibility }: CounterRow): boolean {
  return visibility !== additions && visibility !== searchChanges && visibility !== shareChanges
}

/** Raises the generation of what shares let somebody find. Send it last in a transaction, as moveInCounters. */
export async function raiseShareGeneration(tx: Tx, assetId: string): Promise<void> {
  const row = { author_id: '', visibility: shareChanges, department_set: '', shard: shardOf(assetId) }
  await addToCounters(tx, [{ ...row, counts: [1] }])
}

/** Raises the generation of what search finds, when an asset gets other words and stays in its bucket. */
export async function raiseGeneration(
  tx: Tx,
  assetId: string,
  bucketFields: AssetBucketFields,
): Promise<void> {
  const rows = counterRows(assetId, bucketFields, bucketFields)
  await addToCounters(
    tx,
    rows.filter(({ visibility }) => visibility === searchChanges),
  )
}

function shardOf(assetId: string): number {
  return Number.parseInt(assetId.slice(-1), 36) % shards
}

/** How the counters change when an asset moves from one bucket to another. */
export function counterRows(
  assetId: string,
  before?: AssetBucketFields,
  after?: AssetBucketFields,
): CounterRow[] {
  const shard = shardOf(assetId)
  const rows = new Map<string, CounterRow>()
  const add = (bucketFields: AssetBucketFields, row: Omit<CounterRow, 'counts'>, by: number) => {
    const key = JSON.stringify(row)
    const changed = rows.get(key) ?? { ...row, counts: new Array<number>(positionCount).fill(0) }
    changed.counts[statusTypePosition(bucketFields) - 1]! += by
    rows.set(key, changed)
  }
  if (before) for (const row of rowsOf(before, shard)) add(before, row, -1)
  if (after) for (const row of rowsOf(after, shard)) add(after, row, 1)
  if (after && !before) {
    add(after, { author_id: '', visibility: additions, department_set: '', shard }, 1)
  }
  if (before) add(before, { author_id: '', visibility: searchChanges, department_set: '', shard }, 1)
  return [...rows.values()]
}

function rowsOf(bucketFields: AssetBucketFields, shard: number): Omit<CounterRow, 'counts'>[] {
  const { author_id, department_set, visibility } = bucketFields
  const everybody = { author_id: '', visibility, department_set: '', shard }
  if (visibility !== 'DEPARTMENT') return [everybody, { ...everybody, author_id, shard: 0 }]
  const author = { author_id, visibility, department_set, shard: 0 }
  return department_set === '' ? [everybody, author] : [everybody, author, { ...author, author_id: '' }]
}
