/** The sum of the amounts of each currency, the most frequent currency first: currencies are never added together. */
export function totalsByCurrency(
  rows: readonly { currency: string; totalCents: number }[],
): { currency: string; cents: number; count: number }[] {
  const totals = new Map<string, { currency: string; cents: number; count: number }>()
  for (const { currency, totalCents } of rows) {
    const { cents, count } = totals.get(currency) ?? { cents: 0, count: 0 }
    totals.set(currency, { currency, cents: cents + totalCents, count: count + 1 })
  }
  return [...totals.values()].sort((one, other) => other.count - one.count)
}
