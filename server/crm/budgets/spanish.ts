import { exponentOf } from '#platform/currency.ts'

/** A day as Spanish paper has it: `2 de enero de 2026`. */
export function day(date: string): string {
  return days.format(new Date(`${date}T00:00:00Z`))
}

const days = new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeZone: 'UTC' })

/** Writes amounts in the smallest unit of a currency: 123456 of `eur` is `1.234,56 €`. */
export function moneyIn(currency: string): (cents: number) => string {
  const places = exponentOf(currency)
  const format = new Intl.NumberFormat('es-ES', {
    ...{ style: 'currency', currency, useGrouping: 'always' },
    ...{ minimumFractionDigits: places, maximumFractionDigits: places },
  })
  return cents => {
    const digits = String(Math.abs(cents)).padStart(places + 1, '0')
    const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
    return format.format(`${cents < 0 ? '-' : ''}${whole}.${part}` as `${number}`)
  }
}

const decimals = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 4, useGrouping: 'always' })

/** A decimal text: `1234.5` is `1.234,5`. */
export function quantity(text: string): string {
  return decimals.format(text as `${number}`)
}

/** A rate of a hundred: `5.2` is `5,2 %`. */
export function rate(text: string): string {
  return `${quantity(text)}\u00a0%`
}

const regions = new Intl.DisplayNames('es', { type: 'region' })

/** A country by its ISO 3166 code: `ES` is `España`. */
export function country(code: string): string {
  return regions.of(code) ?? code
}
