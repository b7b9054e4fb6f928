import { later } from '#platform/data/later.ts'

/** SQL for an earlier time than that of a column, which Citus takes in an update as well. */
export function earlier(column: string, interval: string): string {
  return later(column, `-${interval}`)
}
