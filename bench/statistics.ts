import { itemAt } from '#tests/support/elements.ts'

/** A figure over the rounds of a run. */
export type Spread = { median: number; min: number; max: number }

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  const upper = itemAt(sorted, middle)
  return sorted.length % 2 === 1 ? upper : (itemAt(sorted, middle - 1) + upper) / 2
}

/** The first value of each round over the second. Throws an error if there are fewer second values. */
export function quotients(over: readonly number[], under: readonly number[]): number[] {
  return over.map((value, round) => value / itemAt(under, round))
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** The value that `share` of all values do not exceed: `percentile(values, 0.99)`. */
export function percentile(values: Float64Array | readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Two or three significant digits, so that no figure looks more precise than it is. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 100) return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
