import { type Language, locales } from './words.ts'

/** Making a formatter of `Intl` is slow, so each is made once. */
function madeOnce<Options extends object, Format>(make: (locale: string, options: Options) => Format) {
  const made = new Map<string, Format>()
  return (language: Language, options: Options): Format => {
    const key = language + JSON.stringify(options)
    const existing = made.get(key)
    if (existing) return existing
    const format = make(locales[language], options)
    made.set(key, format)
    return format
  }
}

/** How the language writes numbers. Screens use the functions of `parts/number-text.ts` and `parts/money-text.ts`. */
export const numberFormat = madeOnce(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)

/** How the language writes times, in the zone of the browser unless `options` name one. Screens use those of `parts/time-text.ts`. */
export const dateFormat = madeOnce(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

const listFormat = madeOnce((locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options))

/** Items as a sentence lists them: “Ana, Bo y Cleo” in Spanish, “Ana, Bo and Cleo” in English. */
export function listText(items: readonly string[], language: Language): string {
  return listFormat(language, { type: 'conjunction' }).format(items)
}
