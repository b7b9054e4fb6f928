import { type RefObject, useEffect } from 'react'

/** Keeps the chosen tab of a line visible, also when the line becomes narrower or its titles longer. */
export function useChosenTabInView(line: RefObject<HTMLElement | null>, chosen: string): void {
  useEffect(() => {
    const { current } = line
    if (!current) return
    const observer = new ResizeObserver(() => {
      const tab = current.querySelector(`[data-tab="${chosen}"]`)?.getBoundingClientRect()
      const box = current.getBoundingClientRect()
      if (tab && (tab.left < box.left || tab.right > box.right))
        current.scrollLeft += (tab.left + tab.right - box.left - box.right) / 2
    })
    for (const element of [current, ...current.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [line, chosen])
}
