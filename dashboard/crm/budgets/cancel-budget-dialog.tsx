import { type BudgetSummary, cancelBudget, listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { moneyText } from '../../parts/money-text.ts'
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
  return (
    <ConfirmAction
      operation={cancelBudget}
      input={{ params: { id } }}
      refreshes={[listBudgets, readBudget, listSigningLinks]}
      title={text.cancelQuestion(code, title)}
      action={text.cancelAction(code, moneyText(totalCents, currency, language))}
      isDangerous
      isCancellation
      onClose={onClose}
      toast={() => text.cancelled(code)}
    >
      {status === 'SENT' ? text.cancelSentAbout : text.cancelAbout}
    </ConfirmAction>
  )
}
