import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import styles from './selection.module.css'

const texts = words({
  es: { label: 'Acciones con la selección', clear: 'Quitar la selección' },
  en: { label: 'Actions for the selection', clear: 'Clear selection' },
})

/** The bar of a Selection. */
export function SelectionBar({
  title,
  onClear,
  children,
}: {
  /** How many rows are selected. */
  title: string
  onClear: () => void
  children: ReactNode
}) {
  const { label, clear } = useWords(texts)
  return (
    <div className={styles.place} data-selection-bar>
      <Toolbar aria-label={label} className={styles.bar ?? ''}>
        <span className={styles.count}>{title}</span>
        {children}
        <IconButton icon="close" label={clear} onPress={onClear} />
      </Toolbar>
    </div>
  )
}
