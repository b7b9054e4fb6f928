import { useMemo, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { BudgetForm } from './budget-form.ts'
import { cellOfKey } from './cell-keys.ts'
import { editorTexts } from './editor.words.ts'
import { type CellColumn, cellColumns } from './item-cells.ts'
import { ItemRowEditor } from './item-row.tsx'
import {
  addRowAfter,
  addRowTo,
  addSection,
  cellsOf,
  changeRow,
  duplicateRow,
  moveRow,
  pasteCells,
  removeRow,
} from './item-rows.ts'
import styles from './items-table.module.css'
import type { RowActions } from './row-actions.ts'
import { SectionHead } from './section-head.tsx'
import { useCellFocus } from './use-cell-focus.ts'
import type { FormFigures } from './use-figures.ts'

type Sections = BudgetForm['sections']

/** The items of a budget as a table whose cells have the keys of a spreadsheet. */
export function ItemsTable({
  sections,
  currency,
  figures,
  showsWrong,
  onChange,
}: {
  sections: Sections
  currency: string
  figures: FormFigures
  showsWrong: boolean
  onChange: (change: (sections: Sections) => Sections) => void
}) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const { table, focusLater } = useCellFocus()
  const current = useRef({ sections, onChange })
  current.current = { sections, onChange }

  const actions = useMemo<RowActions>(() => {
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

  const numbers = new Map(
    sections.flatMap(({ rows }) => rows.map(({ key }) => key)).map((key, at) => [key, at + 1]),
  )
  return (
    <div ref={table}>
      <table className={styles.items}>
        <caption className={styles.hidden}>{text.items}</caption>
        <thead>
          <tr>
            {cellColumns.map(column => (
              <th key={column} scope="col" className={styles[column]}>
                {text[column]}
              </th>
            ))}
            <th scope="col" className={styles.amount}>
              {text.amount}
            </th>
            <th scope="col" className={styles.menu}>
              <span className={styles.hidden}>{text.actions}</span>
            </th>
          </tr>
        </thead>
        {sections.map((section, at) => (
          <tbody key={section.key}>
            {(sections.length > 1 || section.title !== '') && (
              <SectionHead
                section={section}
                number={at + 1}
                onChange={title =>
                  onChange(now => now.map(one => (one.key === section.key ? { ...one, title } : one)))
                }
                onRemove={() => {
                  onChange(now => now.filter(({ key }) => key !== section.key))
                  showToast({
                    kind: 'info',
                    text: text.sectionRemoved,
                    action: { label: text.undo, onPress: () => onChange(() => sections) },
                  })
                }}
              />
            )}
            {section.rows.map(row => (
              <ItemRowEditor
                key={row.key}
                row={row}
                number={numbers.get(row.key) ?? 0}
                language={language}
                currency={currency}
                cents={figures.amounts.get(row.key)}
                isStale={figures.isStale}
                showsWrong={showsWrong}
                actions={actions}
              />
            ))}
            <tr className={styles.foot}>
              <td colSpan={cellColumns.length + 2}>
                <Button
                  kind="quiet"
                  size="small"
                  icon="plus"
                  onPress={() => {
                    const added = addRowTo(sections, section.key)
                    onChange(() => added.sections)
                    focusLater(added.key, 'name')
                  }}
                >
                  {text.addRow}
                </Button>
                {at === sections.length - 1 && (
                  <Button
                    kind="quiet"
                    size="small"
                    icon="plus"
                    onPress={() => onChange(now => addSection(now).sections)}
                  >
                    {text.addSection}
                  </Button>
                )}
              </td>
            </tr>
          </tbody>
        ))}
      </table>
    </div>
  )
}
