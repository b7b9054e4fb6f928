import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useContext, useLayoutEffect, useRef } from 'react'
import { commandOf, type GridCommand } from './grid-keys.ts'
import type { GridProps } from './grid-props.ts'
import type { RowActions } from './grid-row.tsx'
import { toggledAll } from './grid-selection.ts'
import { isTyping, SingleKeysContext, useShortcut } from './shortcuts.ts'

type GridFocus<Row> = {
  props: GridProps<Row>
  scroller: RefObject<HTMLDivElement | null>
  keys: readonly string[]
  activeIndex: number
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  actions: RowActions<Row>
}

/** Moves the focus among the rows of a grid and runs its other keys. Returns the listener for the grid. */
export function useGridKeys<Row>(grid: GridFocus<Row>): (event: KeyboardEvent<HTMLDivElement>) => void {
  const { props, scroller, keys, activeIndex, actions } = grid
  const areLettersOn = useContext(SingleKeysContext)
  const moveTo = useRowFocus(grid)
  // from elsewhere on the page, both keys focus the row that last had the focus
  useShortcut('j', () => moveTo(activeIndex))
  useShortcut('k', () => moveTo(activeIndex))

  function run(command: GridCommand, isRange: boolean): void {
    const [row, key] = [props.rows[activeIndex], keys[activeIndex]]
    if (row === undefined || key === undefined) return
    const element = rowAt(scroller.current, activeIndex)
    const press = (selector: string) => element?.querySelector<HTMLElement>(selector)?.click()
    if (command.kind === 'move') moveTo(activeIndex + command.rows)
    if (command.kind === 'first') moveTo(0)
    if (command.kind === 'last') moveTo(keys.length - 1)
    if (command.kind === 'next') moveInside(element, 1)
    if (command.kind === 'previous') moveInside(element, -1)
    if (command.kind === 'open' && props.onOpen) props.onOpen(row)
    if (command.kind === 'openPage' || (command.kind === 'open' && !props.onOpen)) press('[data-row-link]')
    if (command.kind === 'menu') press('[aria-haspopup]')
    if (command.kind === 'select') actions.toggle(key, isRange)
    if (command.kind === 'selectAll' && props.selection) props.onSelect?.(toggledAll(keys, props.selection))
  }

  return event => {
    const target = event.target as HTMLElement
    const rowElement = target.closest<HTMLElement>('[data-row-key]')
    // with the focus on the grid itself, for instance after a click beside its rows, keys mean the active row
    const isInside = rowElement !== null || target === scroller.current
    if (event.defaultPrevented || !isInside || keys.length === 0 || isTyping(target)) return
    const command = commandOf(event, areLettersOn)
    if (!command) return
    // Enter and Space press the button, link or checkbox that has the focus
    if (target !== rowElement && (command.kind === 'open' || event.key === ' ')) return
    event.preventDefault()
    run(command, event.shiftKey)
  }
}

/** Returns a function that focuses the row at an index, or the first or last one instead of a row outside the list. */
function useRowFocus<Row>({ scroller, keys, virtualizer, actions }: GridFocus<Row>): (index: number) => void {
  const rowToFocus = useRef<number | undefined>(undefined)
  function focusRow(index: number): void {
    const element = rowAt(scroller.current, index)
    if (!element) return
    rowToFocus.current = undefined
    element.focus({ preventScroll: true })
  }
  // a row that was far away is in the document only after the list has scrolled to it
  useLayoutEffect(() => {
    if (rowToFocus.current !== undefined) focusRow(rowToFocus.current)
  })
  return index => {
    const target = Math.max(0, Math.min(keys.length - 1, index))
    const key = keys[target]
    if (key === undefined) return
    rowToFocus.current = target
    actions.focus(key)
    virtualizer.scrollToIndex(target, { align: 'auto' })
    focusRow(target)
  }
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
