import type { Budget } from '#contract/crm/budgets.ts'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import styles from './budget.module.css'
import { BudgetContent } from './budget-content.tsx'
import { BudgetFigures } from './budget-figures.tsx'
import { ClientLink } from './budget-sheet.tsx'
import { budgetTexts } from './budgets.words.ts'
import { editorTexts } from './editor.words.ts'
import { isSettled } from './use-budget-actions.ts'

/** A budget that the caller cannot change: it is settled, or they may only read. */
export function BudgetReading({ budget }: { budget: Budget }) {
  const text = useWords(budgetTexts)
  const { settledNote, conditions, notes, internalNotes } = useWords(editorTexts)
  const { sections, currency, clientId, issueDate, validUntil } = budget
  return (
    <div className={styles.content}>
      <header>
        <p className={styles.quiet}>{budget.title}</p>
        <Money cents={budget.totalCents} currency={currency} form="great" />
      </header>
      {isSettled(budget) && <Notice>{settledNote}</Notice>}
      <Facts
        facts={[
          { term: text.client, value: <ClientLink id={clientId} /> },
          { term: text.issued, value: <Time value={issueDate} form="date" /> },
          { term: text.validUntil, value: validUntil && <Time value={validUntil} form="date" /> },
          { term: text.signedAt, value: budget.signedAt && <Time value={budget.signedAt} form="moment" /> },
          {
            term: text.declinedAt,
            value: budget.declinedAt && <Time value={budget.declinedAt} form="moment" />,
          },
          { term: text.declined, value: budget.declineReason },
          { term: conditions, value: budget.conditions },
          { term: notes, value: budget.notes },
          { term: internalNotes, value: budget.internalNotes },
        ]}
      />
      <div>
        <BudgetContent sections={sections} currency={currency} />
        <BudgetFigures {...budget} />
      </div>
    </div>
  )
}
