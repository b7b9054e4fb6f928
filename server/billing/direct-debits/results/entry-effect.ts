import type { BankResult, EntryEffect } from '#contract/billing/direct-debits.ts'
import type { DirectDebitRow } from '../direct-debit.sql.ts'
import type { ReportedResult } from './bank-file.ts'

/** The part of a direct debit that decides what a result changes. */
export type KnownResult = Pick<DirectDebitRow, 'outcome' | 'rejected_at' | 'amount_cents'>

/**
 * The effect of a reported result on a direct debit (SDD-11). Files may arrive in any order and repeatedly: a return that
 * is known already stays a return, and a rejection after a collection is a return of it, unless it was recorded before.
 */
export function effectOf(
  debit: KnownResult,
  { result, amountCents }: Pick<ReportedResult, 'result' | 'amountCents'>,
): EntryEffect {
  if (result === 'PENDING') return 'PENDING'
  if (amountCents !== null && amountCents !== debit.amount_cents) return 'AMOUNT_DIFFERS'
  return nextOutcome(debit, result) ?? 'UNCHANGED'
}

function nextOutcome({ outcome, rejected_at }: KnownResult, result: BankResult): BankResult | undefined {
  if (outcome === null) return result
  // money that arrives is always recorded
  if (result === 'COLLECTED') return outcome === 'REJECTED' || outcome === 'CANCELLED' ? result : undefined
  if (outcome !== 'COLLECTED') return undefined
  return result === 'REJECTED' && rejected_at !== null ? undefined : 'RETURNED'
}

/** Whether an effect is recorded. */
export function isRecorded(effect: EntryEffect): effect is BankResult {
  return effect === 'COLLECTED' || effect === 'REJECTED' || effect === 'RETURNED'
}
