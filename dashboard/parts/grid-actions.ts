import { useEffect, useMemo, useRef } from 'react'
import { useWords } from '../words/words.ts'
import type { GridMenu, GridProps } from './grid-props.ts'
import type { RowActions } from './grid-row.tsx'
import { toggled } from './grid-selection.ts'
import { gridTexts } from './grid-words.ts'
import type { MenuEntry, MenuGroup } from './menu.tsx'

/** The actions of rows. The functions stay the same while the properties of the grid change, so that no row is drawn again. */
export function useRowActions<Row>(
  props: GridProps<Row>,
  keys: readonly string[],
  focus: (key: string) => void,
  openMenu: (menu: GridMenu) => void,
): RowActions<Row> {
  const text = useWords(gridTexts)
  const anchor = useRef<string | undefined>(undefined)
  const latest = useRef({ props, keys })
  useEffect(() => {
    latest.current = { props, keys }
  })
  return useMemo(
    () => ({
      focus,
      open: row => latest.current.props.onOpen?.(row),
      openMenu(row, button) {
        const { rowMenu, rowLabel } = latest.current.props
        if (rowMenu)
          openMenu({ label: text.actionsOf(rowLabel?.(row) ?? ''), button, groups: groupsOf(rowMenu(row)) })
      },
      toggle(key, isRange) {
        const { props: now, keys: all } = latest.current
        if (!now.selection || !now.onSelect) return
        now.onSelect(toggled(all, now.selection, key, isRange ? anchor.current : undefined))
        anchor.current = key
      },
    }),
    [text, focus, openMenu],
  )
}

function groupsOf(menu: readonly MenuGroup[] | readonly MenuEntry[]): readonly MenuGroup[] {
  const isGrouped = (menu as readonly object[]).some(item => 'entries' in item)
  return isGrouped
    ? (menu as readonly MenuGroup[])
    : [{ id: 'actions', entries: menu as readonly MenuEntry[] }]
}
