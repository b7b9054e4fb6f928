import type { ImportedLine } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { type Columns, readLine } from '../csv/columns.ts'
import type { CsvRecord } from '../csv/read.ts'
import { blankLead, type Keeping, withFields } from '../fields.ts'
import type { LeadRow } from '../lead.row.ts'

/** What lines become: leads, and with each the number of its line; beside them what is wrong with the others. */
export type Understood = { leads: LeadRow[]; lines: number[]; refused: ImportedLine[] }

/** Holds each line to the rules of POST /leads. */
export function understand(columns: Columns, records: readonly CsvRecord[], keeping: Keeping): Understood {
  const understood: Understood = { leads: [], lines: [], refused: [] }
  for (const { line, values } of records) {
    const { given, errors } = readLine(columns, values)
    if (errors.length > 0) understood.refused.push({ line, id: null, duplicates: 0, errors })
    else {
      understood.leads.push(withFields(blankLead(newId()), given, keeping))
      understood.lines.push(line)
    }
  }
  return understood
}

/**
 * What is said of these lines, in their order: of the refused ones, and of those with duplicates. `counts` are leads that
 * there are, `same` counts those of the file that are not among them.
 */
export function toldOf(
  { leads, lines, refused }: Understood,
  counts: readonly number[],
  same: Same,
): ImportedLine[] {
  const doubled = leads.flatMap((lead, at) => {
    const duplicates = Math.min(counts[at]! + same(lead), limits.leadDuplicates)
    return duplicates > 0 ? [{ line: lines[at]!, id: lead.id, duplicates, errors: [] }] : []
  })
  return [...refused, ...doubled].sort((a, b) => a.line - b.line)
}

type Same = (lead: Pick<LeadRow, 'email_hash' | 'phone_e164'>) => number

/** Counts, of one lead after the other, those before it with the same e-mail or telephone. */
export function countSame(): Same {
  const seen = new Map<string, Set<number>>()
  let place = 0
  return ({ email_hash, phone_e164 }) => {
    const same = new Set<number>()
    for (const key of [email_hash, phone_e164]) {
      if (key === null) continue
      const places = seen.get(key) ?? new Set()
      for (const one of places) same.add(one)
      if (places.size < limits.leadDuplicates) seen.set(key, places.add(place))
    }
    place++
    return same.size
  }
}
