/** A change of a stored group count. */
export type GroupCountChange = {
  applicationId: string
  module: string
  severity: string
  state: string
  change: number
}

/** Sums changes of the same count, drops those that cancel out and sorts them in lock order. */
export function mergeCountChanges(changes: readonly GroupCountChange[]): GroupCountChange[] {
  const sums = new Map<string, GroupCountChange>()
  for (const change of changes) {
    const key = [change.applicationId, change.module, change.severity, change.state].join('\0')
    const sum = sums.get(key)
    sums.set(key, { ...change, change: (sum?.change ?? 0) + change.change })
  }
  return [...sums]
    .filter(([, { change }]) => change !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum)
}
