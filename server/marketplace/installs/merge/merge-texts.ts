import { limits } from '#contract/limits.ts'
import { commonLines, linesOf } from '#platform/text-lines.ts'
import { type MergeResult, type MergeSide, mergeValue, type ThreeWay, textComparison } from './merge-value.ts'

/**
 * Merges two texts with a common base by lines (diff3). Changes of different lines both count; changes of the same or
 * neighbouring lines are a conflict with the lines of each side. The work is bounded: texts beyond the `limits` of a
 * comparison are merged as one value.
 */
export function mergeTexts(
  path: string,
  three: ThreeWay<string>,
  take: MergeSide | undefined,
): MergeResult<string> {
  const whole = mergeValue(path, three, textComparison, take)
  if (whole.conflicts.length === 0) return whole
  const base = linesOf(three.base)
  const yours = linesOf(three.yours)
  const theirs = linesOf(three.theirs)
  const inYours = matchLines(base, yours)
  const inTheirs = matchLines(base, theirs)
  if (!inYours || !inTheirs) return whole

  const merged: string[] = []
  const conflicting: ThreeWay<string[]>[] = []
  for (const part of parts({ base, yours, theirs }, inYours, inTheirs)) {
    const resolved = mergePart(part)
    if (!resolved) conflicting.push(part)
    for (const line of resolved ?? part[take ?? 'yours']) merged.push(line)
  }
  const value = merged.join('\n')
  if (value.length > limits.assetBody) return whole
  const conflicts = conflicting.map(part => ({
    path,
    base: part.base.join('\n'),
    yours: part.yours.join('\n'),
    theirs: part.theirs.join('\n'),
  }))
  return { value, conflicts: conflicts.length > limits.differenceEdits ? whole.conflicts : conflicts }
}

/** Merges a part; undefined if both sides changed it differently. */
function mergePart({ base, yours, theirs }: ThreeWay<string[]>): string[] | undefined {
  const isSame = (one: string[], other: string[]) =>
    one.length === other.length && one.every((line, at) => line === other[at])
  if (isSame(yours, theirs) || isSame(theirs, base)) return yours
  return isSame(yours, base) ? theirs : undefined
}

/**
 * Splits three texts into parts: lines that all three have, and between them lines that at least one side changed.
 */
function* parts(
  { base, yours, theirs }: ThreeWay<string[]>,
  inYours: Int32Array,
  inTheirs: Int32Array,
): Generator<ThreeWay<string[]>> {
  let at: ThreeWay<number> = { base: 0, yours: 0, theirs: 0 }
  const upTo = (end: ThreeWay<number>): ThreeWay<string[]> => ({
    base: base.slice(at.base, end.base),
    yours: yours.slice(at.yours, end.yours),
    theirs: theirs.slice(at.theirs, end.theirs),
  })
  for (let line = 0; line < base.length; line++) {
    const [mine, other] = [inYours[line]!, inTheirs[line]!]
    if (mine === -1 || other === -1) continue
    // a line of all three texts ends a changed part, which may be empty
    const here = { base: line, yours: mine, theirs: other }
    if (line > at.base || mine > at.yours || other > at.theirs) yield upTo(here)
    at = here
    const next = { base: line + 1, yours: mine + 1, theirs: other + 1 }
    yield upTo(next)
    at = next
  }
  yield upTo({ base: base.length, yours: yours.length, theirs: theirs.length })
}

/** For each line of the base its position in the other text, or -1. */
function matchLines(base: readonly string[], other: readonly string[]): Int32Array | undefined {
  const places = new Int32Array(base.length).fill(-1)
  const shorter = Math.min(base.length, other.length)
  let start = 0
  while (start < shorter && base[start] === other[start]) places[start] = start++
  let end = 0
  while (end < shorter - start && base.at(-1 - end) === other.at(-1 - end)) {
    places[base.length - 1 - end] = other.length - 1 - end
    end++
  }
  const [from, to] = [base.slice(start, base.length - end), other.slice(start, other.length - end)]
  if (from.length + to.length > limits.differenceLines) return undefined
  const runs = commonLines(from, to)
  if (!runs) return undefined
  for (const [one, two, length] of runs) {
    for (let n = 0; n < length; n++) places[start + one + n] = start + two + n
  }
  return places
}
