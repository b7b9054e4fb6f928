import { clockText, monthName, weekdayName } from '../../parts/time-text.ts'
import { listText } from '../../words/formatters.ts'
import { type Language, locales } from '../../words/words.ts'
import type { CronField, Schedule } from './cron.rules.ts'

/** The phrases of a schedule. `list` has been joined already. */
const phrases = {
  es: {
    everyDay: 'todos los días',
    weekdays: (list: string) => `los ${list}`,
    range: (first: string, last: string) => `de ${first} a ${last}`,
    days: (list: string, isOne: boolean) => (isOne ? `el día ${list}` : `los días ${list}`),
    dayRange: (first: number, last: number) => `del ${first} al ${last}`,
    ofMonths: (list: string) => `de ${list}`,
    ofEachMonth: 'de cada mes',
    inMonths: (list: string) => `en ${list}`,
    orAlso: 'y también',
    at: (list: string, hour: number) => (hour === 1 ? `a la ${list}` : `a las ${list}`),
    everyMinutes: (count: number) => (count === 1 ? 'cada minuto' : `cada ${count} minutos`),
    everyHours: (count: number) => (count === 1 ? 'cada hora' : `cada ${count} horas`),
    atMinutes: (list: string, isOne: boolean) =>
      isOne ? (list === '0' ? 'en punto' : `en el minuto ${list}`) : `en los minutos ${list}`,
    between: (first: string, last: string) => `de ${first} a ${last}`,
    inHours: (list: string) => `en las horas ${list}`,
  },
  en: {
    everyDay: 'every day',
    weekdays: (list: string) => `on ${list}`,
    range: (first: string, last: string) => `${first} to ${last}`,
    days: (list: string, isOne: boolean) => (isOne ? `on day ${list}` : `on days ${list}`),
    dayRange: (first: number, last: number) => `from day ${first} to ${last}`,
    ofMonths: (list: string) => `of ${list}`,
    ofEachMonth: 'of each month',
    inMonths: (list: string) => `in ${list}`,
    orAlso: 'and also',
    at: (list: string, _hour: number) => `at ${list}`,
    everyMinutes: (count: number) => (count === 1 ? 'every minute' : `every ${count} minutes`),
    everyHours: (count: number) => (count === 1 ? 'every hour' : `every ${count} hours`),
    atMinutes: (list: string, isOne: boolean) =>
      isOne ? (list === '0' ? 'on the hour' : `at minute ${list}`) : `at minutes ${list}`,
    between: (first: string, last: string) => `from ${first} to ${last}`,
    inHours: (list: string) => `in the hours ${list}`,
  },
}

/** More values than this are shortened: “1, 3, 5…”. */
const mostValues = 6

/** A schedule in words: “De lunes a viernes a las 9:00”, “Every 15 minutes, Monday to Friday”. */
export function scheduleText(schedule: Schedule, language: Language): string {
  const { days, weekdays, months } = schedule
  const times = timesOf(schedule)
  const isEveryDay = days.isAny && weekdays.isAny && months.isAny
  const text = times
    ? `${daysText(schedule, language)} ${atTimes(times, language)}`
    : [intervalText(schedule, language), ...(isEveryDay ? [] : [daysText(schedule, language)])].join(', ')
  return text.charAt(0).toLocaleUpperCase(locales[language]) + text.slice(1)
}

/** The few times of a day at which the schedule is due, in minutes; undefined if there are many. */
function timesOf({ hours, minutes }: Schedule): number[] | undefined {
  if (hours.values.length * minutes.values.length > mostValues) return undefined
  return hours.values.flatMap(hour => minutes.values.map(minute => hour * 60 + minute))
}

function atTimes(times: readonly number[], language: Language): string {
  const list = listText(
    times.map(time => clockText(Math.floor(time / 60), time % 60)),
    language,
  )
  return phrases[language].at(list, Math.floor((times[0] ?? 0) / 60))
}

/** “Cada 15 minutos, de 9:00 a 17:59”, “Every 2 hours on the hour”. */
function intervalText({ hours, minutes }: Schedule, language: Language): string {
  const text = phrases[language]
  const minuteStep = stepOf(minutes.values, 60)
  const hourStep = stepOf(hours.values, 24)
  const atMinutes = text.atMinutes(shortList(minutes.values, language), minutes.values.length === 1)
  if (minuteStep === undefined && hourStep !== undefined) return `${text.everyHours(hourStep)}, ${atMinutes}`
  const start = minuteStep === undefined ? atMinutes : text.everyMinutes(minuteStep)
  if (hourStep === 1) return start
  const last = minuteStep === undefined ? (minutes.values.at(-1) ?? 0) : 60 - minuteStep
  const first = hours.values[0] ?? 0
  const within = isRun(hours.values)
    ? text.between(clockText(first, minutes.values[0] ?? 0), clockText(hours.values.at(-1) ?? 0, last))
    : text.inHours(shortList(hours.values, language))
  const isHourly = minutes.values.length === 1 && isRun(hours.values)
  return `${isHourly ? text.everyHours(1) : start}, ${within}`
}

/** The step of values that divide the whole evenly, from 0: 15 for 0, 15, 30, 45 of 60. */
function stepOf(values: readonly number[], whole: number): number | undefined {
  const step = whole / values.length
  return Number.isInteger(step) && values.length > 1 && values.every((value, at) => value === at * step)
    ? step
    : undefined
}

function daysText({ days, weekdays, months }: Schedule, language: Language): string {
  const text = phrases[language]
  const monthList = months.isAny ? undefined : listText(monthNames(months, language), language)
  const ofMonths = monthList === undefined ? text.ofEachMonth : text.ofMonths(monthList)
  const inMonths = monthList === undefined ? '' : ` ${text.inMonths(monthList)}`
  if (days.isAny && weekdays.isAny) return `${text.everyDay}${inMonths}`
  if (days.isAny) return `${weekdaysOfMonthText(weekdays, language)}${inMonths}`
  const ofDays = `${daysOfMonthText(days, language)} ${ofMonths}`
  return weekdays.isAny
    ? ofDays
    : `${ofDays} ${text.orAlso} ${weekdaysOfMonthText(weekdays, language)}${inMonths}`
}

function daysOfMonthText({ values }: CronField, language: Language): string {
  const text = phrases[language]
  return values.length > 2 && isRun(values)
    ? text.dayRange(values[0] ?? 1, values.at(-1) ?? 31)
    : text.days(shortList(values, language), values.length === 1)
}

function weekdaysOfMonthText({ values }: CronField, language: Language): string {
  const text = phrases[language]
  // the week begins on Monday
  const order = values.map(value => (value + 6) % 7).toSorted((a, b) => a - b)
  const names = order.map(value => weekdayName(value, language))
  if (order.length > 2 && isRun(order)) return text.range(names[0] ?? '', names.at(-1) ?? '')
  return text.weekdays(
    listText(
      names.map(name => (name.endsWith('s') ? name : `${name}s`)),
      language,
    ),
  )
}

function monthNames({ values }: CronField, language: Language): string[] {
  return values.map(month => monthName(month, language))
}

const isRun = (values: readonly number[]) => values.every((value, at) => value === (values[0] ?? 0) + at)

function shortList(values: readonly number[], language: Language): string {
  return values.length > mostValues
    ? `${values.slice(0, 3).join(', ')}…`
    : listText(values.map(String), language)
}

/** The city of a time zone, for “Madrid time”: `America/Argentina/Buenos_Aires` is Buenos Aires. */
export function zoneCity(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
