import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWords } from '../words/words.ts'
import styles from './grid.module.css'
import { useRowActions } from './grid-actions.ts'
import { tracksOf } from './grid-column.ts'
import { useGridKeys } from './grid-focus.ts'
import { GridHead } from './grid-head.tsx'
import { MoreRows } from './grid-more.tsx'
import { GridPhoneBar } from './grid-phone-bar.tsx'
import type { GridMenu, GridProps } from './grid-props.ts'
import { GridRow } from './grid-row.tsx'
import { useVisibleRows } from './grid-visible-rows.ts'
import { gridTexts } from './grid-words.ts'
import { late } from './late.tsx'
import { useIsPhone } from './phone.ts'
import { Skeleton } from './states.tsx'

export type { Column } from './grid-column.ts'
export type { GridProps } from './grid-props.ts'

const MenuAt = late(() => import('./menu.tsx').then(menu => menu.MenuAt))

/** The server counts no further, so a total of this size is not exact. */
const totalCap = 10_000

/**
 * A long list with columns, after the grid pattern of the ARIA Authoring Practices. The document contains only the
 * visible rows. Arrows, `j` and `k` move, Enter opens, `o` opens the page, `x` and Space select.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { rows, label, isLoading, error, empty, height = 'fill' } = props
  const { loading } = useWords(gridTexts)
  if (error) return <div className={styles.state}>{error}</div>
  if (isLoading) return <Skeleton label={`${label}: ${loading}`} rows={12} />
  if (rows.length === 0 && !props.newCount) return <div className={styles.state}>{empty}</div>
  return (
    <div className={`${styles.frame} ${styles[height] ?? ''}`}>
      <GridWithRows {...props} />
    </div>
  )
}

function GridWithRows<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowKey, rowLabel, rowHref, current, selection, total, hasMore } = props
  const text = useWords(gridTexts)
  const isPhone = useIsPhone()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | undefined>(current)
  const [menu, setMenu] = useState<GridMenu>()
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const activeIndex = Math.max(0, active === undefined ? 0 : keys.indexOf(active))

  // before the browser lays the list out for the first time
  useLayoutEffect(() => {
    const tracks = tracksOf(columns, {
      hasSelection: selection !== undefined,
      hasActions: props.rowMenu !== undefined,
    })
    scroller.current?.style.setProperty('--tracks', tracks)
  })
  const headHeight = isPhone ? 0 : 33
  const { virtualizer, ruler, place } = useVisibleRows({ scroller, keys, activeIndex, headHeight })
  const actions = useRowActions(props, keys, setActive, setMenu)
  const onKeyDown = useGridKeys({ props, scroller, keys, activeIndex, virtualizer, actions })

  const items = virtualizer.getVirtualItems()
  const isExact = total !== undefined && total < totalCap
  return (
    <>
      {isPhone && <GridPhoneBar {...props} keys={keys} openMenu={setMenu} />}
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={isExact ? total + 1 : hasMore || total !== undefined ? -1 : rows.length + 1}
        aria-colcount={columns.length + (selection ? 1 : 0) + (props.rowMenu ? 1 : 0)}
        {...(selection && { 'aria-multiselectable': true })}
        tabIndex={-1}
        className={styles.grid}
        onKeyDown={onKeyDown}
        {...(props.rowMenu && { onPointerEnter: MenuAt.preload, onFocus: MenuAt.preload })}
      >
        <div ref={ruler} className={styles.ruler} aria-hidden="true" />
        <GridHead {...props} keys={keys} isPhone={isPhone} />
        <div ref={virtualizer.containerRef} role="rowgroup" className={styles.body}>
          {items.map(({ index, key }) => {
            const [row, ownKey] = [rows[index], keys[index]]
            if (row === undefined || ownKey === undefined) return null
            const name = rowLabel?.(row) ?? ''
            return (
              <GridRow
                key={key}
                row={row}
                rowKey={ownKey}
                index={index}
                columns={columns}
                label={name}
                href={rowHref?.(row)}
                isPhone={isPhone}
                isActive={index === activeIndex}
                isSelected={selection?.has(ownKey)}
                isCurrent={current === ownKey}
                isOpenable={props.onOpen !== undefined}
                hasMenu={props.rowMenu && props.rowMenu(row).length > 0}
                menuLabel={text.actionsOf(name)}
                selectLabel={text.select(name)}
                actions={actions}
                place={place}
              />
            )
          })}
        </div>
        <MoreRows {...props} lastIndex={items.at(-1)?.index ?? 0} />
      </div>
      {menu && <MenuAt {...menu} onClose={() => setMenu(undefined)} />}
    </>
  )
}
