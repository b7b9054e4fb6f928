import type { LeadImportLine } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { type CsvColumns, parseLine } from '../csv/columns.ts'
import type { CsvRecord } from '../csv/csv-reader.ts'
import { blankLead, type FieldContext, withFields } from '../fields.ts'
import type { LeadRow } from '../lead.row.ts'

/** The leads of valid lines with their line numbers, and the reports of refused lines. */
export type ParsedLines = { leads: LeadRow[]; lines: number[]; refused: LeadImportLine[] }

/** Parses lines by the rules of POST /leads. */
export function parseLines(
  columns: CsvColumns,
  records: readonly CsvRecord[],
  context: FieldContext,
): ParsedLines {
  const parsed: ParsedLines = { leads: [], lines: [], refused: [] }
  for (const { line, values } of records) {
    const { input, errors } = parseLine(columns, values)
    if (errors.length > 0) parsed.refused.push({ line, id: null, duplicates: 0, errors })
    else {
      parsed.leads.push(withFields(blankLead(newId()), input, context))
      parsed.lines.push(line)
    }
  }
  return parsed
}

/**
 * The reports of refused lines and of lines with duplicates, in order. `counts` has the duplicates among stored leads, `same`
 * counts those in the rest of the file.
 */
export function lineReports(
  { leads, lines, refused }: ParsedLines,
  counts: readonly number[],
  same: DuplicateCounter,
): LeadImportLine[] {
  const duplicated = leads.flatMap((lead, at) => {
    const duplicates = Math.min(counts[at]! + same(lead), limits.leadDuplicates)
    return duplicates > 0 ? [{ line: lines[at]!, id: lead.id, duplicates, errors: [] }] : []
  })
  return [...refused, ...duplicated].sort((a, b) => a.line - b.line)
}

type DuplicateCounter = (lead: Pick<LeadRow, 'email_hash' | 'phone_e164'>) => number

/** Counts, for each lead passed, the earlier ones with the same e-mail or telephone. */
export function duplicateCounter(): DuplicateCounter {
  const seen = new Map<string, Set<number>>()
  let position = 0
  return ({ email_hash, phone_e164 }) => {
    const same = new Set<number>()
    for (const key of [email_hash, phone_e164]) {
      if (key === null) continue
      const positions = seen.get(key) ?? new Set()
      for (const one of positions) same.add(one)
      if (positions.size < limits.leadDuplicates) seen.set(key, positions.add(position))
    }
    position++
    return same.size
  }
}
