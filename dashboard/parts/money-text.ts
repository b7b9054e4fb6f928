import { numberFormat } from '../words/formatters.ts'
import type { Language } from '../words/words.ts'

const formatterOf = (currency: string, language: Language) =>
  numberFormat(language, { style: 'currency', currency, useGrouping: 'always' })

/** How many decimals the currency has: 2 for EUR, 0 for JPY. */
export function decimalsOf(currency: string): number {
  return formatterOf(currency, 'es').resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount in the smallest unit of its currency as text: 153670 EUR is “1.536,70 €” in Spanish, “€1,536.70” in English. */
export function moneyText(cents: number, currency: string, language: Language): string {
  return moneyPieces(cents, currency, language)
    .map(({ text }) => text)
    .join('')
}

export type MoneyPiece = { kind: 'figures' | 'sign' | 'space'; text: string }

/** The text in its order: the figures, the sign of the currency, and the space between them. */
export function moneyPieces(cents: number, currency: string, language: Language): MoneyPiece[] {
  const number = decimalText(cents, decimalsOf(currency)) as Intl.StringNumericLiteral
  return formatterOf(currency, language)
    .formatToParts(number)
    .map(({ type, value }) => ({
      kind: type === 'currency' ? 'sign' : type === 'literal' ? 'space' : 'figures',
      text: value,
    }))
}

/** The figures of an amount, without the sign of its currency. */
export function figuresText(cents: number, currency: string, language: Language): string {
  return moneyPieces(cents, currency, language)
    .filter(({ kind }) => kind === 'figures')
    .map(({ text }) => text)
    .join('')
}

/** The exact decimal number: a float would round large amounts. */
function decimalText(cents: number, decimals: number): string {
  const digits = String(Math.abs(Math.round(cents))).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${cents < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`
}
