import { type Language, locales } from './words.ts'

/** Making a formatter of `Intl` is slow, so each is made once. */
const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** How the language writes numbers. Screens use the functions of `parts/number-text.ts` and `parts/money-text.ts`. */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options)
  const existing = numberFormats.get(key)
  if (existing) return existing
  const format = new Intl.NumberFormat(locales[language], options)
  numberFormats.set(key, format)
  return format
}

/** How the language writes times, in the zone of the browser unless `options` name one. Screens use those of `parts/time-text.ts`. */
export function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const existing = dateFormats.get(key)
  if (existing) return existing
  const format = new Intl.DateTimeFormat(locales[language], options)
  dateFormats.set(key, format)
  return format
}
