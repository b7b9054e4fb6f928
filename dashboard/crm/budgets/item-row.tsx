import { type ClipboardEvent, memo, useState } from 'react'
import { crmLimits } from '#contract/crm/limits.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Money } from '../../parts/money.tsx'
import { useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'
import {
  type CellColumn,
  cellColumns,
  cellText,
  type ItemRow,
  isBlank,
  type Notation,
  withCell,
  wrongCell,
} from './item-cells.ts'
import styles from './items-table.module.css'
import type { RowActions } from './row-actions.ts'
import { RowMenu } from './row-menu.tsx'

const wrongTexts = {
  name: 'wrongName',
  quantity: 'wrongQuantity',
  unit: 'unit',
  price: 'wrongPrice',
  discount: 'wrongDiscount',
  taxes: 'wrongTaxes',
} as const

type ItemRowProps = {
  row: ItemRow
  /** Its place in the budget, from 1. */
  number: number
  language: Notation['language']
  currency: string
  cents: number | undefined
  isStale: boolean
  /** The rows that cannot be sent show why. */
  showsWrong: boolean
  actions: RowActions
}

/** A row of the editor: a cell for each column, and a menu of what else can be done with it. */
export const ItemRowEditor = memo(function ItemRowEditor(props: ItemRowProps) {
  const { row, number, language, currency, cents, isStale, showsWrong, actions } = props
  const text = useWords(editorTexts)
  const [hasDescription, setHasDescription] = useState(row.description !== '')
  const wrong = isBlank(row) ? undefined : wrongCell(row)
  const isOut = row.optional && !row.selected
  return (
    <tr className={isOut ? styles.out : undefined}>
      {cellColumns.map(column => (
        <td key={column} className={styles[column]} data-title={text[column]}>
          <Cell
            row={row}
            column={column}
            label={text.cell(text[column], number)}
            notation={{ language, currency }}
            isWrong={wrong === column && (showsWrong || isUnreadable(row, column))}
            actions={actions}
          />
          {column === 'name' && (hasDescription || row.description !== '') && (
            <textarea
              className={styles.description}
              rows={2}
              maxLength={crmLimits.budgetText}
              aria-label={text.cell(text.description, number)}
              placeholder={text.description}
              value={row.description}
              onChange={event => actions.change({ ...row, description: event.target.value })}
            />
          )}
          {column === 'name' && row.optional && (
            <Checkbox isSelected={row.selected} onChange={selected => actions.change({ ...row, selected })}>
              <span className={styles.optional}>{text.optionalCounts}</span>
            </Checkbox>
          )}
        </td>
      ))}
      <td className={`${styles.amount} ${isStale ? styles.stale : ''}`} data-title={text.amount}>
        {cents === undefined ? '–' : <Money cents={cents} currency={currency} form="bare" />}
      </td>
      <td className={styles.menu}>
        <RowMenu
          row={row}
          number={number}
          hasDescription={hasDescription}
          onDescription={() => {
            setHasDescription(!hasDescription)
            if (hasDescription) actions.change({ ...row, description: '' })
          }}
          actions={actions}
        />
      </td>
    </tr>
  )
})

/** Whether the cell has a text that cannot be read, which it shows at once. */
function isUnreadable(row: ItemRow, column: CellColumn): boolean {
  return column !== 'name' && row[column] !== null
}

function Cell({
  row,
  column,
  label,
  notation,
  isWrong,
  actions,
}: {
  row: ItemRow
  column: CellColumn
  label: string
  notation: Notation
  isWrong: boolean
  actions: RowActions
}) {
  const text = useWords(editorTexts)
  // while a person types, the cell keeps their notation
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? cellText(row, column, notation)
  function onPaste(event: ClipboardEvent<HTMLInputElement>): void {
    if (!actions.paste(row.key, column, event.clipboardData.getData('text/plain'))) return
    event.preventDefault()
    setTyped(undefined)
  }
  return (
    <input
      className={styles.cell}
      data-row={row.key}
      data-column={column}
      aria-label={label}
      aria-invalid={isWrong}
      title={isWrong ? text[wrongTexts[column]] : undefined}
      inputMode={column === 'quantity' || column === 'price' ? 'decimal' : 'text'}
      maxLength={column === 'unit' ? crmLimits.budgetUnit : crmLimits.budgetTitle}
      placeholder={column === 'quantity' ? '1' : undefined}
      autoComplete="off"
      value={shown}
      onFocus={event => event.target.select()}
      onBlur={() => setTyped(undefined)}
      onChange={event => {
        setTyped(event.target.value)
        actions.change(withCell(row, column, event.target.value, notation))
      }}
      onKeyDown={event => actions.onKey(event, row.key, column)}
      onPaste={onPaste}
    />
  )
}
