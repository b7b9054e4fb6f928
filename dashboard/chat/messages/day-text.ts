import { type Language, locales } from '../../words/words.ts'

const formatOf = (language: Language) =>
  new Intl.DateTimeFormat(locales[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
const formats = { es: formatOf('es'), en: formatOf('en') } satisfies Record<Language, Intl.DateTimeFormat>

/** A day in words: “Friday, 20 November 2026”. */
export function dayText(time: number, language: Language): string {
  return formats[language].format(time)
}
