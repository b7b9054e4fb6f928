import { type FormEvent, useState } from 'react'
import type { Budget } from '#contract/crm/budgets.ts'
import type { Draft } from '../../data/drafts.ts'
import { codeOf, needErrorTexts, textOfError } from '../../data/errors.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './budget.module.css'
import { BudgetDiscounts } from './budget-discounts.tsx'
import { BudgetFields, BudgetTexts } from './budget-fields.tsx'
import { BudgetFigures } from './budget-figures.tsx'
import { type FormField, isReadable } from './budget-form.ts'
import { editorTexts } from './editor.words.ts'
import { ItemsTable } from './items-table.tsx'
import { type BudgetDraft, type EditedBudget, useBudgetForm } from './use-budget-form.ts'
import { useFigures } from './use-figures.ts'

const fieldTexts = {
  title: 'fieldTitle',
  clientId: 'fieldClientId',
  issueDate: 'fieldIssueDate',
  validUntil: 'fieldValidUntil',
  currency: 'fieldCurrency',
  sections: 'sections',
  discounts: 'fieldDiscounts',
  conditions: 'fieldConditions',
  notes: 'fieldNotes',
  internalNotes: 'fieldInternalNotes',
} as const satisfies Record<FormField, string>

/** Edits a budget. The server computes all figures; Ctrl+Enter saves. */
export function BudgetEditor({
  budget,
  draft,
  reload,
}: {
  budget: Budget
  draft: Draft<BudgetDraft>
  reload: () => Promise<unknown>
}) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const edited = useBudgetForm(budget, draft, reload)
  const { form, change, changed } = edited
  const figures = useFigures(form, budget)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [showsWrong, setShowsWrong] = useState(false)
  const canRead = isReadable(form)
  const isDirty = changed.length > 0

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!isDirty || isBusy || edited.clashes) return
    setShowsWrong(!canRead)
    if (!canRead) return
    setBusy(true)
    setError(undefined)
    try {
      await edited.save()
      showToast({ text: text.saved })
    } catch (failure) {
      await needErrorTexts(language)
      // the comparison says it
      if (codeOf(failure) !== 'BUDGET_UPDATE_CONFLICT') setError(failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className={styles.editor} aria-label={text.tabs} onSubmit={event => void save(event)} noValidate>
      <div className={styles.content}>
        {edited.clashes && <Conflict edited={edited} clashes={edited.clashes} />}
        {budget.status === 'SENT' && <Notice>{text.sentNote}</Notice>}
        <BudgetFields form={form} change={change} />
        <div>
          <ItemsTable
            sections={form.sections}
            currency={form.currency}
            figures={figures}
            showsWrong={showsWrong}
            onChange={changeRows => change(now => ({ ...now, sections: changeRows(now.sections) }))}
          />
          <p className={styles.hint}>{text.keysHint}</p>
        </div>
        <div className={styles.sums}>
          <BudgetDiscounts
            discounts={form.discounts}
            currency={form.currency}
            onChange={discounts => change(now => ({ ...now, discounts }))}
          />
          <div>
            <BudgetFigures {...figures.figures} isStale={figures.isStale} />
            {!canRead && <p className={styles.hint}>{text.figuresWait}</p>}
            {figures.error && <Notice kind="danger">{textOfError(figures.error, language)}</Notice>}
          </div>
        </div>
        <BudgetTexts form={form} change={change} />
      </div>
      <footer className={styles.footer}>
        {error !== undefined && <Notice kind="danger">{textOfError(error, language)}</Notice>}
        <SavedState isDirty={isDirty} draft={draft} />
        {isDirty && (
          <Button
            kind="quiet"
            onPress={() => {
              edited.discard()
              setShowsWrong(false)
              showToast({ kind: 'info', text: text.discarded })
            }}
          >
            {text.discard}
          </Button>
        )}
        <Button
          type="submit"
          kind="primary"
          shortcut="mod+enter"
          isBusy={isBusy}
          isDisabled={!isDirty || edited.clashes !== undefined}
        >
          {text.save}
        </Button>
      </footer>
    </form>
  )
}

/** Whether everything is saved, and when what is not was last stored as a draft. */
function SavedState({ isDirty, draft }: { isDirty: boolean; draft: Draft<BudgetDraft> }) {
  const text = useWords(editorTexts)
  return (
    <span className={styles.state} role="status">
      {isDirty ? text.unsaved : text.allSaved}
      {isDirty && draft.savedAt !== undefined && (
        <>
          {' · '}
          {text.draftStored} <Time value={draft.savedAt} />
        </>
      )}
    </span>
  )
}

/** Somebody else saved meanwhile: what both changed, and the two ways on. */
function Conflict({ edited, clashes }: { edited: EditedBudget; clashes: readonly FormField[] }) {
  const text = useWords(editorTexts)
  const names = clashes.map(field => text[fieldTexts[field]]).join(', ')
  return (
    <Notice kind="warn">
      <p>
        {text.conflict} {clashes.length > 0 ? text.conflictBoth(names) : text.conflictNone}
      </p>
      <div className={styles.choices}>
        <Button size="small" onPress={edited.keepMine}>
          {text.keepMine}
        </Button>
        <Button size="small" kind="quiet" onPress={edited.discard}>
          {text.takeTheirs}
        </Button>
      </div>
    </Notice>
  )
}
