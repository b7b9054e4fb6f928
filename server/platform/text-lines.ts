import { diffArrays } from 'diff'
import { limits } from '#contract/limits.ts'

/** The lines of a text without their ends; none for an empty text. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/**
 * The common runs of lines, in order: the position in each list and the length; undefined if the comparison
 * takes more than `limits.differenceEdits` edits. Lines in only one list are skipped, so a rewritten part
 * costs nothing.
 */
export function commonLines(
  one: readonly string[],
  other: readonly string[],
): [number, number, number][] | undefined {
  // numbers instead of lines, so that a comparison costs the same for long lines
  const numbers = new Map(one.map((line, at) => [line, at]))
  const others = new Set(other)
  const [ones, theirs] = [
    [...one.keys()].filter(at => others.has(one[at]!)),
    [...other.keys()].filter(at => numbers.has(other[at]!)),
  ]
  const numbersOf = (lines: readonly string[], places: number[]) => places.map(at => numbers.get(lines[at]!)!)
  const changes = diffArrays(numbersOf(one, ones), numbersOf(other, theirs), {
    maxEditLength: limits.differenceEdits,
  })
  if (!changes) return undefined
  const found: [number, number, number][] = []
  let [at, otherAt] = [0, 0]
  for (const { added, removed, count } of changes) {
    if (removed) at += count
    else if (added) otherAt += count
    else for (let n = 0; n < count; n++) join(found, ones[at++]!, theirs[otherAt++]!)
  }
  return found
}

function join(found: [number, number, number][], one: number, other: number): void {
  const last = found.at(-1)
  if (last && last[0] + last[2] === one && last[1] + last[2] === other) last[2]++
  else found.push([one, other, 1])
}
