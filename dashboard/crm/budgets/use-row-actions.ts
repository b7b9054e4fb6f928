import { useMemo, useRef } from 'react'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { BudgetForm } from './budget-form.ts'
import { cellOfKey } from './cell-keys.ts'
import { editorTexts } from './editor.words.ts'
import type { CellColumn } from './item-cells.ts'
import { addRowAfter, cellsOf, changeRow, duplicateRow, moveRow, pasteCells, removeRow } from './item-rows.ts'
import type { RowActions } from './row-actions.ts'

type Sections = BudgetForm['sections']

/** The actions of the rows of the items table. The functions stay the same, so that a change renders one row. */
export function useRowActions(
  sections: Sections,
  currency: string,
  onChange: (change: (sections: Sections) => Sections) => void,
  focusLater: (key: string, column: CellColumn) => void,
): RowActions {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const current = useRef({ sections, onChange })
  current.current = { sections, onChange }

  return useMemo<RowActions>(() => {
    const set = (next: Sections) => current.current.onChange(() => next)
    const focusAfter = (next: { sections: Sections; key: string | undefined }, column: CellColumn) => {
      set(next.sections)
      if (next.key !== undefined) focusLater(next.key, column)
    }
    const actionsOfRow: RowActions = {
      change: row => current.current.onChange(now => changeRow(now, row)),
      duplicate: key => focusAfter(duplicateRow(current.current.sections, key), 'name'),
      move: (key, by) => focusAfter({ sections: moveRow(current.current.sections, key, by), key }, 'name'),
      remove: key => {
        const before = current.current.sections
        focusAfter(removeRow(before, key), 'name')
        showToast({
          kind: 'info',
          text: text.rowRemoved,
          action: { label: text.undo, onPress: () => set(before) },
        })
      },
      paste: (key, column, pasted) => {
        const cells = cellsOf(pasted)
        if (cells.length === 1 && cells[0]?.length === 1) return false
        set(pasteCells(current.current.sections, key, column, cells, { language, currency }))
        return true
      },
      onKey: (event, key, column) => {
        const now = current.current.sections
        const action = cellOfKey(
          event,
          now.flatMap(({ rows }) => rows.map(row => row.key)),
          key,
          column,
        )
        if (action === undefined) return
        event.preventDefault()
        if (action.kind === 'focus') focusLater(action.key, action.column)
        else if (action.kind === 'add') focusAfter(addRowAfter(now, key), 'name')
        else if (action.kind === 'duplicate') focusAfter(duplicateRow(now, key), column)
        else focusAfter({ sections: moveRow(now, key, action.by), key }, column)
      },
    }
    return actionsOfRow
  }, [text, language, currency, focusLater])
}
