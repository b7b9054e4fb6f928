/** What two sides made of the same thing since they were equal. */
export type Three<Value> = { base: Value; yours: Value; theirs: Value }
export type Side = 'yours' | 'theirs'
/** A place that both sides changed, each in its way; null where there is nothing. */
export type Conflict = { path: string } & Three<string | null>
/** What comes out, and what could not be decided. Conflicts are settled by `take`; without it nothing counts. */
export type Merged<Value> = { value: Value; conflicts: Conflict[] }

/** How a kind of value is compared, and told in a conflict. */
export type Kind<Value> = { isSame(one: Value, other: Value): boolean; tell(value: Value): string | null }

/** Merges one value as a whole: whoever changed it wins, and if both did so differently it is a conflict. */
export function mergeValue<Value>(
  path: string,
  { base, yours, theirs }: Three<Value>,
  { isSame, tell }: Kind<Value>,
  take: Side | undefined,
): Merged<Value> {
  if (isSame(yours, theirs) || isSame(theirs, base)) return { value: yours, conflicts: [] }
  if (isSame(yours, base)) return { value: theirs, conflicts: [] }
  const conflict = { path, base: tell(base), yours: tell(yours), theirs: tell(theirs) }
  return { value: take === 'theirs' ? theirs : yours, conflicts: [conflict] }
}

/** Texts are told as they are. */
export const texts: Kind<string> = { isSame: (one, other) => one === other, tell: text => text }
