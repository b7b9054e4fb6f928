import type { readReconciliation } from '#contract/billing/reconciliation.ts'
import type { Reply } from '#contract/route.ts'

/** A difference between the gateway and the ledger. */
export type Difference = Reply<typeof readReconciliation>['differences'][number]

/** The kind of movement, by the beginning of the gateway's id: the ids of Stripe, which the sandbox uses too. */
export function objectOf({
  gatewayObjectId,
}: Pick<Difference, 'gatewayObjectId'>): 'payment' | 'refund' | 'dispute' {
  if (/^(re|pyr)_/.test(gatewayObjectId)) return 'refund'
  if (/^(dp|du)_/.test(gatewayObjectId)) return 'dispute'
  return 'payment'
}

/** The text that says what probably happened. */
export function causeOf(difference: Pick<Difference, 'kind' | 'gatewayObjectId'>) {
  const { kind } = difference
  return kind === 'AMOUNT' ? kind : (`${kind}_${objectOf(difference)}` as const)
}
