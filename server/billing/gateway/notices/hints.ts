import type { Notice } from '#platform/adapters/gateway.ts'
import { completeByHint } from '../../authorizations/complete.ts'
import { settleByHint } from '../../charges/hint.ts'
import type { Till } from '../../charges/till.ts'
import { disputeByHint } from '../../refunds/disputes.ts'
import { importByHint } from '../../refunds/import.ts'
import { lookAtAccount } from '../account/look.ts'

/** Where a notice came in. */
export type Place = { organizationId: string; accountId: string }
/** Looks into what a notice is about, when that is its business. It asks the gateway; what the notice says is not believed. */
type Hint = (till: Till, place: Place, notice: Notice) => Promise<void>

/** Everybody who is told of notices. */
export const hints: readonly Hint[] = [
  settleByHint,
  completeByHint,
  importByHint,
  disputeByHint,
  async (till, { organizationId, accountId }, { about }) => {
    if (about === 'account') await lookAtAccount(till, organizationId, accountId)
  },
]
