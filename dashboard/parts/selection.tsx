import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { plural, useWords, words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import styles from './selection.module.css'
import { Spoken } from './spoken.tsx'
import { countText } from './total.tsx'

const texts = words({
  es: {
    label: 'Acciones con la selección',
    selected: (count: number) =>
      `${countText(count, 'es')} ${plural('es', count, 'seleccionado', 'seleccionados')}`,
    clear: 'Quitar la selección',
  },
  en: {
    label: 'Actions for the selection',
    selected: (count: number) => `${countText(count, 'en')} selected`,
    clear: 'Clear selection',
  },
})

/** The bar over the end of a list while rows are selected: how many, and what can be done with them. */
export function Selection({
  count,
  onClear,
  children,
}: {
  count: number
  onClear: () => void
  /** Quiet buttons with their keys. */
  children: ReactNode
}) {
  const { label, selected, clear } = useWords(texts)
  return (
    <>
      <Spoken isLive>{count > 0 && selected(count)}</Spoken>
      {count > 0 && (
        <div className={styles.place}>
          <Toolbar aria-label={label} className={styles.bar ?? ''}>
            <span className={styles.count}>{selected(count)}</span>
            {children}
            <IconButton icon="close" label={clear} onPress={onClear} />
          </Toolbar>
        </div>
      )}
    </>
  )
}
