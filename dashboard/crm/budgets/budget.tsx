import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Budget as BudgetData, readBudget, updateBudget } from '#contract/crm/budgets.ts'
import { useDraft } from '../../data/drafts.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './budget.module.css'
import { BudgetEditor } from './budget-editor.tsx'
import { BudgetReading } from './budget-reading.tsx'
import { BudgetStatus } from './budget-status.tsx'
import { DocumentPanel, OpenDocument } from './document-panel.tsx'
import { editorTexts } from './editor.words.ts'
import { InvoiceBudget } from './invoice-budget.tsx'
import { isSettled, useBudgetActions } from './use-budget-actions.ts'
import type { BudgetDraft } from './use-budget-form.ts'

const CancelBudgetDialog = late(() =>
  import('./cancel-budget-dialog.tsx').then(dialog => dialog.CancelBudgetDialog),
)

const Signing = late(() => import('./signing.tsx').then(signing => signing.Signing))

/** A budget: its editor with the document beside it, and its signing. */
export function Budget() {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const { budgetId } = useParams({ from: '/o/$organization/budgets/$budgetId' })
  const { data: budget, error, refetch } = useRead(readBudget, { params: { id: budgetId } })
  if (!budget)
    return (
      <Page title={text.tabs}>
        {error ? (
          <Problem title={textOfError(error, language)} />
        ) : (
          <Skeleton rows={8} label={text.reading} />
        )}
      </Page>
    )
  return <LoadedBudget key={budgetId} budget={budget} reload={refetch} />
}

function LoadedBudget({ budget, reload }: { budget: BudgetData; reload: () => Promise<unknown> }) {
  const text = useWords(editorTexts)
  const may = useMay()
  const isPhone = useIsPhone()
  const { address } = useOrganization()
  const { tab } = useSearch({ from: '/o/$organization/budgets/$budgetId' })
  const href = `/o/${encodeURIComponent(address)}/budgets/${budget.id}`
  const [isCancelling, setCancelling] = useState(false)
  const [hasDocument, setHasDocument] = useState(true)
  const draft = useDraft<typeof updateBudget, BudgetDraft>(updateBudget, budget.id)
  const entries = useBudgetActions(() => setCancelling(true))(budget)
  const canEdit = may(updateBudget) && !isSettled(budget)
  return (
    <Page
      title={budget.code}
      width="full"
      beside={<BudgetStatus {...budget} />}
      actions={
        <>
          {budget.status === 'SIGNED' && <InvoiceBudget budget={budget} />}
          {isPhone && <OpenDocument budgetId={budget.id} />}
          {!isPhone && tab !== 'signing' && (
            <Button icon="file" kind="quiet" onPress={() => setHasDocument(!hasDocument)}>
              {hasDocument ? text.hideDocument : text.showDocument}
            </Button>
          )}
          {<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
        </>
      }
      below={
        <Tabs
          label={text.tabs}
          current={tab ?? 'content'}
          tabs={[
            { id: 'content', title: text.content, href },
            { id: 'signing', title: text.signing, href: `${href}?tab=signing` },
          ]}
        />
      }
    >
      {tab === 'signing' && <Signing budget={budget} />}
      {/* stays while the signing is shown, with what was typed */}
      <div className={styles.columns} hidden={tab === 'signing'}>
        {!canEdit && <BudgetReading budget={budget} />}
        {canEdit && draft.isLoaded && <BudgetEditor budget={budget} draft={draft} reload={reload} />}
        {!isPhone && hasDocument && <DocumentPanel budget={budget} />}
      </div>
      {isCancelling && <CancelBudgetDialog budget={budget} onClose={() => setCancelling(false)} />}
    </Page>
  )
}
