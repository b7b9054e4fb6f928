import { dateFormat, numberFormat } from '../words/formatters.ts'
import type { Language } from '../words/words.ts'
import { decimalText } from './number-text.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const formats = {
  clock: { hour: 'numeric', minute: '2-digit' },
  seconds: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  weekday: { weekday: 'short' },
  day: { day: 'numeric', month: 'short' },
  dayOfWeek: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  longDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  moment: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  exact: { dateStyle: 'long', timeStyle: 'long' },
  utc: { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' },
} satisfies Record<string, Intl.DateTimeFormatOptions>
type FormatName = keyof typeof formats

function formatted(time: number, language: Language, name: FormatName): string {
  return dateFormat(language, formats[name]).format(time)
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

/**
 * A time in the zone of the browser: the day, with its month and perhaps its year (`longDate` is “Friday, 20 November 2026”), the
 * day with hours and minutes, or the time of day, for attempts with its seconds.
 */
export function absoluteTime(
  time: number,
  language: Language,
  form: 'date' | 'longDate' | 'moment' | 'clock' | 'seconds' | 'day' = 'moment',
): string {
  return formatted(time, language, form)
}

/** A day of the calendar, `YYYY-MM-DD`, which is the same in every zone: “20 Nov 2026”, without its year “20 Nov”, or “Fri 20 Nov”. */
export function dayText(
  day: string,
  language: Language,
  form: 'date' | 'day' | 'dayOfWeek' = 'date',
): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return formatted(new Date(year, month - 1, date, 12).getTime(), language, form)
}

/** A month of the calendar, `YYYY-MM`: “November 2026”. */
export function monthText(month: string, language: Language): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return formatted(new Date(year, number - 1, 1, 12).getTime(), language, 'month')
}

/** A time of day as both languages write it: “9:00”. */
export function clockText(hour: number, minute: number): string {
  return `${hour}:${String(minute).padStart(2, '0')}`
}

/** The name of a day of the week, from 0 for Monday. */
export function weekdayName(fromMonday: number, language: Language): string {
  // 1 January 2024 was a Monday
  return dateFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + fromMonday))
}

/** The name of a month, from 1 for January. */
export function monthName(month: number, language: Language): string {
  return dateFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1))
}

/** The whole time, in the zone of the browser and in UTC. */
export function exactTime(time: number, language: Language): { local: string; utc: string } {
  return { local: formatted(time, language, 'exact'), utc: `${formatted(time, language, 'utc')} UTC` }
}

const durationUnits = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const

/** A duration in its largest unit, with the word of the language: “3 secs”, “2 mins”, “4 hrs”. */
export function durationText(seconds: number, language: Language): string {
  // two of a larger unit say less than ninety of a smaller one, but are read faster
  const [unit, size] = durationUnits.findLast(([, one]) => seconds >= one) ?? durationUnits[0]
  return numberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: seconds < 10 ? 1 : 0,
  }).format(seconds / size)
}

/** A duration with the signs of its units, the same in all languages: “341 ms”, “1.2 s”, “40 s”, “3 min 20 s”, “1 h 5 min”. */
export function exactDurationText(ms: number, language: Language): string {
  if (ms < 1_000) return `${decimalText(ms, 0, language)} ms`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 10) return `${decimalText(ms / 1_000, 1, language)} s`
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return inTwoUnits(minutes, 'min', seconds % 60, 's')
  return inTwoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function inTwoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
