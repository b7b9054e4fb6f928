import { createContext, useContext, useEffect, useRef } from 'react'

/** Whether keys without a modifier do something. People can switch them off. */
export const SingleKeysContext = createContext(true)

/** Whether the person is typing into a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]',
    ) !== null
  )
}

/** Whether a dialog or a menu is open, so that the shortcuts of the page are off. */
function hasOverlay(): boolean {
  return (
    document.querySelector(
      '[role="dialog"][data-rac], [role="alertdialog"], [role="menu"], [role="listbox"]',
    ) !== null
  )
}

/**
 * Runs when a person presses a key without a modifier, wherever the focus is, but never while they type, nor
 * under a dialog or a menu. If several components use the same key, the first one handles it.
 */
export function useShortcut(key: string, run: () => void, isEnabled = true): void {
  const areOn = useContext(SingleKeysContext)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!isEnabled || !areOn) return
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== key || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (isTyping(event.target) || hasOverlay()) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key, isEnabled, areOn])
}
