import { type FindingSeverity, matchesOf, type TextRule, toScannedText } from './finding.rules.ts'
import { hiddenRules } from './hidden-text-rules.ts'
import { instructionRules } from './instruction-rules.ts'
import { secretRules } from './secret-rules.ts'

/** Everything that is looked for in texts. */
export const textRules: readonly TextRule[] = [...secretRules, ...hiddenRules, ...instructionRules]

/** Where a rule matched: `rule` is its place in `textRules`. */
type Match = { rule: number; severity: FindingSeverity; line: number }

/** What all rules find in a text. */
export function matchesIn(whole: string): Match[] {
  const text = toScannedText(whole.startsWith('\ufeff') ? whole.slice(1) : whole)
  return textRules.flatMap((rule, at) =>
    matchesOf(rule, text).map(({ severity, line }) => ({ rule: at, severity, line })),
  )
}
