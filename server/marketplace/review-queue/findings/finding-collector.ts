import type { ReleaseFinding } from '#contract/marketplace/entries.ts'
import type { FileFinding } from './file-rules.ts'
import type { FindingSeverity, TextRule } from './finding.rules.ts'

/** The limit of findings in a result. */
export const maxFindings = 200

/** Collects findings with a limit per severity, so that many minor ones cannot hide a severe one. */
export class FindingCollector {
  readonly #found = {
    block: [] as ReleaseFinding[],
    warn: [] as ReleaseFinding[],
    note: [] as ReleaseFinding[],
  }
  readonly #known = new Set<string>()
  #left = 0

  add(
    { code, message }: TextRule,
    severity: FindingSeverity,
    path: string | null,
    line: number | null,
  ): void {
    const list = this.#found[severity]
    const key = JSON.stringify([code, path, line, line === null ? message : ''])
    if (this.#known.has(key)) return
    if (list.length >= maxFindings) {
      this.#left++
      return
    }
    this.#known.add(key)
    list.push({ severity, code, path, line, message })
  }

  note({ severity, code, path, message }: FileFinding): void {
    this.add({ code, message } as TextRule, severity, path, null)
  }

  all(): ReleaseFinding[] {
    const { block, warn, note } = this.#found
    const sorted = [...block, ...warn, ...note]
    const left = this.#left + Math.max(0, sorted.length - maxFindings)
    if (left === 0) return sorted
    const message = `${left} more findings of the same or lower severity were left out. Fix these first.`
    return [
      ...sorted.slice(0, maxFindings),
      { severity: 'note', code: 'MORE_FINDINGS', path: null, line: null, message },
    ]
  }
}
