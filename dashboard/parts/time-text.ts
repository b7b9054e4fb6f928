import { type Language, locales } from '../words/words.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const formats = {
  clock: { hour: 'numeric', minute: '2-digit' },
  weekday: { weekday: 'short' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  moment: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  exact: { dateStyle: 'long', timeStyle: 'long' },
  utc: { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' },
} satisfies Record<string, Intl.DateTimeFormatOptions>
type FormatName = keyof typeof formats

/** Making a formatter is slow, so each is made once. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatted(time: number, language: Language, name: FormatName): string {
  const key = `${language} ${name}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locales[language], formats[name])
    formatters.set(key, formatter)
  }
  return formatter.format(time)
}

const texts = {
  es: { now: 'ahora', ago: (n: number) => `${n} min`, in: (n: number) => `en ${n} min` },
  en: { now: 'now', ago: (n: number) => `${n} min`, in: (n: number) => `in ${n} min` },
}

/** A time as short as it can be: “2 min”, “9:14” today, “Sat” this week, “3 Nov” this year, else the date. */
export function relativeTime(time: number, now: number, language: Language): string {
  const minutes = Math.floor(Math.abs(now - time) / minuteMs)
  if (minutes < 1) return texts[language].now
  if (minutes < 60) return time < now ? texts[language].ago(minutes) : texts[language].in(minutes)
  const then = new Date(time)
  const today = new Date(now)
  if (then.toDateString() === today.toDateString()) return formatted(time, language, 'clock')
  if (time < now && startOfDay(now) - startOfDay(time) < 7 * dayMs)
    return formatted(time, language, 'weekday')
  return formatted(time, language, then.getFullYear() === today.getFullYear() ? 'day' : 'date')
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

/** A time in the zone of the browser: only the day, the day in this year without it, or with hours and minutes. */
export function absoluteTime(
  time: number,
  language: Language,
  form: 'date' | 'moment' | 'clock' | 'day' = 'moment',
): string {
  return formatted(time, language, form)
}

/** A day of the calendar, `YYYY-MM-DD`, which is the same in every zone. */
export function dayText(day: string, language: Language): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return formatted(new Date(year, month - 1, date, 12).getTime(), language, 'date')
}

/** The whole time, in the zone of the browser and in UTC. */
export function exactTime(time: number, language: Language): { local: string; utc: string } {
  return { local: formatted(time, language, 'exact'), utc: `${formatted(time, language, 'utc')} UTC` }
}
