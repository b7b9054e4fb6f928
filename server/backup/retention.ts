import { timeOfBackup } from './manifest.ts'

/** Besides those of the last 24 hours, the last one of each of so many days, weeks and months is kept. */
export type Retention = { days: number; weeks: number; months: number }

const dayMs = 86_400_000

/** Reads `14d,8w,12m`; undefined for another text, or if nothing would be kept. */
export function readRetention(text: string): Retention | undefined {
  const retention: Retention = { days: 0, weeks: 0, months: 0 }
  for (const part of text.split(',')) {
    const [, number, unit] = /^\s*(\d{1,4})([dwm])\s*$/.exec(part) ?? []
    if (number === undefined) return undefined
    retention[unit === 'd' ? 'days' : unit === 'w' ? 'weeks' : 'months'] = Number(number)
  }
  return retention.days + retention.weeks + retention.months > 0 ? retention : undefined
}

/** The ids of the backups to delete, measured from the newest one. */
export function expiredBackups(ids: readonly string[], { days, weeks, months }: Retention): string[] {
  const newestFirst = [...ids].sort().reverse()
  const newestMs = newestFirst[0] === undefined ? 0 : timeOfBackup(newestFirst[0])
  const retained = new Set(newestFirst.filter(id => newestMs - timeOfBackup(id) < dayMs))
  const keepLastOfEach = (periodOf: (ms: number) => number | string, count: number) => {
    const periods = new Set<number | string>()
    for (const id of newestFirst) {
      const period = periodOf(timeOfBackup(id))
      if (periods.has(period)) continue
      if (periods.size === count) return
      periods.add(period)
      retained.add(id)
    }
  }
  const dayOf = (ms: number) => Math.floor(ms / dayMs)
  keepLastOfEach(dayOf, days)
  // 1970 began on a Thursday, and weeks begin on Monday
  keepLastOfEach(ms => Math.floor((dayOf(ms) + 3) / 7), weeks)
  keepLastOfEach(ms => new Date(ms).toISOString().slice(0, 7), months)
  return newestFirst.filter(id => !retained.has(id))
}
