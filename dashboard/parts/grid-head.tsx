import { useEffect, useState } from 'react'
import { useWords } from '../words/words.ts'
import checkbox from './checkbox.module.css'
import styles from './grid.module.css'
import { type Column, directionOf, nextSort } from './grid-column.ts'
import type { GridProps } from './grid-props.ts'
import { selectionState, toggledAll } from './grid-selection.ts'
import { gridTexts } from './grid-words.ts'
import { Icon } from './icon.tsx'
import { Spoken } from './spoken.tsx'

type GridHeadProps<Row> = GridProps<Row> & { keys: readonly string[]; isPhone: boolean }

/** The head of a Grid: the titles of the columns, and the line that announces new rows. */
export function GridHead<Row>(props: GridHeadProps<Row>) {
  const { columns, keys, selection, onSelect, sort, onSort, isPhone, rowMenu } = props
  const text = useWords(gridTexts)
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={isPhone ? styles.hiddenTitles : styles.titles}>
        {selection && (
          <div role="columnheader" className={styles.select}>
            {isPhone ? text.selection : <SelectAll keys={keys} selection={selection} onSelect={onSelect} />}
          </div>
        )}
        {columns.map(column => (
          <ColumnTitle key={column.id} column={column} sort={sort} onSort={isPhone ? undefined : onSort} />
        ))}
        {rowMenu && (
          <div role="columnheader" className={styles.menuCell}>
            <Spoken>{text.actions}</Spoken>
          </div>
        )}
      </div>
      <NewRows count={props.newCount ?? 0} columns={columns.length} onShow={props.onShowNew} />
    </div>
  )
}

/** A checkbox that selects all rows that are loaded, or none of them. */
export function SelectAll({
  id,
  keys,
  selection,
  onSelect,
}: {
  id?: string
  keys: readonly string[]
  selection: ReadonlySet<string>
  onSelect: GridProps<unknown>['onSelect']
}) {
  const { selectAll } = useWords(gridTexts)
  const state = selectionState(keys, selection)
  return (
    <input
      id={id}
      type="checkbox"
      className={`${checkbox.box} ${styles.box}`}
      aria-label={selectAll}
      checked={state === 'all'}
      ref={element => {
        if (element) element.indeterminate = state === 'mixed'
      }}
      onChange={() => onSelect?.(toggledAll(keys, selection))}
    />
  )
}

function ColumnTitle<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string | undefined
  onSort: ((order: string) => void) | undefined
}) {
  const direction = directionOf(column, sort)
  const order = nextSort(column, sort)
  const title = column.isTitleHidden ? <Spoken>{column.title}</Spoken> : column.title
  return (
    <div
      role="columnheader"
      className={`${styles.title} ${column.align ? styles.end : ''}`}
      {...(direction && { 'aria-sort': direction })}
    >
      {order !== undefined && onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(order)}>
          {direction && (
            <Icon name={direction === 'ascending' ? 'chevronUp' : 'chevronDown'} className={styles.arrow} />
          )}
          {title}
        </button>
      ) : (
        title
      )}
    </div>
  )
}

const calmMs = 3_000

function NewRows({
  count,
  columns,
  onShow,
}: {
  count: number
  columns: number
  onShow: (() => void) | undefined
}) {
  const { newRows, show } = useWords(gridTexts)
  const [spokenCount, setSpokenCount] = useState(0)
  // screen readers read one sentence about all that came within three seconds
  useEffect(() => {
    const timer = setTimeout(() => setSpokenCount(count), calmMs)
    return () => clearTimeout(timer)
  }, [count])
  if (count === 0) return null
  return (
    <div role="row" className={styles.newRow}>
      <div role="gridcell" aria-colspan={columns}>
        <button type="button" className={styles.newButton} onClick={onShow}>
          <Icon name="chevronUp" /> {newRows(count)} <span className={styles.show}>{show}</span>
        </button>
        <Spoken isLive>{spokenCount > 0 && newRows(spokenCount)}</Spoken>
      </div>
    </div>
  )
}
