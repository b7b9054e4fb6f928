/** What two sides made of the same thing since they were equal. */
export type ThreeWay<Value> = { base: Value; yours: Value; theirs: Value }
export type MergeSide = 'yours' | 'theirs'
/** A place that both sides changed, each in its way; null where there is nothing. */
export type MergeConflict = { path: string } & ThreeWay<string | null>
/** What comes out, and what could not be decided. Conflicts are settled by `take`; without it nothing counts. */
export type MergeResult<Value> = { value: Value; conflicts: MergeConflict[] }

/** How a kind of value is compared, and told in a conflict. */
export type ValueComparison<Value> = {
  isSame(one: Value, other: Value): boolean
  toText(value: Value): string | null
}

/** Merges one value as a whole: whoever changed it wins, and if both did so differently it is a conflict. */
export function mergeValue<Value>(
  path: string,
  { base, yours, theirs }: ThreeWay<Value>,
  { isSame, toText }: ValueComparison<Value>,
  take: MergeSide | undefined,
): MergeResult<Value> {
  if (isSame(yours, theirs) || isSame(theirs, base)) return { value: yours, conflicts: [] }
  if (isSame(yours, base)) return { value: theirs, conflicts: [] }
  const conflict = { path, base: toText(base), yours: toText(yours), theirs: toText(theirs) }
  return { value: take === 'theirs' ? theirs : yours, conflicts: [conflict] }
}

/** Texts are told as they are. */
export const textComparison: ValueComparison<string> = {
  isSame: (one, other) => one === other,
  toText: text => text,
}
