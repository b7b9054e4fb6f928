import { data } from 'currency-codes'

/** Gold, funds, tests and the like have codes too, and no unit that could be counted. */
const withoutUnit = new Set('xag xau xba xbb xbc xbd xdr xpd xpt xsu xts xua xxx'.split(' '))
/** Came after the list of the library, which is of 2024. */
const later: [string, number][] = [['xcg', 2]]

/** The currencies of ISO 4217, each with its decimals. */
const decimals = new Map([
  ...data.map(({ code, digits }): [string, number] => [code.toLowerCase(), digits]),
  ...later,
])
for (const code of withoutUnit) decimals.delete(code)

/** Whether a code, in lowercase letters, is of a currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return decimals.has(code)
}

/** How many decimals a currency has: its smallest unit is so many tenth parts. */
export function exponentOf(currency: string): number {
  return decimals.get(currency) ?? 2
}
