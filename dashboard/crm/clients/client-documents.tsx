import { Link } from '@tanstack/react-router'
import { type BudgetSummary, listBudgets } from '#contract/crm/budgets.ts'
import type { Client } from '#contract/crm/clients.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useKnownHref } from '../../data/known-href.ts'
import { useList } from '../../data/read.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Money } from '../../parts/money.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { budgetStateTexts, documentTexts } from './documents.words.ts'

type Part = { client: Client; level: HeadingLevel }

/** How many of the newest documents of a client are shown at first. */
export const shownDocuments = 10

/** The budgets of a client, the newest first. */
export function ClientBudgets({ client, level }: Part) {
  const text = useWords(documentTexts)
  const hrefOf = useKnownHref()
  const budgets = useList(listBudgets, { query: { clientId: client.id, limit: shownDocuments } })
  return (
    <DetailList
      {...budgets}
      level={level}
      title={text.budgets}
      rows={budgets.isLoading ? undefined : budgets.items}
      more={budgets}
      rowKey={({ id }) => id}
      empty={text.noBudgets}
      row={budget => (
        <DetailRow
          name={<Named name={budget.title} href={hrefOf('budgets/$id', '', { id: budget.id })} />}
          about={
            <>
              {budget.code} · <Time value={budget.issueDate} form="date" />
            </>
          }
        >
          <BudgetState budget={budget} />
          <Money cents={budget.totalCents} currency={budget.currency} />
        </DetailRow>
      )}
    />
  )
}

const budgetStates: Readonly<Record<BudgetSummary['status'], { icon: IconName; kind: StatusKind }>> = {
  DRAFT: { icon: 'dashed', kind: 'plain' },
  SENT: { icon: 'half', kind: 'plain' },
  SIGNED: { icon: 'done', kind: 'done' },
  DECLINED: { icon: 'failed', kind: 'danger' },
  CANCELLED: { icon: 'blocked', kind: 'quiet' },
}

function BudgetState({ budget: { status, isExpired } }: { budget: BudgetSummary }) {
  const text = budgetStateTexts[useLanguage()]
  if (isExpired)
    return (
      <Status icon="clock" kind="warn">
        {text.expired}
      </Status>
    )
  return <Status {...budgetStates[status]}>{text[status]}</Status>
}

/** The name of a document: a link, where the dashboard has a page for it. */
export function Named({ name, href }: { name: string; href: string | undefined }) {
  return href === undefined ? name : <Link to={href}>{name}</Link>
}
