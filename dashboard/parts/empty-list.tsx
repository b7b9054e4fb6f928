import type { ReactNode } from 'react'
import { useWords, words } from '../words/words.ts'
import { Button } from './button.tsx'
import { Empty } from './states.tsx'

const texts = words({
  es: { clear: 'Quitar los filtros' },
  en: { clear: 'Clear the filters' },
})

/**
 * Replaces the rows of a list that has none. If filters are set, it says that nothing fits them, and its button clears them.
 * Otherwise it says that nothing is there yet (`title`), what will be there (`children`) and how to begin (`action`).
 */
export function EmptyList({
  isFiltered,
  nothingFits,
  clear,
  onClear,
  ...empty
}: {
  isFiltered: boolean
  nothingFits: string
  /** The words of the button, if a search is all that it clears, or if it leads to other rows. */
  clear?: string
  onClear: () => void
  title: string
  children?: ReactNode
  /** The button that makes the first row, if the person may. */
  action?: ReactNode
}) {
  const text = useWords(texts)
  if (isFiltered)
    return <Empty title={nothingFits} action={<Button onPress={onClear}>{clear ?? text.clear}</Button>} />
  return <Empty {...empty} />
}
