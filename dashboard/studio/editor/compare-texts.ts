import { diffArrays } from 'diff'
import type { TextDifference } from '#contract/studio/versions.ts'

type Run = TextDifference['hunks'][number]['runs'][number]

/** As the server compares versions: equal lines around a change, and the most edits and lines (VER-18). */
const context = 3
const mostEdits = 500
const mostLines = 100_000

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** Compares a text that is not saved yet with the saved one, by lines; null if they are equal. */
export function compareTexts(before: string, after: string): TextDifference | null {
  if (before === after) return null
  const runs = runsBetween(linesOf(before), linesOf(after))
  const count = (kind: Run['kind']) =>
    runs.list.reduce((sum, run) => sum + (run.kind === kind ? run.lines.length : 0), 0)
  return {
    added: count('added'),
    removed: count('removed'),
    isComplete: runs.isComplete,
    hunks: hunksOf(runs.list.filter(({ lines }) => lines.length > 0)),
  }
}

/** The runs that turn one list of lines into the other. A large comparison shows everything between as replaced. */
export function runsBetween(
  one: readonly string[],
  other: readonly string[],
): { list: Run[]; isComplete: boolean } {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const removed = one.slice(start, one.length - end)
  const added = other.slice(start, other.length - end)
  const middle =
    removed.length + added.length > mostLines
      ? undefined
      : diffArrays(removed, added, { maxEditLength: mostEdits })
  const changes: Run[] = middle
    ? middle.map(part => ({
        kind: part.added ? 'added' : part.removed ? 'removed' : 'same',
        lines: part.value,
      }))
    : [
        { kind: 'removed', lines: removed },
        { kind: 'added', lines: added },
      ]
  return {
    list: [
      { kind: 'same', lines: one.slice(0, start) },
      ...changes,
      { kind: 'same', lines: one.slice(one.length - end) },
    ],
    isComplete: middle !== undefined,
  }
}

/** Groups the runs where more lines are equal than the context shows. */
function hunksOf(runs: readonly Run[]): TextDifference['hunks'] {
  const hunks: TextDifference['hunks'] = []
  let [fromLine, toLine] = [1, 1]
  const openAt = (skipped: number, first: Run[]) =>
    hunks.push({ fromLine: fromLine + skipped, toLine: toLine + skipped, runs: first })
  for (const [at, run] of runs.entries()) {
    const { kind, lines } = run
    const isLast = at === runs.length - 1
    const isWhole = kind !== 'same' || (at > 0 && !isLast && lines.length <= 2 * context)
    if (isWhole) {
      if (hunks.length === 0) openAt(0, [])
      hunks.at(-1)?.runs.push(run)
    } else {
      hunks.at(-1)?.runs.push({ kind, lines: lines.slice(0, context) })
      const shown = lines.slice(-context)
      if (!isLast) openAt(lines.length - shown.length, [{ kind, lines: shown }])
    }
    if (kind !== 'added') fromLine += lines.length
    if (kind !== 'removed') toLine += lines.length
  }
  return hunks
}
