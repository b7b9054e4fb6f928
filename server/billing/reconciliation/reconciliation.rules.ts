/** What one object of the gateway moved, as one side has it. */
export type ObjectTotal = { cents: number; currency: string; atMs: number }
/** The same by the ledger: of a payment, a refund (also one that came back) or a dispute. */
export type LedgerTotal = ObjectTotal & { kind: 'PAYMENT' | 'REFUND' | 'REVERSAL' | 'DISPUTE' }
export type LedgerDifference = {
  objectId: string
  kind: 'MISSING_HERE' | 'MISSING_THERE' | 'AMOUNT'
  localCents: number | null
  gatewayCents: number | null
  currency: string
  /** YYYY-MM-DD, in UTC. */
  day: string
}

const [minuteMs, dayMs] = [60_000, 86_400_000]

/**
 * Which time is compared: three days, until ten minutes ago, so that a night on which the gateway does not answer is made up
 * for by the next one. What moved a day before or later is looked at as well, since both sides do not write at the same
 * moment.
 */
export function comparedPeriod(nowMs: number): {
  fromMs: number
  toMs: number
  wide: { from: Date; to: Date }
} {
  const fromMs = nowMs - 3 * dayMs
  const wide = { from: new Date(fromMs - dayMs), to: new Date(nowMs + minuteMs) }
  return { fromMs, toMs: nowMs - 10 * minuteMs, wide }
}

/** What both sides say differently of what moved from `fromMs` until `toMs`. */
export function differencesOf(
  here: ReadonlyMap<string, ObjectTotal>,
  there: ReadonlyMap<string, ObjectTotal>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): LedgerDifference[] {
  const differences: LedgerDifference[] = []
  for (const objectId of new Set([...here.keys(), ...there.keys()])) {
    const [ours, theirs] = [here.get(objectId), there.get(objectId)]
    const { currency, atMs } = (theirs ?? ours)!
    // what came and went is as if it had not moved
    if (atMs < fromMs || atMs >= toMs || (ours?.cents ?? 0) === (theirs?.cents ?? 0)) continue
    const kind = !ours ? 'MISSING_HERE' : theirs ? 'AMOUNT' : 'MISSING_THERE'
    const day = new Date(atMs).toISOString().slice(0, 10)
    const cents = { localCents: ours?.cents ?? null, gatewayCents: theirs?.cents ?? null }
    differences.push({ objectId, kind, ...cents, currency, day })
  }
  return differences
}
