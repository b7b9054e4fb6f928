import { exponentOf } from './currency.ts'
import { decimalText } from './decimal.ts'

/** The languages of pages and documents for people without an account. */
export type Language = 'es' | 'en'

/** How a language formats values. */
type Writing = {
  /** A day: `2026-01-02` is `2 de enero de 2026`. */
  day(date: string): string
  /** The month of a day: of `2026-01-02` it is `enero de 2026`. */
  month(date: string): string
  /** A moment of ISO 8601 to the second, in UTC. */
  moment(time: string): string
  /** Amounts in the smallest unit of a currency, exactly: 123456 of `eur` is `1.234,56 €`. */
  moneyIn(currency: string): (cents: number) => string
  /** A decimal text: `1234.5` is `1.234,5`. */
  quantity(text: string): string
  /** A percentage: `5.2` is `5,2 %`. */
  rate(text: string): string
  /** A country by its ISO 3166 code: `ES` is `España`. */
  country(code: string): string
}

export const writing: Record<Language, Writing> = { es: writingOf('es-ES'), en: writingOf('en-GB') }

function writingOf(locale: string): Writing {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const decimal = { maximumFractionDigits: 4, useGrouping: 'always' } as const
  const quantities = new Intl.NumberFormat(locale, decimal)
  const rates = new Intl.NumberFormat(locale, { ...decimal, style: 'unit', unit: 'percent' })
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  return {
    day: date => days.format(new Date(`${date}T00:00:00Z`)),
    month: date => months.format(new Date(`${date}T00:00:00Z`)),
    moment: time => moments.format(new Date(time)),
    moneyIn: currency => moneyOf(locale, currency),
    quantity: text => quantities.format(text as `${number}`),
    rate: text => rates.format(text as `${number}`),
    country: code => regions.of(code) ?? code,
  }
}

function moneyOf(locale: string, currency: string): (cents: number) => string {
  const places = exponentOf(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    useGrouping: 'always',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
  return cents => format.format(decimalText(cents, places) as `${number}`)
}

/** Ends a text with a full stop, unless it has one, like the name `Acme S.A.U.`. */
export function withFullStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
