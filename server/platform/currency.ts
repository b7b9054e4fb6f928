import { data } from 'currency-codes'
import { fail } from './fail.ts'

/** Gold, funds, tests and the like have codes too, and no unit that could be counted. */
const withoutUnit = new Set('xag xau xba xbb xbc xbd xdr xpd xpt xsu xts xua xxx'.split(' '))
/** Came after the list of the library, which is of June 2024: ISO 4217 amendment 176. */
const later: [string, number][] = [['xcg', 2]]
/**
 * Withdrawn since that list: ANG became XCG on 2025-03-31 (amendment 176), CUC went in 2021 and left the list in 2025
 * (amendment 178), BGN became EUR on 2026-01-01. Nothing new is written in them, and documents that were keep
 * their decimals.
 */
const withdrawn = new Set(['ang', 'bgn', 'cuc'])

/** The currencies of ISO 4217, also those that are withdrawn, each with its decimals. */
const decimals = new Map([
  ...data.map(({ code, digits }): [string, number] => [code.toLowerCase(), digits]),
  ...later,
])
for (const code of withoutUnit) decimals.delete(code)

/** Whether a code, in lowercase letters, is of a currency of ISO 4217 that is in use. */
export function isCurrency(code: string): boolean {
  return decimals.has(code) && !withdrawn.has(code)
}

/** How many decimals a currency has: its smallest unit is so many tenth parts. */
export function exponentOf(currency: string): number {
  return decimals.get(currency) ?? 2
}

/** The currency, for something new. Refuses VALIDATION_ERROR when it has been withdrawn since it was set as the usual one. */
export function currencyInUse(currency: string): string {
  if (isCurrency(currency)) return currency
  const message = `must be named: ${currency}, the currency of the issuer, has been withdrawn`
  fail('VALIDATION_ERROR', { details: [{ path: 'currency', code: 'format', message }] })
}
