import type { BudgetSummary } from '#contract/crm/budgets.ts'
import { Money } from '../../parts/money.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { Total } from '../../parts/total.tsx'
import { useWords } from '../../words/words.ts'
import styles from './budgets.module.css'
import { budgetTexts } from './budgets.words.ts'
import { totalsByCurrency } from './totals.ts'

/** How many budgets there are, and the sum of those that are shown, for each currency. */
export function BudgetTotals({
  items,
  total,
  hasMore,
}: {
  items: readonly BudgetSummary[]
  total: number | undefined
  hasMore: boolean
}) {
  const text = useWords(budgetTexts)
  if (total === undefined) return null
  const sums = totalsByCurrency(items)
  const name = hasMore ? text.sumOf(items.length) : text.sum
  return (
    <span className={styles.totals}>
      {sums.length > 0 && (
        <span className={styles.sums} title={name}>
          {hasMore ? <span>{name}</span> : <Spoken>{name}</Spoken>}
          {sums.map(({ currency, cents }) => (
            <Money key={currency} cents={cents} currency={currency} />
          ))}
        </span>
      )}
      <Total count={total} label={text.count(total)} />
    </span>
  )
}
