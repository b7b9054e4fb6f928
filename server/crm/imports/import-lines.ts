import type { CsvImportLine } from '#contract/crm/csv-imports.ts'
import { limits } from '#contract/limits.ts'
import { required } from '#platform/required.ts'
import type { CsvColumns, LineValues } from './csv-columns.ts'
import type { CsvRecord } from './csv-reader.ts'
import type { ImportKind } from './import-kind.ts'

/** The records of valid lines with their line numbers, and the reports of refused lines. */
export type ParsedLines<Item> = { items: Item[]; lines: number[]; refused: CsvImportLine[] }

/** Parses lines by the rules of the operation that creates one record. */
export function parseLines<Item extends { id: string }>(
  kind: ImportKind<Item>,
  columns: CsvColumns,
  records: readonly CsvRecord[],
  itemOf: (input: LineValues) => Item,
): ParsedLines<Item> {
  const parsed: ParsedLines<Item> = { items: [], lines: [], refused: [] }
  for (const { line, values } of records) {
    const { input, errors } = kind.parseLine(columns, values)
    if (errors.length > 0) parsed.refused.push({ line, id: null, duplicates: 0, errors })
    else {
      parsed.items.push(itemOf(input))
      parsed.lines.push(line)
    }
  }
  return parsed
}

/** The records that will be created, the number of refused lines, and the reports of lines in order. */
export type ImportOutcome<Item> = { created: Item[]; refused: number; reports: CsvImportLine[] }

/**
 * Decides about each record. `counts` has its duplicates among stored records, `same` counts those in the rest of the
 * file.
 */
export function decideLines<Item extends { id: string }>(
  { duplicateError }: ImportKind<Item>,
  { items, lines, refused }: ParsedLines<Item>,
  counts: readonly number[],
  same: DuplicateCounter<Item>,
): ImportOutcome<Item> {
  const outcome: ImportOutcome<Item> = { created: [], refused: refused.length, reports: [...refused] }
  for (const [at, item] of items.entries()) {
    const duplicates = Math.min(
      required(counts[at], 'the duplicates of a line') + same(item),
      limits.leadDuplicates,
    )
    const isRefused = duplicates > 0 && duplicateError !== undefined
    if (isRefused) outcome.refused++
    else outcome.created.push(item)
    if (duplicates > 0)
      outcome.reports.push({
        line: required(lines[at], 'the number of a line'),
        id: isRefused ? null : item.id,
        duplicates,
        errors: isRefused ? [duplicateError] : [],
      })
  }
  outcome.reports.sort((a, b) => a.line - b.line)
  return outcome
}

type DuplicateCounter<Item> = (item: Item) => number

/** Counts, for each record passed, the earlier ones that are its duplicates. */
export function duplicateCounter<Item extends { id: string }>({
  keysOf,
}: Pick<ImportKind<Item>, 'keysOf'>): DuplicateCounter<Item> {
  const seen = new Map<string, Set<number>>()
  let position = 0
  return item => {
    const same = new Set<number>()
    for (const key of keysOf(item)) {
      const positions = seen.get(key) ?? new Set()
      for (const one of positions) same.add(one)
      if (positions.size < limits.leadDuplicates) seen.set(key, positions.add(position))
    }
    position++
    return same.size
  }
}
