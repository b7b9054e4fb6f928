/** Currencies that do not have a hundred smallest units. ISO 4217. */
const exponents: Record<number, string> = {
  0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf',
  3: 'bhd iqd jod kwd lyd omr tnd',
  4: 'clf uyw',
}
const known = new Map(
  Object.entries(exponents).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(exponent)]),
  ),
)

/** How many decimals a currency has: its smallest unit is so many tenth parts. */
export function exponentOf(currency: string): number {
  return known.get(currency) ?? 2
}
