import { Button } from '../../parts/button.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { BudgetForm } from './budget-form.ts'
import { editorTexts } from './editor.words.ts'
import { cellColumns } from './item-cells.ts'
import { ItemRowEditor } from './item-row.tsx'
import { addRowTo, addSection } from './item-rows.ts'
import styles from './items-table.module.css'
import { SectionHead } from './section-head.tsx'
import { useCellFocus } from './use-cell-focus.ts'
import type { FormFigures } from './use-figures.ts'
import { useRowActions } from './use-row-actions.ts'

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
  const actions = useRowActions(sections, currency, onChange, focusLater)
  const numbers = new Map(
    sections.flatMap(({ rows }) => rows.map(({ key }) => key)).map((key, at) => [key, at + 1]),
  )
  return (
    <div ref={table}>
      <table className={styles.items}>
        <caption className={styles.hidden}>{text.items}</caption>
        <ItemsHead />
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
            <SectionFoot
              onAddRow={() => {
                const added = addRowTo(sections, section.key)
                onChange(() => added.sections)
                focusLater(added.key, 'name')
              }}
              onAddSection={
                at === sections.length - 1 ? () => onChange(now => addSection(now).sections) : undefined
              }
            />
          </tbody>
        ))}
      </table>
    </div>
  )
}

function ItemsHead() {
  const text = useWords(editorTexts)
  return (
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
  )
}

/** The last row of a section, with the buttons that add rows and, after the last section, sections. */
function SectionFoot({
  onAddRow,
  onAddSection,
}: {
  onAddRow: () => void
  onAddSection: (() => void) | undefined
}) {
  const text = useWords(editorTexts)
  return (
    <tr className={styles.foot}>
      <td colSpan={cellColumns.length + 2}>
        <Button kind="quiet" size="small" icon="plus" onPress={onAddRow}>
          {text.addRow}
        </Button>
        {onAddSection && (
          <Button kind="quiet" size="small" icon="plus" onPress={onAddSection}>
            {text.addSection}
          </Button>
        )}
      </td>
    </tr>
  )
}
