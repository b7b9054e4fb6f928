import { useEffect, useRef, useState } from 'react'
import { type Budget, listBudgets, updateBudget } from '#contract/crm/budgets.ts'
import type { Draft } from '../../data/drafts.ts'
import { codeOf } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import {
  type BudgetForm,
  bodyOf,
  changedFields,
  type FormField,
  formOf,
  rebased,
  withNewKeys,
} from './budget-form.ts'

/** The draft of an edited budget: the form, the form that it began with, and the version of that. */
export type BudgetDraft = { form: BudgetForm; base: BudgetForm; version: string }

/** The state of the editor: the form, what changed in it, and a version of somebody else that is newer. */
export type EditedBudget = {
  form: BudgetForm
  change: (change: (form: BudgetForm) => BudgetForm) => void
  changed: readonly FormField[]
  /** The fields that the person and somebody else both changed; undefined if the form has the newest version. */
  clashes: readonly FormField[] | undefined
  keepMine: () => void
  discard: () => void
  save: () => Promise<void>
}

/**
 * Edits a budget. An untouched form follows the changes of others; a touched one keeps what was typed until the person
 * has compared. `reload` reads the budget anew after the server has refused an older version.
 */
export function useBudgetForm(
  budget: Budget,
  draft: Draft<BudgetDraft>,
  reload: () => Promise<unknown>,
): EditedBudget {
  const update = useAction(updateBudget, { refreshes: [listBudgets] })
  const [state, setState] = useState<BudgetDraft>(() => {
    const stored = draft.values
    return stored ? { ...stored, form: withNewKeys(stored.form) } : startOf(budget)
  })
  // what was typed while a request was under way counts, too
  const latest = useRef(state)
  const set = (next: BudgetDraft) => {
    latest.current = next
    setState(next)
    if (changedFields(next.form, next.base).length > 0) draft.save(next)
    else draft.clear()
  }
  const { form, base, version } = state
  const changed = changedFields(form, base)
  const isNewer = budget.updatedAt > version
  const isUntouched = changed.length === 0
  useEffect(() => {
    if (!isNewer || !isUntouched) return
    latest.current = startOf(budget)
    setState(latest.current)
  }, [isNewer, isUntouched, budget])

  async function save(): Promise<void> {
    const body = bodyOf(form)
    const fields = Object.fromEntries(changed.map(field => [field, body[field]]))
    try {
      const saved = await update.mutateAsync({
        params: { id: budget.id },
        body: { ...fields, expectedUpdatedAt: version },
      })
      const start = startOf(saved)
      const now = latest.current.form
      // the same rows keep their keys, and with them the focus
      const keeps = now !== form || changedFields(now, start.form).length === 0
      set({ ...start, form: keeps ? now : start.form })
      await reload()
    } catch (error) {
      if (codeOf(error) === 'BUDGET_UPDATE_CONFLICT') await reload()
      throw error
    }
  }

  return {
    form,
    change: change => set({ ...latest.current, form: change(latest.current.form) }),
    changed,
    clashes:
      isNewer && !isUntouched
        ? changedFields(formOf(budget), base).filter(field => changed.includes(field))
        : undefined,
    keepMine: () => {
      const newer = startOf(budget)
      set({ ...newer, form: rebased(form, base, newer.base) })
    },
    discard: () => set(startOf(budget)),
    save,
  }
}

function startOf(budget: Budget): BudgetDraft {
  const form = formOf(budget)
  return { form, base: form, version: budget.updatedAt }
}
