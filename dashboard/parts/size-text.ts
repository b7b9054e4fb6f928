import { type Language, locales } from '../words/words.ts'

const units = ['B', 'KB', 'MB', 'GB'] as const
const sizeFormatOf = (language: Language) =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
const sizeFormats = { es: sizeFormatOf('es'), en: sizeFormatOf('en') } satisfies Record<
  Language,
  Intl.NumberFormat
>

/** A number of bytes in the largest unit that fits: “1,5 MB” in Spanish, “1.5 MB” in English. */
export function sizeText(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${sizeFormats[language].format(bytes / 1024 ** power)}\u00a0${units[power]}`
}
