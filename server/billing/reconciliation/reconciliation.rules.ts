/** The amount that one gateway object moved, according to one side. */
export type ObjectTotal = { cents: number; currency: string; atMs: number }
/** The same according to the ledger. REVERSAL is a refund that came back. */
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
 * The compared period: three days, ending ten minutes ago, so that the next night makes up for a night in which the
 * gateway does not answer. Movements up to a day earlier and up to now are read as well, because the two sides do
 * not write at the same moment.
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

/** The objects between `fromMs` and `toMs` whose amounts differ. */
export function differencesOf(
  here: ReadonlyMap<string, ObjectTotal>,
  there: ReadonlyMap<string, ObjectTotal>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): LedgerDifference[] {
  const differences: LedgerDifference[] = []
  for (const [objectId, { currency, atMs }] of new Map([...here, ...there])) {
    const [ours, theirs] = [here.get(objectId), there.get(objectId)]
    // a movement that was undone counts as none
    if (atMs < fromMs || atMs >= toMs || (ours?.cents ?? 0) === (theirs?.cents ?? 0)) continue
    const kind = !ours ? 'MISSING_HERE' : theirs ? 'AMOUNT' : 'MISSING_THERE'
    const day = new Date(atMs).toISOString().slice(0, 10)
    const cents = { localCents: ours?.cents ?? null, gatewayCents: theirs?.cents ?? null }
    differences.push({ objectId, kind, ...cents, currency, day })
  }
  return differences
}
