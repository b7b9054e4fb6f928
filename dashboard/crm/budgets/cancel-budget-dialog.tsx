import { type BudgetSummary, cancelBudget, listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { budgetTexts } from './budgets.words.ts'

/** Asks before a budget is cancelled, which cannot be undone. */
export function CancelBudgetDialog({
  budget: { id, code, title, totalCents, currency, status },
  onClose,
}: {
  budget: BudgetSummary
  onClose: () => void
}) {
  const text = useWords(budgetTexts)
  const language = useLanguage()
  const cancel = useAction(cancelBudget, { refreshes: [listBudgets, readBudget, listSigningLinks] })
  return (
    <Confirm
      title={text.cancelQuestion(code, title)}
      action={text.cancelAction(code, moneyText(totalCents, currency, language))}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={cancel.isPending}
      error={cancel.error && <Notice kind="danger">{textOfError(cancel.error, language)}</Notice>}
      onConfirm={() =>
        cancel.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              showToast({ text: text.cancelled(code) })
              onClose()
            },
          },
        )
      }
    >
      {status === 'SENT' ? text.cancelSentAbout : text.cancelAbout}
    </Confirm>
  )
}
