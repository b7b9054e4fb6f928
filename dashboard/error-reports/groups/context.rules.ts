/** The context of a sample, in the parts that the screen shows. */
export type ContextParts = {
  /** Its plain values. */
  facts: readonly { term: string; value: string }[]
  /** Everything that has a structure; undefined if nothing has. */
  rest: Readonly<Record<string, unknown>> | undefined
  /** The paths from which the server removed a value: `user.email`. */
  removed: readonly string[]
  /** The server cut what was too large (ERR-4). */
  isTruncated: boolean
}

/** The words that the server writes in the place of a secret (SCR-3). */
const removal = /\[(?:filtered|email|card|account)\]/

export function contextPartsOf(context: Readonly<Record<string, unknown>>): ContextParts {
  const { _truncated: isTruncated, ...values } = context
  const entries = Object.entries(values)
  const isPlain = (value: unknown) => value === null || typeof value !== 'object'
  const nested = entries.filter(([, value]) => !isPlain(value))
  return {
    facts: entries
      .filter(([, value]) => isPlain(value))
      .map(([term, value]) => ({ term, value: String(value) })),
    rest: nested.length > 0 ? Object.fromEntries(nested) : undefined,
    // the server keeps no order of the fields
    removed: removedPaths(values).toSorted(),
    isTruncated: isTruncated === true,
  }
}

function removedPaths(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return removal.test(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  const parts = Object.entries(value).flatMap(([name, part]) =>
    removedPaths(part, Array.isArray(value) ? `${path}[]` : path ? `${path}.${name}` : name),
  )
  return [...new Set(parts)]
}
