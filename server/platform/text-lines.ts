import { diffArrays } from 'diff'
import { limits } from '#contract/limits.ts'

/** The lines of a text, without their ends; none of an empty text. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/**
 * Where lines are common to both, in their order: the place in each list and how many follow; undefined when that
 * takes more than `limits.differenceEdits` edits. Lines that only one list has are not looked at, so that a part
 * written anew costs nothing.
 */
export function commonLines(
  one: readonly string[],
  other: readonly string[],
): [number, number, number][] | undefined {
  // numbers in place of lines: however long the lines are, comparing two of them costs the same
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
