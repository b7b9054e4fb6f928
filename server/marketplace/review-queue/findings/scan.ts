import { type FindingSeverity, matchesOf, type TextRule, toScannedText } from './finding.rules.ts'
import { hiddenRules } from './hidden-text-rules.ts'
import { instructionRules } from './instruction-rules.ts'
import { secretRules } from './secret-rules.ts'

/** All rules for texts. */
export const textRules: readonly TextRule[] = [...secretRules, ...hiddenRules, ...instructionRules]

/** A match: `rule` is the index in `textRules`. */
type Match = { rule: number; severity: FindingSeverity; line: number }

/** The matches of all rules in a text. */
export function matchesIn(whole: string): Match[] {
  const text = toScannedText(whole.startsWith('\ufeff') ? whole.slice(1) : whole)
  return textRules.flatMap((rule, at) =>
    matchesOf(rule, text).map(({ severity, line }) => ({ rule: at, severity, line })),
  )
}
