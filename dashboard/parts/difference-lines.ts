/** A group of changes as the server sends it: runs of consecutive lines, and the number of the first line in each text. */
export type DifferenceHunk = {
  fromLine: number
  toLine: number
  runs: readonly { kind: 'same' | 'added' | 'removed'; lines: readonly string[] }[]
}
export type DifferenceLine = {
  kind: 'same' | 'added' | 'removed'
  /** Its number in each text, or undefined if that text does not have it. */
  from: number | undefined
  to: number | undefined
  text: string
}

/** The lines of a hunk with their numbers in both texts. */
export function linesOf({ fromLine, toLine, runs }: DifferenceHunk): readonly DifferenceLine[] {
  const lines: DifferenceLine[] = []
  let from = fromLine
  let to = toLine
  for (const { kind, lines: texts } of runs)
    for (const text of texts)
      lines.push({
        kind,
        from: kind === 'added' ? undefined : from++,
        to: kind === 'removed' ? undefined : to++,
        text,
      })
  return lines
}
