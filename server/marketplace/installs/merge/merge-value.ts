/** A value of two sides and their common base. */
export type ThreeWay<Value> = { base: Value; yours: Value; theirs: Value }
export type MergeSide = 'yours' | 'theirs'
/** A place that both sides changed differently; null for an absent value. */
export type MergeConflict = { path: string } & ThreeWay<string | null>
/** The merged value and its conflicts, which `take` resolves. */
export type MergeResult<Value> = { value: Value; conflicts: MergeConflict[] }

/** Compares values of a type and writes them in conflicts. */
export type ValueComparison<Value> = {
  isSame(one: Value, other: Value): boolean
  toText(value: Value): string | null
}

/** Merges one value as a whole: a change of one side wins; different changes of both sides are a conflict. */
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

/** Conflicts contain the whole text. */
export const textComparison: ValueComparison<string> = {
  isSame: (one, other) => one === other,
  toText: text => text,
}
