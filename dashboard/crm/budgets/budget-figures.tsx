import { Fragment } from 'react'
import type { BudgetFigures as Figures } from '#contract/crm/budgets.ts'
import { Money } from '../../parts/money.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './budgets.module.css'
import { budgetTexts } from './budgets.words.ts'
import { decimalText } from './item-cells.ts'

export type BudgetFiguresProps = Pick<
  Figures,
  'currency' | 'taxes' | 'subtotalCents' | 'discountCents' | 'totalCents'
> & {
  /** The figures are being computed anew: they are dimmed. */
  isStale?: boolean
}

/** The sums of a budget as the server computed them: subtotal, discounts, each tax, total. */
export function BudgetFigures({
  currency,
  taxes,
  subtotalCents,
  discountCents,
  totalCents,
  isStale = false,
}: BudgetFiguresProps) {
  const text = useWords(budgetTexts)
  const language = useLanguage()
  return (
    <dl className={`${styles.figures} ${isStale ? styles.stale : ''}`} aria-busy={isStale}>
      <dt>{text.subtotal}</dt>
      <dd>
        <Money cents={subtotalCents} currency={currency} form="bare" />
      </dd>
      {discountCents > 0 && (
        <>
          <dt>{text.discounts}</dt>
          <dd>
            <Money cents={-discountCents} currency={currency} form="bare" />
          </dd>
        </>
      )}
      {taxes.map(({ name, rate, amountCents }) => (
        <Fragment key={`${name} ${rate}`}>
          <dt>
            {name} {decimalText(rate, language)} %
          </dt>
          <dd>
            <Money cents={amountCents} currency={currency} form="bare" />
          </dd>
        </Fragment>
      ))}
      <dt className={styles.sum}>{text.total}</dt>
      <dd className={styles.sum}>
        <Money cents={totalCents} currency={currency} />
      </dd>
    </dl>
  )
}
