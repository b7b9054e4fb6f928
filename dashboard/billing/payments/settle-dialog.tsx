import { readReconciliation, settleDifference } from '#contract/billing/reconciliation.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Difference } from './difference-cause.ts'
import { reconciliationTexts } from './reconciliation.words.ts'

/** Settles a difference with a reason, which stays with the name of the person. */
export function SettleDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const text = useWords(reconciliationTexts)
  const language = useLanguage()
  const { id, gatewayObjectId, thereCents, hereCents, currency } = difference
  return (
    <ConfirmAction
      operation={settleDifference}
      input={reason => ({ params: { id }, body: { reason } })}
      refreshes={[readReconciliation, readOverview]}
      title={text.settleQuestion(gatewayObjectId)}
      action={text.settleAction(moneyText(thereCents ?? hereCents ?? 0, currency, language))}
      asksReason={{ maxLength: fieldOf(settleDifference, 'reason').maxLength! }}
      onClose={onClose}
      toast={() => text.settled}
    >
      {text.settleAbout}
    </ConfirmAction>
  )
}
