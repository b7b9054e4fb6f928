import { memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-aria-components'
import checkbox from './checkbox.module.css'
import styles from './grid.module.css'
import { type Column, noValue, phonePlaceOf } from './grid-column.ts'
import { Icon } from './icon.tsx'

/** The actions of a row; the same functions for every row, so that rows are drawn again only when they change. */
export type RowActions<Row> = {
  focus: (key: string) => void
  open: (row: Row) => void
  toggle: (key: string, isRange: boolean) => void
  openMenu: (row: Row, button: HTMLElement) => void
}

export type GridRowProps<Row> = {
  row: Row
  rowKey: string
  /** The position in the list, from 0. */
  index: number
  columns: readonly Column<Row>[]
  label: string
  href: string | undefined
  isPhone: boolean
  /** Tab moves the focus to this row, the only one in the order of Tab. */
  isActive: boolean
  /** Undefined: rows cannot be selected. */
  isSelected: boolean | undefined
  /** The row whose details are open beside the list. */
  isCurrent: boolean
  isOpenable: boolean
  /** Whether the row has actions; undefined if no row of the list can have any. */
  hasMenu: boolean | undefined
  menuLabel: string
  selectLabel: string
  actions: RowActions<Row>
  /** Gives the element of the row to the virtualizer, which moves it to its place. */
  place: (element: HTMLElement | null) => void
}

function GridRowOnce<Row>(props: GridRowProps<Row>) {
  const { row, rowKey, index, columns, href, isPhone, isActive, isSelected, isCurrent, actions } = props
  const element = useRef<HTMLDivElement>(null)
  const hasSelection = isSelected !== undefined
  // the grid is one stop of Tab; the arrows move to what is inside a row
  useLayoutEffect(() => {
    for (const inside of element.current?.querySelectorAll<HTMLElement>('a, button, input') ?? [])
      inside.tabIndex = -1
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    <div
      ref={node => {
        element.current = node
        props.place(node)
      }}
      role="row"
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      data-row-key={rowKey}
      aria-rowindex={index + 2}
      {...(hasSelection && { 'aria-selected': isSelected })}
      {...(isCurrent && { 'aria-current': 'true' as const })}
      data-openable={props.isOpenable || undefined}
      className={styles.row}
      onFocus={() => actions.focus(rowKey)}
      onClickCapture={event => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
        // a click that `o` simulates follows the link
        if (!isPlain || !props.isOpenable || !event.nativeEvent.isTrusted) return
        if (!(event.target as Element).closest('[data-row-link]')) return
        event.preventDefault()
        event.stopPropagation()
        actions.open(row)
      }}
      onClick={event => {
        if (!props.isOpenable || (event.target as Element).closest('a, button, input, label')) return
        if (!getSelection()?.isCollapsed) return
        actions.open(row)
      }}
    >
      {hasSelection && (
        <div role="gridcell" className={styles.select}>
          <input
            type="checkbox"
            className={`${checkbox.box} ${styles.box}`}
            aria-label={props.selectLabel}
            checked={isSelected}
            onChange={event => actions.toggle(rowKey, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </div>
      )}
      {isPhone ? <PhoneCells {...props} /> : <WideCells row={row} columns={columns} href={href} />}
      {props.hasMenu !== undefined && (
        <div role="gridcell" className={styles.menuCell}>
          {props.hasMenu && (
            <button
              type="button"
              className={styles.menuButton}
              aria-label={props.menuLabel}
              aria-haspopup="menu"
              onClick={event => actions.openMenu(row, event.currentTarget)}
            >
              <Icon name="more" />
            </button>
          )}
        </div>
      )}
    </div>
  )
}
/** A row of a Grid: drawn again only when its own properties change. */
export const GridRow = memo(GridRowOnce) as typeof GridRowOnce

function WideCells<Row>({ row, columns, href }: Pick<GridRowProps<Row>, 'row' | 'columns' | 'href'>) {
  return columns.map((column, at) => (
    <div key={column.id} role="gridcell" className={`${styles.cell} ${column.align ? styles.end : ''}`}>
      <CellContent href={at === 0 ? href : undefined}>{column.cell(row)}</CellContent>
    </div>
  ))
}

/** The two lines of a row on a phone: the title and a second line at the left, two short values at the right. */
function PhoneCells<Row>({ row, columns, href }: Pick<GridRowProps<Row>, 'row' | 'columns' | 'href'>) {
  const at = (place: string) =>
    columns
      .filter((column, index) => phonePlaceOf(column, index) === place)
      .map(({ id, cell, phoneCell = cell }) => ({ id, content: phoneCell(row) }))
      .filter(({ content }) => place === 'title' || content !== noValue)
      .map(({ id, content }, index) => (
        <span key={id} className={styles.piece}>
          <CellContent href={place === 'title' && index === 0 ? href : undefined}>{content}</CellContent>
        </span>
      ))
  return (
    <>
      <div role="gridcell" className={styles.lines}>
        <span className={styles.firstLine}>{at('title')}</span>
        <span className={styles.secondLine}>{at('below')}</span>
      </div>
      <div role="gridcell" className={`${styles.lines} ${styles.end}`}>
        <span className={styles.firstLine}>{at('end')}</span>
        <span className={styles.secondLine}>{at('belowEnd')}</span>
      </div>
    </>
  )
}

function CellContent({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <Link href={href} className={styles.link} data-row-link="">
      {children}
    </Link>
  )
}
