import { useId } from 'react'
import { useWords } from '../words/words.ts'
import styles from './grid.module.css'
import { ordersOf } from './grid-column.ts'
import { SelectAll } from './grid-head.tsx'
import type { GridMenu, GridProps } from './grid-props.ts'
import { gridTexts } from './grid-words.ts'
import { Icon } from './icon.tsx'
import { Spoken } from './spoken.tsx'

/** The line above the rows on a phone, which has no titles of columns: it selects all rows and sorts them. */
export function GridPhoneBar<Row>({
  columns,
  keys,
  selection,
  onSelect,
  sort,
  onSort,
  openMenu,
}: Pick<GridProps<Row>, 'columns' | 'selection' | 'onSelect' | 'sort' | 'onSort'> & {
  keys: readonly string[]
  openMenu: (menu: GridMenu) => void
}) {
  const text = useWords(gridTexts)
  const id = useId()
  const orders = columns.flatMap(column => ordersOf(column).map(order => ({ ...order, title: column.title })))
  const current = orders.find(({ order }) => order === sort)
  const entries = orders.map(({ order, title, direction }) => ({
    id: order,
    label: text.sortedBy(title, direction),
    isCurrent: order === sort,
    onAction: () => onSort?.(order),
  }))
  const canSort = onSort !== undefined && orders.length > 1
  if (!selection && !canSort) return null
  return (
    <div className={styles.phoneBar}>
      {selection && (
        <div className={styles.selectAll}>
          <SelectAll id={id} keys={keys} selection={selection} onSelect={onSelect} />
          <label htmlFor={id}>{text.selectAllShort}</label>
        </div>
      )}
      {canSort && (
        <button
          type="button"
          aria-haspopup="menu"
          className={styles.sortMenu}
          onClick={event =>
            openMenu({ label: text.sort, button: event.currentTarget, groups: [{ id: 'orders', entries }] })
          }
        >
          {current ? (
            <>
              <Spoken>{`${text.sort}: ${text.sortedBy(current.title, current.direction)}`}</Spoken>
              <span aria-hidden="true">{current.title}</span>
              <Icon name={current.direction === 'ascending' ? 'chevronUp' : 'chevronDown'} />
            </>
          ) : (
            text.sort
          )}
        </button>
      )}
    </div>
  )
}
