import type { ReleaseFinding } from '#contract/marketplace/entries.ts'

export type FindingSeverity = ReleaseFinding['severity']

/** What is looked for in a text. */
export type TextRule = {
  code: string
  severity: FindingSeverity
  /** One of these stands in every text that the pattern finds, in lower case. They are looked for first. */
  needles: readonly string[]
  /**
   * Global. Texts are hostile: repetitions are bounded, and what follows a word that is common is taken whole and
   * looked at by `judge`, so that no place of the text is tried again and again.
   */
  pattern: RegExp
  /** What to do about it. Never holds anything of the text. */
  message: string
  /** The severity of a match, when it is not that of the rule; null for what only looks like one. */
  judge?(match: RegExpExecArray): FindingSeverity | null
}

/** Where a rule found something: a line, counted from 1. */
export type RuleMatch = { rule: TextRule; severity: FindingSeverity; line: number }

/** Of each rule so many places are told for one text. */
const maxMatchesPerText = 20

/** The places of a text where a rule fits, one for each line. */
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

/** A text as rules look at it. */
export type ScannedText = { whole: string; lower: string; lineAt(index: number): number }

/** Prepares a text. Places are asked for in their order, by rule after rule: each line is looked for once by each. */
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
