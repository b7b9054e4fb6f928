import { findPathConflict } from '#server/studio/index.ts'
import {
  type MergeConflict,
  type MergeResult,
  type MergeSide,
  mergeValue,
  type ThreeWay,
  type ValueComparison,
} from './merge-value.ts'

/** An attachment: its path, and its content by digest. */
export type CopiedFile = { path: string; contentType: string; size: number; sha256: string }

const byDigest: ValueComparison<CopiedFile | undefined> = {
  isSame: (one, other) => one?.sha256 === other?.sha256,
  toText: file => file?.sha256 ?? null,
}

/**
 * Merges attachments by path and digest. Additions, changes and removals of one side count. A file of one side at the path
 * of a folder of the other is also a conflict.
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

/** Removes files of the other side whose paths clash with files of the chosen side. */
function withoutClashes(
  { value, conflicts }: MergeResult<CopiedFile[]>,
  sides: ThreeWay<ReadonlyMap<string, CopiedFile>>,
  take: MergeSide,
): MergeResult<CopiedFile[]> {
  const other = take === 'yours' ? 'theirs' : 'yours'
  let files = value
  for (;;) {
    const clash = findPathConflict(
      [],
      files.map(({ path }) => path),
    )
    if (clash === undefined) return { value: files, conflicts }
    const isInTheWay = ({ path }: CopiedFile) =>
      path === clash || path.startsWith(`${clash}/`) || clash.startsWith(`${path}/`)
    const losing = files.filter(
      file => isInTheWay(file) && sides[other].has(file.path) && !sides[take].has(file.path),
    )
    // one side alone has no clash, so one of the files belongs only to the other side
    if (losing.length === 0) throw new Error(`No side has ${clash} alone`)
    for (const { path, sha256 } of losing)
      conflicts.push({ path: `files/${path}`, base: null, yours: null, theirs: null, [other]: sha256 })
    files = files.filter(file => !losing.includes(file))
  }
}
