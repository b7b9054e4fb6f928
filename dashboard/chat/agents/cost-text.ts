import { type Language, locales } from '../../words/words.ts'

const microsPerUnit = 1_000_000

/**
 * A cost in millionths as a number: “18,20” in Spanish. The contract names no currency: applications report in their own.
 * Decimals appear as far as they are needed to tell the value from zero and from the cent.
 */
export function costText(micros: number, language: Language): string {
  const decimals = micros % 10_000 === 0 ? 2 : Math.abs(micros) < 100 ? 6 : 4
  return new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: 2,
    maximumFractionDigits: decimals,
    useGrouping: 'always',
  }).format(micros / microsPerUnit)
}
