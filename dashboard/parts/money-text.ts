/** Making a formatter is slow, so each currency has one. */
const formatters = new Map<string, { format: Intl.NumberFormat; decimals: number }>()

function formatterOf(currency: string): { format: Intl.NumberFormat; decimals: number } {
  const found = formatters.get(currency)
  if (found) return found
  const format = new Intl.NumberFormat('es-ES', { style: 'currency', currency, useGrouping: 'always' })
  const formatter = { format, decimals: format.resolvedOptions().maximumFractionDigits ?? 2 }
  formatters.set(currency, formatter)
  return formatter
}

/** How many decimals the currency has: 2 for EUR, 0 for JPY. */
export function decimalsOf(currency: string): number {
  return formatterOf(currency).decimals
}

/** An amount in the smallest unit of its currency as text: 153670 EUR is “1.536,70 €”, in every language. */
export function moneyText(cents: number, currency: string): string {
  const { format, decimals } = formatterOf(currency)
  return format.format(decimalText(cents, decimals) as Intl.StringNumericLiteral)
}

/** The parts of the text: its figures, and the sign of its currency. */
export function moneyParts(cents: number, currency: string): { figures: string; sign: string } {
  const { format, decimals } = formatterOf(currency)
  const parts = format.formatToParts(decimalText(cents, decimals) as Intl.StringNumericLiteral)
  const figures = parts.filter(({ type }) => type !== 'currency' && type !== 'literal')
  return {
    figures: figures.map(({ value }) => value).join(''),
    sign: parts.find(({ type }) => type === 'currency')?.value ?? currency,
  }
}

/** The exact decimal number: a float would round large amounts. */
function decimalText(cents: number, decimals: number): string {
  const digits = String(Math.abs(Math.round(cents))).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${cents < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`
}
