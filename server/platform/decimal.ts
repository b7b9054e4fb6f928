/** An exact decimal number: `units` / 10^`places`. */
export type Decimal = { readonly units: bigint; readonly places: number }

/** Parses `-?\d+(\.\d+)?`. */
export function decimalOf(text: string): Decimal {
  const [whole = '', part = ''] = text.split('.')
  return { units: BigInt(whole + part), places: part.length }
}

/** The canonical form of a number: no redundant zeros, no `-0`. */
export function plainDecimal(text: string): string {
  const { units, places } = decimalOf(text)
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  const rest = part.replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${rest && `.${rest}`}`
}

/** A decimal text with the opposite sign. */
export function negatedDecimal(text: string): string {
  return plainDecimal(text.startsWith('-') ? text.slice(1) : `-${text}`)
}

/** A whole number of the smallest unit as a decimal text with all places: 1250 with 2 places is `12.50`. */
export function decimalText(cents: number | bigint, places: number): string {
  const digits = String(cents)
    .replace('-', '')
    .padStart(places + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  return `${cents < 0 ? '-' : ''}${whole}${part && `.${part}`}`
}

/** The product of a whole number and decimals, rounded to a whole number, half away from zero. */
export function roundedProduct(whole: number, ...factors: Decimal[]): bigint {
  const units = factors.reduce((product, factor) => product * factor.units, BigInt(whole))
  const places = factors.reduce((sum, factor) => sum + factor.places, 0)
  return rounded(units, 10n ** BigInt(places))
}

/** `part` / `all` of a whole number, rounded to a whole number, half away from zero. `all` is positive. */
export function roundedShare(whole: number, part: number, all: number): bigint {
  return rounded(BigInt(whole) * BigInt(part), BigInt(all))
}

function rounded(units: bigint, one: bigint): bigint {
  const size = units < 0n ? -units : units
  const nearest = (2n * size + one) / (2n * one)
  return units < 0n ? -nearest : nearest
}
