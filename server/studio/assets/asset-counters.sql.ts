import { type AssetStatus, type AssetType, assetStatuses, assetTypes } from '#contract/studio/assets.ts'
import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import type { Standing } from './asset.rules.ts'

/** How many rows share the count of everybody's assets. */
const shards = 8
/** The row that only ever grows: how many assets were ever put into the catalogue. */
export const everPlaced = '+'
/** The row that grows with every other change of what search finds: its sum and that of `everPlaced` are a generation. */
export const everChanged = '#'
/** The row that grows with every share that is given, changed or taken away. */
export const everShared = '$'

/** A shelf of the catalogue: a status and a type, and where their number stands in `counts`. */
export type Cell = { at: number; status: AssetStatus; type: AssetType }
export const cells: readonly Cell[] = assetStatuses.flatMap((status, row) =>
  assetTypes.map((type, column) => ({ at: row * assetTypes.length + column + 1, status, type })),
)

/** A change of one row of the tally. */
export type TallyRow = {
  author_id: string
  visibility: string
  department_set: string
  shard: number
  counts: number[]
}

/** The same rows as columns, which is how statements take them. */
export type TallyColumns = [
  authors: string[],
  visibilities: string[],
  sets: string[],
  shards: number[],
  counts: string[],
]

const addCounts = sql<never, TallyColumns>(`
  insert into asset_tally (organization_id, author_id, visibility, department_set, shard, counts)
  select $1, t.author_id, t.visibility, t.department_set, t.shard, t.counts::integer[]
  from unnest($2::text[], $3::text[], $4::text[], $5::smallint[], $6::text[])
    as t (author_id, visibility, department_set, shard, counts)
  order by 2, 3, 4, 5
  on conflict (organization_id, author_id, visibility, department_set, shard) do update set counts = array(
    select old + new from unnest(asset_tally.counts, excluded.counts) with ordinality both_counts (old, new, at)
    order by at)`)

/**
 * Counts an asset where it stands now and no longer where it stood; undefined for nowhere. The rows are always
 * locked in the same order. Send it last in a transaction: others wait for these rows.
 */
export async function moveInTally(
  tx: Tx,
  assetId: string,
  before: Standing | undefined,
  after: Standing | undefined,
): Promise<void> {
  await addToTally(tx, tallyRows(assetId, before, after))
}

export async function addToTally(tx: Tx, rows: readonly TallyRow[]): Promise<void> {
  await tx.run(addCounts, ...tallyColumns(rows))
}

export function tallyColumns(rows: readonly TallyRow[]): TallyColumns {
  return [
    rows.map(row => row.author_id),
    rows.map(row => row.visibility),
    rows.map(row => row.department_set),
    rows.map(row => row.shard),
    rows.map(row => `{${row.counts.join()}}`),
  ]
}

/** The row counts assets where they stand, and not how often something happened. */
export function isOfStanding({ visibility }: TallyRow): boolean {
  return visibility !== everPlaced && visibility !== everChanged && visibility !== everShared
}

/** Raises the generation of what shares let somebody find. Send it last in a transaction, as moveInTally. */
export async function raiseShareGeneration(tx: Tx, assetId: string): Promise<void> {
  const counts = cells.map((_, at) => (at === 0 ? 1 : 0))
  const row = { author_id: '', visibility: everShared, department_set: '', shard: shardOf(assetId), counts }
  await addToTally(tx, [row])
}

/** Raises the generation of what search finds, when an asset has other words where it stands. */
export async function raiseGeneration(tx: Tx, assetId: string, standing: Standing): Promise<void> {
  const rows = tallyRows(assetId, standing, standing)
  await addToTally(
    tx,
    rows.filter(({ visibility }) => visibility === everChanged),
  )
}

function shardOf(assetId: string): number {
  return Number.parseInt(assetId.slice(-1), 36) % shards
}

/** What changes in the tally when an asset moves. */
export function tallyRows(assetId: string, before?: Standing, after?: Standing): TallyRow[] {
  const shard = shardOf(assetId)
  const rows = new Map<string, TallyRow>()
  const add = (standing: Standing, row: Omit<TallyRow, 'counts'>, by: number) => {
    const key = JSON.stringify(row)
    const known = rows.get(key) ?? { ...row, counts: cells.map(() => 0) }
    known.counts[cells.findIndex(cell => cell.status === standing.status && cell.type === standing.type)]! +=
      by
    rows.set(key, known)
  }
  if (before) for (const row of rowsOf(before, shard)) add(before, row, -1)
  if (after) for (const row of rowsOf(after, shard)) add(after, row, 1)
  if (after && !before) {
    add(after, { author_id: '', visibility: everPlaced, department_set: '', shard }, 1)
  }
  if (before) add(before, { author_id: '', visibility: everChanged, department_set: '', shard }, 1)
  return [...rows.values()]
}

function rowsOf(standing: Standing, shard: number): Omit<TallyRow, 'counts'>[] {
  const { author_id, department_set, visibility } = standing
  const everybody = { author_id: '', visibility, department_set: '', shard }
  if (visibility !== 'DEPARTMENT') return [everybody, { ...everybody, author_id, shard: 0 }]
  const author = { author_id, visibility, department_set, shard: 0 }
  return department_set === '' ? [everybody, author] : [everybody, author, { ...author, author_id: '' }]
}
