import { data } from 'currency-codes'
import { fail } from './fail.ts'

/** Codes of gold, funds, tests and the like, which have no countable unit. */
const withoutUnit = new Set('xag xau xba xbb xbc xbd xdr xpd xpt xsu xts xua xxx'.split(' '))
/** Added after the library's list of June 2024: ISO 4217 amendment 176. */
const later: [string, number][] = [['xcg', 2]]
/**
 * Withdrawn since that list: ANG became XCG on 2025-03-31 (amendment 176), CUC ended in 2021 and left the
 * list in 2025 (amendment 178), BGN became EUR on 2026-01-01. New documents cannot use them; old documents
 * keep their decimals.
 */
const withdrawn = new Set(['ang', 'bgn', 'cuc'])

/** The currencies of ISO 4217, including withdrawn ones, with their decimals. */
const decimals = new Map([
  ...data.map(({ code, digits }): [string, number] => [code.toLowerCase(), digits]),
  ...later,
])
for (const code of withoutUnit) decimals.delete(code)

/** Whether a lowercase code is a currency of ISO 4217 that is in use. */
export function isCurrency(code: string): boolean {
  return decimals.has(code) && !withdrawn.has(code)
}

/** The number of decimals of a currency. */
export function exponentOf(currency: string): number {
  return decimals.get(currency) ?? 2
}

/** The currency for a new document. Throws VALIDATION_ERROR if the default currency has been withdrawn. */
export function currencyInUse(currency: string): string {
  if (isCurrency(currency)) return currency
  const message = `is required, because ${currency}, the currency of the issuer, has been withdrawn`
  fail('VALIDATION_ERROR', { details: [{ path: 'currency', code: 'format', message }] })
}
