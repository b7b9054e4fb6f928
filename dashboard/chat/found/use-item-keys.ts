import { useRef } from 'react'
import { useShortcuts } from '../../data/shortcuts.ts'
import { useWords } from '../../words/words.ts'
import { foundTexts } from '../threads/threads.words.ts'

/** `j` and `k` move the focus along the links of a list; Enter opens them. */
export function useItemKeys(title: string) {
  const text = useWords(foundTexts)
  const list = useRef<HTMLUListElement>(null)
  function move(step: number): void {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-found]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  }
  useShortcuts(
    {
      j: { label: text.next, action: () => move(1) },
      k: { label: text.previous, action: () => move(-1) },
    },
    title,
  )
  return list
}
