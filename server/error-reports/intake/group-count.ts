/** A change of how many errors of a kind there are. */
export type Tallied = { applicationId: string; module: string; severity: string; state: string; n: number }

/** Adds up changes of the same kind, leaves out what does not change, and puts them into the order of locking. */
export function tallyChanges(changes: readonly Tallied[]): Tallied[] {
  const sums = new Map<string, Tallied>()
  for (const change of changes) {
    const key = [change.applicationId, change.module, change.severity, change.state].join('\0')
    const sum = sums.get(key)
    sums.set(key, { ...change, n: (sum?.n ?? 0) + change.n })
  }
  return [...sums]
    .filter(([, { n }]) => n !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum)
}
