/** The values of one field of a schedule; `isAny`: the field is `*` and restricts nothing. */
export type CronField = { values: readonly number[]; isAny: boolean }

/** A cron expression with five fields, as the server stores it (AGT-2). Weekdays count from Sunday, 0. */
export type Schedule = Readonly<Record<'minutes' | 'hours' | 'days' | 'months' | 'weekdays', CronField>>

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Reads a schedule; undefined for a text with other than five valid fields. */
export function parseCron(text: string): Schedule | undefined {
  const fields = text.trim().toUpperCase().split(/\s+/)
  if (fields.length !== 5) return undefined
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  const minutes = parseField(minute, 0, 59)
  const hours = parseField(hour, 0, 23)
  const days = parseField(day, 1, 31)
  const months = parseField(named(month, monthNames, 1), 1, 12)
  const weekdays = parseField(named(weekday, weekdayNames, 0), 0, 7)
  if (!minutes || !hours || !days || !months || !weekdays) return undefined
  // Sunday is 0 and 7
  const fromSunday = [...new Set(weekdays.values.map(value => value % 7))].toSorted((a, b) => a - b)
  return { minutes, hours, days, months, weekdays: { ...weekdays, values: fromSunday } }
}

function named(field: string, names: readonly string[], first: number): string {
  return field.replace(/[A-Z]{3}/g, name => {
    const at = names.indexOf(name)
    return at < 0 ? name : String(at + first)
  })
}

function parseField(field: string, least: number, most: number): CronField | undefined {
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const match = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (!match) return undefined
    const [, any, low, high, stepText] = match
    const from = any ? least : Number(low)
    // a weekday of 7 is Sunday again: `*` ends with Saturday
    const to = any ? (most === 7 ? 6 : most) : Number(high ?? low)
    const step = Number(stepText ?? 1)
    if (from < least || to > most || from > to || step < 1) return undefined
    for (let value = from; value <= to; value += step) values.add(value)
  }
  return { values: [...values].toSorted((a, b) => a - b), isAny: field === '*' }
}

const dayMs = 86_400_000
/** 29 February can be eight years away, and five of them need 28 years and more. */
const mostDays = 366 * 32

/** The next times of a schedule in a time zone after a moment, in milliseconds since 1970. */
export function nextTimes(schedule: Schedule, timeZone: string, after: number, count: number): number[] {
  const found: number[] = []
  // the calendar of the zone, counted in UTC: its days have no changes of the clock
  const firstDay = Math.floor(wallClockAt(after, timeZone) / dayMs) * dayMs
  for (let day = firstDay; day < firstDay + mostDays * dayMs && found.length < count; day += dayMs)
    if (isOnDay(schedule, new Date(day)))
      for (const minute of minutesOf(schedule)) {
        const time = timeOf(day + minute * 60_000, timeZone)
        if (time > after && time !== found.at(-1)) found.push(time)
        if (found.length === count) break
      }
  return found
}

/** The minutes of a day at which the schedule is due. */
function minutesOf({ hours, minutes }: Schedule): number[] {
  return hours.values.flatMap(hour => minutes.values.map(minute => hour * 60 + minute))
}

/** As in every cron: with both kinds of days restricted, one of them is enough. */
function isOnDay({ days, months, weekdays }: Schedule, day: Date): boolean {
  if (!months.values.includes(day.getUTCMonth() + 1)) return false
  const isDay = days.values.includes(day.getUTCDate())
  const isWeekday = weekdays.values.includes(day.getUTCDay())
  return days.isAny || weekdays.isAny ? isDay && isWeekday : isDay || isWeekday
}

/** Making a formatter is slow, so each is made once. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** The clock on the wall in the zone, as if it were UTC. */
function wallClockAt(time: number, timeZone: string): number {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timeZone, formatter)
  }
  const parts = Object.fromEntries(
    formatter.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The moment at which the clock in the zone shows this time. In the hour that spring skips, the moment one hour later. */
function timeOf(wallClock: number, timeZone: string): number {
  const offsetBefore = wallClockAt(wallClock - dayMs, timeZone) - (wallClock - dayMs)
  const time = wallClock - offsetBefore
  if (wallClockAt(time, timeZone) === wallClock) return time
  const offsetAfter = wallClockAt(wallClock + dayMs, timeZone) - (wallClock + dayMs)
  const later = wallClock - offsetAfter
  return wallClockAt(later, timeZone) === wallClock ? later : time
}
