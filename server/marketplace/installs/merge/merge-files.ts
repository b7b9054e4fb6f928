import { clashIn } from '#server/studio/index.ts'
import {
  type MergeConflict,
  type MergeResult,
  type MergeSide,
  mergeValue,
  type ThreeWay,
  type ValueComparison,
} from './merge-value.ts'

/** An attachment: where it stands, and what it holds by digest. */
export type CopiedFile = { path: string; contentType: string; size: number; sha256: string }

const byDigest: ValueComparison<CopiedFile | undefined> = {
  isSame: (one, other) => one?.sha256 === other?.sha256,
  toText: file => file?.sha256 ?? null,
}

/**
 * Merges attachments by path and digest: what one side added, changed or removed counts. A file of one side that
 * stands where the other has a folder is a conflict too.
 */
export function mergeFiles(
  { base, yours, theirs }: ThreeWay<readonly CopiedFile[]>,
  take: MergeSide | undefined,
): MergeResult<CopiedFile[]> {
  const byPath = (files: readonly CopiedFile[]) => new Map(files.map(file => [file.path, file]))
  const sides = { base: byPath(base), yours: byPath(yours), theirs: byPath(theirs) }
  const paths = [...new Set([...sides.base.keys(), ...sides.yours.keys(), ...sides.theirs.keys()])].sort()
  const conflicts: MergeConflict[] = []
  const merged: CopiedFile[] = []
  for (const path of paths) {
    const file = { base: sides.base.get(path), yours: sides.yours.get(path), theirs: sides.theirs.get(path) }
    const one = mergeValue(`files/${path}`, file, byDigest, take)
    conflicts.push(...one.conflicts)
    if (one.value) merged.push(one.value)
  }
  return withoutClashes({ value: merged, conflicts }, sides, take ?? 'yours')
}

/** Leaves out the files of the side that is not taken where they stand in the way of the other's. */
function withoutClashes(
  { value, conflicts }: MergeResult<CopiedFile[]>,
  sides: ThreeWay<ReadonlyMap<string, CopiedFile>>,
  take: MergeSide,
): MergeResult<CopiedFile[]> {
  const other = take === 'yours' ? 'theirs' : 'yours'
  let files = value
  for (;;) {
    const clash = clashIn(
      [],
      files.map(({ path }) => path),
    )
    if (clash === undefined) return { value: files, conflicts }
    const isInTheWay = ({ path }: CopiedFile) =>
      path === clash || path.startsWith(`${clash}/`) || clash.startsWith(`${path}/`)
    const losing = files.filter(
      file => isInTheWay(file) && sides[other].has(file.path) && !sides[take].has(file.path),
    )
    // a side by itself has no clash, so one of them is the other's alone
    if (losing.length === 0) throw new Error(`No side has ${clash} alone`)
    for (const { path, sha256 } of losing)
      conflicts.push({ path: `files/${path}`, base: null, yours: null, theirs: null, [other]: sha256 })
    files = files.filter(file => !losing.includes(file))
  }
}
