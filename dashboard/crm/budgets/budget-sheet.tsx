import { type BudgetSummary, readBudget } from '#contract/crm/budgets.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Money } from '../../parts/money.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { BudgetContent } from './budget-content.tsx'
import { BudgetFigures } from './budget-figures.tsx'
import { BudgetStatus } from './budget-status.tsx'
import styles from './budgets.module.css'
import { budgetTexts } from './budgets.words.ts'
import { useClientNames } from './client-name.tsx'

/** A budget beside the list: its state, its items and its sums. The page of the budget edits them. */
export function BudgetSheet({
  budgetId,
  pageHref,
  menuOf,
  ...sheet
}: {
  budgetId: string
  pageHref: string
  menuOf: (budget: BudgetSummary) => readonly MenuEntry[]
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(budgetTexts)
  const { data: budget, error } = useRead(readBudget, { params: { id: budgetId } })
  if (!budget)
    return (
      <Sheet {...sheet} title={text.budget}>
        <ReadingSection error={error} label={text.reading} />
      </Sheet>
    )
  const entries = menuOf(budget)
  return (
    <Sheet
      {...sheet}
      title={budget.title}
      about={
        <span className={styles.totals}>
          {budget.code} <BudgetStatus {...budget} />
        </span>
      }
      pageHref={pageHref}
      actions={
        <ButtonLink href={pageHref} kind="primary">
          {text.open}
        </ButtonLink>
      }
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      <SheetSection>
        <Facts
          facts={[
            { term: text.total, value: <Money cents={budget.totalCents} currency={budget.currency} /> },
            { term: text.client, value: <ClientLink id={budget.clientId} /> },
            { term: text.issued, value: <Time value={budget.issueDate} form="date" /> },
            {
              term: text.validUntil,
              value: budget.validUntil && <Time value={budget.validUntil} form="date" />,
            },
            { term: text.sentAt, value: budget.sentAt && <Time value={budget.sentAt} form="moment" /> },
            { term: text.signedAt, value: budget.signedAt && <Time value={budget.signedAt} form="moment" /> },
            {
              term: text.declinedAt,
              value: budget.declinedAt && <Time value={budget.declinedAt} form="moment" />,
            },
            { term: text.declined, value: budget.declineReason },
          ]}
        />
      </SheetSection>
      <SheetSection>
        <BudgetContent sections={budget.sections} currency={budget.currency} />
        <BudgetFigures {...budget} />
      </SheetSection>
    </Sheet>
  )
}

/** The name of a client; a link to the client where the dashboard has their screen. */
export function ClientLink({ id }: { id: string }) {
  const name = useClientNames([id]).get(id) ?? '…'
  const href = useKnownHref()('clients', `?open=${id}`)
  return href === undefined ? name : <TextLink href={href}>{name}</TextLink>
}
