import { numberFormat } from '../words/formatters.ts'
import type { Language } from '../words/words.ts'

/** A count as text; at the cap the server has stopped counting: “10.000+” in Spanish, “10,000+” in English. */
export function countText(count: number, language: Language, cap = 10_000): string {
  const text = numberFormat(language, { useGrouping: 'always' }).format(Math.min(count, cap))
  return count >= cap ? `${text}+` : text
}

/** A number with at most this many decimals: “4,25” in Spanish, “4.25” in English. */
export function decimalText(value: number, maximumFractionDigits: number, language: Language): string {
  return numberFormat(language, { maximumFractionDigits }).format(value)
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes in the largest unit that fits: “1,5 MB” in Spanish, “1.5 MB” in English. */
export function sizeText(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${decimalText(bytes / 1024 ** power, 1, language)}\u00a0${units[power]}`
}

const microsPerUnit = 1_000_000

/**
 * A cost in millionths as a number: “18,20” in Spanish. The contract names no currency: applications report in their own.
 * Decimals appear as far as they are needed to tell the value from zero and from the cent.
 */
export function costText(micros: number, language: Language): string {
  const decimals = micros % 10_000 === 0 ? 2 : Math.abs(micros) < 100 ? 6 : 4
  return numberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: decimals,
    useGrouping: 'always',
  }).format(micros / microsPerUnit)
}
