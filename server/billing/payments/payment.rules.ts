import type { ManualMethod } from '#contract/billing/shapes.ts'
import { exponentOf } from '#platform/currency.ts'
import { fail } from '#platform/fail.ts'

const maxAheadMs = 5 * 60_000
const decimals = 2

/**
 * Converts a decimal amount to the smallest unit of its currency. Refuses VALIDATION_ERROR for more than two
 * decimals, or more than the currency has: 0.1 + 0.2 is not 0.30.
 */
export function centsOf(amount: number, currency: string): number {
  const places = exponentOf(currency)
  const most = Math.min(decimals, places)
  const read = /^(\d+)(?:\.(\d+))?$/.exec(String(amount))
  const part = read?.[2] ?? ''
  if (!read || part.length > most) refuse('amount', 'decimals', `must not have more than ${most} decimals`)
  return Number(read[1] + part.padEnd(places, '0'))
}

/** Refuses VALIDATION_ERROR for gateway methods: the gateway's payments are booked automatically (PAY-1). */
export function assertManual(method: string): asserts method is ManualMethod {
  if (method.startsWith('GATEWAY_'))
    refuse(
      'method',
      'gateway',
      'is a gateway method: payments that the gateway collects are booked automatically',
    )
}

/** Refuses VALIDATION_ERROR for a payment in the future, with a tolerance for clock differences. */
export function assertNotFuture(paidAt: string | undefined, nowMs: number): void {
  if (paidAt !== undefined && Date.parse(paidAt) > nowMs + maxAheadMs)
    refuse('paidAt', 'future', 'is in the future')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
