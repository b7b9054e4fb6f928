import type { ReleaseFinding } from '#contract/marketplace/entries.ts'

export type FindingSeverity = ReleaseFinding['severity']

/** A rule that searches a text. */
export type TextRule = {
  code: string
  severity: FindingSeverity
  /** Every match contains one of these, in lower case. Texts without them are skipped. */
  needles: readonly string[]
  /**
   * Global. Texts may be hostile: repetitions are bounded. After a common word the pattern takes the rest of the line for
   * `judge`, which avoids repeated backtracking.
   */
  pattern: RegExp
  /** The advice to the author. Never contains the matched text. */
  message: string
  /** Decides the severity of a match; null if it is a false positive. */
  judge?(match: RegExpExecArray): FindingSeverity | null
}

/** A match of a rule with its line, counted from 1. */
export type RuleMatch = { rule: TextRule; severity: FindingSeverity; line: number }

/** Reports up to this many matches of a rule in one text. */
const maxMatchesPerText = 20

/** The matches of a rule in a text, one per line. */
export function matchesOf(rule: TextRule, text: ScannedText): RuleMatch[] {
  if (!rule.needles.some(needle => text.lower.includes(needle))) return []
  const found = new Map<number, RuleMatch>()
  rule.pattern.lastIndex = 0
  for (let match = rule.pattern.exec(text.whole); match; match = rule.pattern.exec(text.whole)) {
    const severity = rule.judge ? rule.judge(match) : rule.severity
    if (severity !== null) {
      const line = text.lineAt(match.index)
      if (found.get(line)?.severity !== 'block') found.set(line, { rule, severity, line })
    }
    if (found.size >= maxMatchesPerText) break
  }
  return [...found.values()]
}

/** A text prepared for rules. */
export type ScannedText = { whole: string; lower: string; lineAt(index: number): number }

/** Prepares a text. `lineAt` is fast for increasing positions, as each rule asks for them. */
export function toScannedText(whole: string): ScannedText {
  let line = 1
  let [begins, ends] = [0, whole.indexOf('\n')]
  return {
    whole,
    lower: whole.toLowerCase(),
    lineAt(index) {
      if (index < begins) {
        line = 1
        begins = 0
        ends = whole.indexOf('\n')
      }
      while (ends !== -1 && ends < index) {
        line++
        begins = ends + 1
        ends = whole.indexOf('\n', begins)
      }
      return line
    },
  }
}
