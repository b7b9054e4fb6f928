/** The log in which the person is: that of the thread beside a channel only with the focus in it. */
function currentLog(): HTMLElement | null {
  const { activeElement } = document
  return (
    activeElement?.closest<HTMLElement>('[role=log]') ??
    activeElement?.closest('aside')?.querySelector<HTMLElement>('[role=log]') ??
    document.querySelector<HTMLElement>('[role=log]')
  )
}

/** The id of the message that has the focus; undefined if none has. */
export function focusedMessage(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message
}

/** Moves the focus to the message after or before; from elsewhere, to the last one that can be seen. */
export function moveInLog(step: number): void {
  const log = currentLog()
  if (!log) return
  const rows = [...log.querySelectorAll<HTMLElement>('[data-message], button[data-row]')]
  const current = document.activeElement?.closest<HTMLElement>('[data-row]')
  const at = current ? rows.indexOf(current) : -1
  const bottom = log.getBoundingClientRect().bottom
  const next =
    at >= 0 ? rows[at + step] : rows.findLast(row => row.getBoundingClientRect().bottom <= bottom + 1)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
