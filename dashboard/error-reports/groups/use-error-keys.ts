import { useShortcuts } from '../../data/shortcuts.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useRowSelection } from '../../parts/row-selection.ts'
import { useWords } from '../../words/words.ts'
import { type ErrorSearch, isPossible } from './error.rules.ts'
import type { ErrorGroupItem } from './error.ts'
import type { ErrorDialog } from './error-dialog.ts'
import { errorChangeTexts, errorTexts } from './errors.words.ts'
import type { ErrorChanges } from './use-error-changes.ts'

type Action = 'resolve' | 'silence' | 'ticket'

/** The keys that act on the chosen errors of the list, for one or for many, and the selection. */
export function useErrorKeys(
  items: readonly ErrorGroupItem[],
  search: ErrorSearch,
  changes: ErrorChanges,
  actionsOf: (error: ErrorGroupItem) => MenuEntry[],
  ask: (dialog: ErrorDialog) => void,
) {
  const { title } = useWords(errorTexts)
  const text = useWords(errorChangeTexts)
  const { chosen, ...selection } = useRowSelection(items, search.open)

  function act(key: string, action: Action): void {
    const errors = chosen()
    const [only] = errors
    if (errors.length > 1) actOnMany(action, errors)
    else if (only) {
      const entries = actionsOf(only).filter(({ isDisabled }) => !isDisabled)
      if (action === 'resolve' && search.state !== 'ALL') focusRowBeside(only.id)
      entries.find(({ shortcut }) => shortcut === key)?.onAction?.()
    }
  }
  function actOnMany(action: Action, errors: readonly ErrorGroupItem[]): void {
    const isReopening = errors.every(({ state }) => state === 'RESOLVED')
    const possible = errors.filter(error =>
      isPossible(isReopening ? 'REOPEN' : action === 'silence' ? 'SILENCE' : 'RESOLVE', error),
    )
    if (action === 'ticket' || possible.length === 0) return
    if (action === 'silence') ask({ kind: 'silence', errors: possible })
    else void changes.change(possible, { action: isReopening ? 'REOPEN' : 'RESOLVE' })
    selection.clear()
  }

  const actions = [
    ['e', 'resolve'],
    ['s', 'silence'],
    ['t', 'ticket'],
  ] as const
  const keys = actions.map(([key, action]) => ({ key, label: text[action], action: () => act(key, action) }))
  useShortcuts(
    {
      ...Object.fromEntries(keys.map(({ key, ...shortcut }) => [key, shortcut])),
      u: changes.undo && { label: text.undo, action: changes.undo },
    },
    title,
  )
  return { keys, ...selection }
}

/** The row of an error that is about to leave the list hands its focus to the next one, or else to the one before. */
function focusRowBeside(id: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(id)}"]`)
  if (!row?.contains(document.activeElement)) return
  const beside = row.nextElementSibling ?? row.previousElementSibling
  if (beside instanceof HTMLElement && beside.dataset.rowKey !== undefined) beside.focus()
}
