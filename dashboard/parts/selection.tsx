import type { ReactNode } from 'react'
import { plural, useWords, words } from '../words/words.ts'
import { late } from './late.tsx'
import { countText } from './number-text.ts'
import { Spoken } from './spoken.tsx'

const texts = words({
  es: {
    selected: (count: number) =>
      `${countText(count, 'es')} ${plural('es', count, 'seleccionado', 'seleccionados')}`,
  },
  en: { selected: (count: number) => `${countText(count, 'en')} selected` },
})

const SelectionBar = late(() => import('./selection-bar.tsx').then(bar => bar.SelectionBar))

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
  const { selected } = useWords(texts)
  return (
    <>
      <Spoken isLive>{count > 0 && selected(count)}</Spoken>
      {count > 0 && (
        <SelectionBar title={selected(count)} onClear={onClear}>
          {children}
        </SelectionBar>
      )}
    </>
  )
}
