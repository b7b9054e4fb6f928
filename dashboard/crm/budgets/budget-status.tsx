import type { BudgetSummary } from '#contract/crm/budgets.ts'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { budgetTexts } from './budgets.words.ts'

const looks = {
  DRAFT: { icon: 'dashed', kind: 'quiet' },
  SENT: { icon: 'half', kind: 'info' },
  SIGNED: { icon: 'done', kind: 'done' },
  DECLINED: { icon: 'failed', kind: 'danger' },
  CANCELLED: { icon: 'blocked', kind: 'quiet' },
} as const

/** The status of a budget in words; a sent one may have expired. */
export function BudgetStatus({ status, isExpired }: Pick<BudgetSummary, 'status' | 'isExpired'>) {
  const text = useWords(budgetTexts)
  if (isExpired)
    return (
      <Status icon="clock" kind="warn">
        {text.expired}
      </Status>
    )
  return <Status {...looks[status]}>{text[status]}</Status>
}
