import { useNavigate } from '@tanstack/react-router'
import { type BudgetSummary, cancelBudget, duplicateBudget, listBudgets } from '#contract/crm/budgets.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { budgetTexts } from './budgets.words.ts'

/** The entries of the menu of a budget: duplicate and cancel, as far as the caller may. */
export function useBudgetActions(onCancel: (budget: BudgetSummary) => void) {
  const text = useWords(budgetTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const duplicate = useAction(duplicateBudget, { refreshes: [listBudgets] })
  return (budget: BudgetSummary): MenuEntry[] => [
    ...(may(duplicateBudget)
      ? [
          {
            id: 'duplicate',
            label: text.duplicate,
            icon: 'copy' as const,
            isDisabled: duplicate.isPending,
            onAction: () =>
              duplicate.mutate(
                { params: { id: budget.id } },
                {
                  onSuccess: copy =>
                    navigate({
                      to: '/o/$organization/budgets/$budgetId',
                      params: { organization: address, budgetId: copy.id },
                    }),
                  toast: copy => text.duplicated(budget.code, copy.code),
                  toastsFailure: true,
                },
              ),
          },
        ]
      : []),
    ...(may(cancelBudget)
      ? [
          {
            id: 'cancel',
            label: text.cancel,
            icon: 'blocked' as const,
            isDangerous: true,
            ...(isSettled(budget) && { isDisabled: true, hint: text.settledHint }),
            onAction: () => onCancel(budget),
          },
        ]
      : []),
  ]
}

/** Whether the content of a budget can no longer change. */
export function isSettled({ status }: Pick<BudgetSummary, 'status'>): boolean {
  return status !== 'DRAFT' && status !== 'SENT'
}
