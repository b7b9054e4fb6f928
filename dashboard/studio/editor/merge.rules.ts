import { runsBetween } from './compare-texts.ts'

/** Lines `start` to `end` of the base, and what a side has instead. */
type Change = { start: number; end: number; lines: readonly string[] }
export type Merged = {
  text: string
  /** The places that both sides changed differently: the text has both, between lines that mark them. */
  clashes: number
}

const marker = /^(<{7}|={7}|>{7})( |$)/m

/** Whether places that both sides changed still wait for a decision. */
export const hasMarkers = (text: string) => marker.test(text)

/**
 * Brings together what two people made of the same text, line by line. A place that both changed has both passages,
 * marked as version control marks them.
 */
export function mergeTexts(
  { base, mine, theirs }: { base: string; mine: string; theirs: string },
  names: { mine: string; theirs: string },
): Merged {
  const lines = base.split('\n')
  const [ours, others] = [changesOf(lines, mine), changesOf(lines, theirs)]
  const merged: string[] = []
  let clashes = 0
  let at = 0
  for (const { start, end, fromMine, fromTheirs } of groupsOf(ours, others)) {
    merged.push(...lines.slice(at, start))
    const own = sideOf(lines, { start, end }, fromMine)
    const foreign = sideOf(lines, { start, end }, fromTheirs)
    if (fromTheirs.length === 0) merged.push(...own)
    else if (fromMine.length === 0 || own.join('\n') === foreign.join('\n')) merged.push(...foreign)
    else {
      clashes++
      merged.push(`<<<<<<< ${names.mine}`, ...own, '=======', ...foreign, `>>>>>>> ${names.theirs}`)
    }
    at = end
  }
  merged.push(...lines.slice(at))
  return { text: merged.join('\n'), clashes }
}

function changesOf(base: readonly string[], text: string): Change[] {
  const changes: Change[] = []
  let at = 0
  let isOpen = false
  for (const { kind, lines } of runsBetween(base, text.split('\n')).list) {
    if (lines.length === 0) continue
    if (kind === 'same') {
      at += lines.length
      isOpen = false
      continue
    }
    if (!isOpen) changes.push({ start: at, end: at, lines: [] })
    isOpen = true
    const change = changes.at(-1)
    if (!change) continue
    if (kind === 'removed') {
      at += lines.length
      change.end = at
    } else change.lines = [...change.lines, ...lines]
  }
  return changes
}

type Group = { start: number; end: number; fromMine: Change[]; fromTheirs: Change[] }

/** The changes of both sides in the order of the base; those that touch each other are in one group. */
function groupsOf(mine: readonly Change[], theirs: readonly Change[]): Group[] {
  const all = [
    ...mine.map(change => ({ change, isMine: true })),
    ...theirs.map(change => ({ change, isMine: false })),
  ].toSorted((one, other) => one.change.start - other.change.start || one.change.end - other.change.end)
  const groups: Group[] = []
  for (const { change, isMine } of all) {
    const last = groups.at(-1)
    const isApart =
      !last ||
      change.start > last.end ||
      (change.start === last.end && last.start < last.end && change.start < change.end)
    if (isApart) groups.push({ start: change.start, end: change.end, fromMine: [], fromTheirs: [] })
    const group = groups.at(-1)
    if (!group) continue
    group.end = Math.max(group.end, change.end)
    group[isMine ? 'fromMine' : 'fromTheirs'].push(change)
  }
  return groups
}

/** The lines that a side has in a part of the base. */
function sideOf(
  base: readonly string[],
  { start, end }: { start: number; end: number },
  changes: readonly Change[],
): string[] {
  const lines: string[] = []
  let at = start
  for (const change of changes) {
    lines.push(...base.slice(at, change.start), ...change.lines)
    at = change.end
  }
  return [...lines, ...base.slice(at, end)]
}
