import { readReconciliation, settleDifference } from '#contract/billing/reconciliation.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Difference } from './difference-cause.ts'
import { reconciliationTexts } from './reconciliation.words.ts'

/** Settles a difference with a reason, which stays with the name of the person. */
export function SettleDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const text = useWords(reconciliationTexts)
  const language = useLanguage()
  const settle = useAction(settleDifference, { refreshes: [readReconciliation, readOverview] })
  const { id, gatewayObjectId, thereCents, hereCents, currency } = difference
  return (
    <Confirm
      title={text.settleQuestion(gatewayObjectId)}
      action={text.settleAction(moneyText(thereCents ?? hereCents ?? 0, currency, language))}
      isOpen
      onClose={onClose}
      isBusy={settle.isPending}
      asksReason={{ maxLength: fieldOf(settleDifference, 'reason').maxLength! }}
      error={settle.error && <Notice kind="danger">{textOfError(settle.error, language)}</Notice>}
      onConfirm={reason =>
        settle.mutate(
          { params: { id }, body: { reason } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.settled })
            },
          },
        )
      }
    >
      {text.settleAbout}
    </Confirm>
  )
}
