import {
  defaultRangeExtractor,
  elementScroll,
  type Rect,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWords } from '../words/words.ts'
import { Button } from './button.tsx'
import styles from './grid.module.css'
import { tracksOf } from './grid-column.ts'
import { GridHead } from './grid-head.tsx'
import { commandOf, type GridCommand } from './grid-keys.ts'
import { GridPhoneBar } from './grid-phone-bar.tsx'
import type { GridMenu, GridProps } from './grid-props.ts'
import { GridRow, type RowActions } from './grid-row.tsx'
import { toggled, toggledAll } from './grid-selection.ts'
import { gridTexts } from './grid-words.ts'
import { late } from './late.tsx'
import type { MenuEntry, MenuGroup } from './menu.tsx'
import { useIsPhone } from './phone.ts'
import { isTyping, SingleKeysContext, useShortcut } from './shortcuts.ts'
import { Skeleton } from './states.tsx'

export type { Column } from './grid-column.ts'
export type { GridProps } from './grid-props.ts'

const MenuAt = late(() => import('./menu.tsx').then(menu => menu.MenuAt))

const aheadRows = 12
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

/** Reports the size of the list whenever the browser has laid it out. To read it at once would lay the list out twice. */
function observeSize(
  { scrollElement }: Virtualizer<HTMLDivElement, HTMLDivElement>,
  report: (size: Rect) => void,
): () => void {
  if (!scrollElement) return () => {}
  const observer = new ResizeObserver(() =>
    report({ width: scrollElement.clientWidth, height: scrollElement.clientHeight }),
  )
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

function GridWithRows<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowKey, rowLabel, rowHref, current, selection, total } = props
  const text = useWords(gridTexts)
  const isPhone = useIsPhone()
  const areLettersOn = useContext(SingleKeysContext)
  const scroller = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const rowHeight = useRef(36)
  const [active, setActive] = useState<string | undefined>(current)
  const [menu, setMenu] = useState<GridMenu>()
  const anchor = useRef<string | undefined>(undefined)
  const rowToFocus = useRef<number | undefined>(undefined)
  const hasAppeared = useRef(false)
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

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight.current,
    // all rows are equally high: to measure each would make the browser lay out the list in between
    measureElement: () => rowHeight.current,
    getItemKey: index => keys[index] ?? index,
    overscan: 8,
    // until the height of the list is known, the rows of a whole window: the first paint has them
    initialRect: { width: innerWidth, height: innerHeight },
    observeElementRect: observeSize,
    // a list that appears is at its top: to scroll it there would make the browser lay it out once more
    scrollToFn: (offset, options, instance) => {
      if (hasAppeared.current) elementScroll(offset, options, instance)
    },
    // the row with the focus stays in the document
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex >= rows.length || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].sort((a, b) => a - b)
    },
    scrollPaddingStart: isPhone ? 0 : 33,
    directDomUpdates: true,
  })
  useEffect(() => {
    hasAppeared.current = true
  }, [])
  // the density of the lists sets the height of the ruler
  useLayoutEffect(() => {
    const element = ruler.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { clientHeight } = element
      if (clientHeight === rowHeight.current) return
      rowHeight.current = clientHeight
      virtualizer.measure()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [virtualizer])

  // a row that was far away is in the document only after the list has scrolled to it
  useLayoutEffect(() => {
    if (rowToFocus.current === undefined) return
    const element = rowAt(scroller.current, rowToFocus.current)
    if (!element) return
    rowToFocus.current = undefined
    element.focus({ preventScroll: true })
  })

  const latest = useRef({ props, keys })
  useEffect(() => {
    latest.current = { props, keys }
  })
  const actions = useMemo<RowActions<Row>>(
    () => ({
      focus: setActive,
      open: row => latest.current.props.onOpen?.(row),
      openMenu(row, button) {
        const { rowMenu, rowLabel: labelOf } = latest.current.props
        if (rowMenu)
          setMenu({ label: text.actionsOf(labelOf?.(row) ?? ''), button, groups: groupsOf(rowMenu(row)) })
      },
      toggle(key, isRange) {
        const { props: now, keys: all } = latest.current
        if (!now.selection || !now.onSelect) return
        now.onSelect(toggled(all, now.selection, key, isRange ? anchor.current : undefined))
        anchor.current = key
      },
    }),
    [text],
  )

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(rows.length - 1, index))
    rowToFocus.current = target
    setActive(keys[target])
    virtualizer.scrollToIndex(target, { align: 'auto' })
    const element = rowAt(scroller.current, target)
    if (element) {
      rowToFocus.current = undefined
      element.focus({ preventScroll: true })
    }
  }

  function run(command: GridCommand, isRange: boolean): void {
    const [row, key] = [rows[activeIndex], keys[activeIndex]]
    if (row === undefined || key === undefined) return
    const element = rowAt(scroller.current, activeIndex)
    const press = (selector: string) => element?.querySelector<HTMLElement>(selector)?.click()
    if (command.kind === 'move') moveTo(activeIndex + command.rows)
    if (command.kind === 'first') moveTo(0)
    if (command.kind === 'last') moveTo(rows.length - 1)
    if (command.kind === 'next') moveInside(element, 1)
    if (command.kind === 'previous') moveInside(element, -1)
    if (command.kind === 'open' && props.onOpen) props.onOpen(row)
    if (command.kind === 'openPage' || (command.kind === 'open' && !props.onOpen)) press('[data-row-link]')
    if (command.kind === 'menu') press('[aria-haspopup]')
    if (command.kind === 'select') actions.toggle(key, isRange)
    if (command.kind === 'selectAll' && selection) props.onSelect?.(toggledAll(keys, selection))
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLDivElement>): void {
    const target = event.target as HTMLElement
    const rowElement = target.closest<HTMLElement>('[data-row-key]')
    // with the focus on the grid itself, for instance after a click beside its rows, keys mean the active row
    const isInside = rowElement !== null || target === scroller.current
    if (event.defaultPrevented || !isInside || rows.length === 0 || isTyping(target)) return
    const command = commandOf(event, areLettersOn)
    if (!command) return
    // Enter and Space press the button, link or checkbox that has the focus
    if (target !== rowElement && (command.kind === 'open' || event.key === ' ')) return
    event.preventDefault()
    run(command, event.shiftKey)
  }
  // from elsewhere on the page, both keys focus the row that last had the focus
  useShortcut('j', () => moveTo(activeIndex))
  useShortcut('k', () => moveTo(activeIndex))

  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? 0
  const loadedFor = useRef(0)
  const { hasMore, isLoadingMore, loadMore } = props
  useEffect(() => {
    // once for each number of rows: after a failure only the button repeats it
    if (!hasMore || isLoadingMore || loadedFor.current === rows.length) return
    if (lastIndex < rows.length - aheadRows) return
    loadedFor.current = rows.length
    loadMore?.()
  }, [hasMore, isLoadingMore, loadMore, lastIndex, rows.length])

  const isExact = total !== undefined && total < totalCap
  const place = useCallback(
    (element: HTMLElement | null) => virtualizer.measureElement(element as HTMLDivElement),
    [virtualizer],
  )
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
        {hasMore && !isLoadingMore && loadedFor.current === rows.length && (
          <div role="row" className={styles.more}>
            <div role="gridcell">
              <Button kind="quiet" onPress={() => loadMore?.()}>
                {text.loadMore}
              </Button>
            </div>
          </div>
        )}
        {isLoadingMore && (
          <div role="row" className={styles.more}>
            <div role="gridcell">{text.loading}…</div>
          </div>
        )}
      </div>
      {menu && <MenuAt {...menu} onClose={() => setMenu(undefined)} />}
    </>
  )
}

function rowAt(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null
}

/** Moves the focus among the row and the links, checkboxes and buttons in it. */
function moveInside(row: HTMLElement | null, step: number): void {
  if (!row) return
  const stops = [row, ...row.querySelectorAll<HTMLElement>('a, button, input')]
  stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus()
}

function groupsOf(menu: readonly MenuGroup[] | readonly MenuEntry[]): readonly MenuGroup[] {
  const isGrouped = (menu as readonly object[]).some(item => 'entries' in item)
  return isGrouped
    ? (menu as readonly MenuGroup[])
    : [{ id: 'actions', entries: menu as readonly MenuEntry[] }]
}
