/** A change of how many errors of a kind there are. */
export type GroupCountChange = {
  applicationId: string
  module: string
  severity: string
  state: string
  change: number
}

/** Adds up changes of the same kind, leaves out what does not change, and puts them into the order of locking. */
export function mergeCountChanges(changes: readonly GroupCountChange[]): GroupCountChange[] {
  const sums = new Map<string, GroupCountChange>()
  for (const change of changes) {
    const key = [change.applicationId, change.module, change.severity, change.state].join('\0')
    const sum = sums.get(key)
    sums.set(key, { ...change, change: (sum?.change ?? 0) + change.change })
  }
  return [...sums]
    .filter(([, { change }]) => change !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum)
}
