import { placesOf, type Severity, type TextRule, textOf } from './finding.rules.ts'
import { hiddenRules } from './hidden.ts'
import { instructionRules } from './instructions.ts'
import { secretRules } from './secrets.ts'

/** Everything that is looked for in texts. */
export const textRules: readonly TextRule[] = [...secretRules, ...hiddenRules, ...instructionRules]

/** Where a rule matched: `rule` is its place in `textRules`. */
type Match = { rule: number; severity: Severity; line: number }

/** What all rules find in a text. */
export function matchesIn(whole: string): Match[] {
  const text = textOf(whole.startsWith('\ufeff') ? whole.slice(1) : whole)
  return textRules.flatMap((rule, at) =>
    placesOf(rule, text).map(({ severity, line }) => ({ rule: at, severity, line })),
  )
}
