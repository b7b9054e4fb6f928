import { firstId } from '#platform/ids.ts'

const dayMs = 86_400_000

/** A day of deliveries and attempts: the suffix of its partition and its range of ids. */
export type PartitionDay = { name: string; from: string; to: string }

/** The day of a time, in UTC. */
export function dayOf(ms: number): PartitionDay {
  const from = Math.floor(ms / dayMs) * dayMs
  const name = new Date(from).toISOString().slice(0, 10).replaceAll('-', '')
  return { name, from: firstId(from), to: firstId(from + dayMs) }
}

/** The days around a time: some before it, for slow clocks, and some ahead. */
export function daysAround(ms: number, before: number, ahead: number): PartitionDay[] {
  return Array.from({ length: before + ahead + 1 }, (_, at) => dayOf(ms + (at - before) * dayMs))
}

/** True if a partition is older than this many days. */
export function isExpired(name: string, ms: number, days: number): boolean {
  return name < dayOf(ms - days * dayMs).name
}
