import { limits } from '#contract/limits.ts'
import type { FieldDifference, FileDifference, TextDifference } from '#contract/studio/versions.ts'
import { lastOf } from '#platform/required.ts'
import { commonLines, linesOf } from '#platform/text-lines.ts'

type Run = TextDifference['hunks'][number]['runs'][number]

/**
 * Compares two texts by lines; null if they are equal. The work is bounded: beyond `limits.differenceEdits` moved common
 * lines or `limits.differenceLines` compared lines, everything between the common start and the common end is reported as
 * removed and added. Joining the lines of a text by line feeds gives the text.
 */
export function differenceOfTexts(before: string, after: string): TextDifference | null {
  if (before === after) return null
  const [one, other] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++

  const removed = one.slice(start, one.length - end)
  const added = other.slice(start, other.length - end)
  const middle = runsBetween(removed, added)
  const whole: Run[] = [
    { kind: 'removed', lines: removed },
    { kind: 'added', lines: added },
  ]
  const runs: Run[] = [
    { kind: 'same', lines: one.slice(0, start) },
    ...(middle ?? whole),
    { kind: 'same', lines: one.slice(one.length - end) },
  ]
  const count = (kind: Run['kind']) =>
    runs.reduce((sum, run) => sum + (run.kind === kind ? run.lines.length : 0), 0)
  return {
    added: count('added'),
    removed: count('removed'),
    isComplete: middle !== undefined,
    hunks: hunksOf(runs.filter(({ lines }) => lines.length > 0)),
  }
}

/** The runs that turn one list of lines into the other; undefined if that takes too many edits. */
function runsBetween(removed: readonly string[], added: readonly string[]): Run[] | undefined {
  if (removed.length + added.length > limits.differenceLines) return undefined
  const pairs = commonLines(removed, added)
  if (!pairs) return undefined
  const runs: Run[] = []
  let [from, to] = [0, 0]
  for (const [one, other, length] of [...pairs, [removed.length, added.length, 0] as const]) {
    runs.push({ kind: 'removed', lines: removed.slice(from, one) })
    runs.push({ kind: 'added', lines: added.slice(to, other) })
    runs.push({ kind: 'same', lines: removed.slice(one, one + length) })
    from = one + length
    to = other + length
  }
  return runs
}

/** Splits the runs into hunks where more lines are equal than the context shows. */
function hunksOf(runs: readonly Run[]): TextDifference['hunks'] {
  const { differenceContext: context } = limits
  const hunks: TextDifference['hunks'] = []
  let [fromLine, toLine] = [1, 1]
  for (const [at, { kind, lines }] of runs.entries()) {
    const isFirst = at === 0
    const isLast = at === runs.length - 1
    if (kind !== 'same') {
      if (isFirst) hunks.push({ fromLine, toLine, runs: [] })
      lastOf(hunks).runs.push({ kind, lines })
    } else if (!isFirst && !isLast && lines.length <= 2 * context) {
      lastOf(hunks).runs.push({ kind, lines })
    } else {
      if (!isFirst) lastOf(hunks).runs.push({ kind, lines: lines.slice(0, context) })
      const shown = lines.slice(-context)
      const skipped = lines.length - shown.length
      if (!isLast) {
        hunks.push({ fromLine: fromLine + skipped, toLine: toLine + skipped, runs: [{ kind, lines: shown }] })
      }
    }
    if (kind !== 'added') fromLine += lines.length
    if (kind !== 'removed') toLine += lines.length
  }
  return hunks
}

/**
 * Compares two front matters by JSON pointer; lists are compared by index. An object or list with more than
 * `limits.differenceFields` differences, or with very long paths, is reported as one change.
 */
export function differenceOfFields(before: unknown, after: unknown, path = ''): FieldDifference[] {
  if (before === after) return []
  const whole: FieldDifference[] = [{ path, kind: 'changed', before, after }]
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after)) return whole
  const collected: FieldDifference[] = []
  let length = 0
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const differences: FieldDifference[] = !Object.hasOwn(before, key)
      ? [{ path: at, kind: 'added', after: after[key] }]
      : !Object.hasOwn(after, key)
        ? [{ path: at, kind: 'removed', before: before[key] }]
        : differenceOfFields(before[key], after[key], at)
    collected.push(...differences)
    length += differences.reduce((sum, difference) => sum + difference.path.length, 0)
    if (collected.length > limits.differenceFields || length > maxPathCharacters) return whole
  }
  return collected
}
/** Characters of all paths together. A long key repeats in the path of everything below it. */
const maxPathCharacters = 100_000

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

type File = { path: string; size: number; sha256: string }

/** Compares the files of two versions by path. The same content under another path is a rename. */
export function differenceOfFiles(before: readonly File[], after: readonly File[]): FileDifference[] {
  const earlier = new Map(before.map(file => [file.path, file]))
  const later = new Set(after.map(file => file.path))
  const gone = before.filter(({ path }) => !later.has(path))
  const goneBySha = new Map<string, File[]>()
  for (const file of gone) goneBySha.set(file.sha256, [...(goneBySha.get(file.sha256) ?? []), file])

  const differences: FileDifference[] = []
  const renamed = new Set<File>()
  for (const { path, size, sha256 } of after) {
    const same = earlier.get(path)
    if (same?.sha256 === sha256) continue
    const moved = same ? undefined : goneBySha.get(sha256)?.shift()
    if (moved) renamed.add(moved)
    differences.push({
      path,
      kind: same ? 'changed' : moved ? 'renamed' : 'added',
      previousPath: moved?.path ?? null,
      sizeBefore: (same ?? moved)?.size ?? null,
      sizeAfter: size,
    })
  }
  for (const file of gone) {
    if (renamed.has(file)) continue
    const { path, size } = file
    differences.push({ path, kind: 'removed', previousPath: null, sizeBefore: size, sizeAfter: null })
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1))
}
