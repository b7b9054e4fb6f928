import { resolveErrorGroup } from '#contract/error-reports/tab.ts'
import { useMay } from '../../data/organization.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { isPossible } from './error.rules.ts'
import type { ErrorGroup } from './error.ts'
import type { ErrorDialog } from './error-dialog.ts'
import { errorChangeTexts } from './errors.words.ts'
import type { ErrorChanges } from './use-error-changes.ts'

/** The actions on an error, for a menu, for buttons and for keys. An action that is not possible now says why. */
export function useErrorActions(
  { change }: ErrorChanges,
  ask: (dialog: ErrorDialog) => void,
  openTicket: (error: ErrorGroup) => void,
): (error: ErrorGroup, hasOpenTicket?: boolean) => MenuEntry[] {
  const text = useWords(errorChangeTexts)
  const may = useMay()
  return (error, hasOpenTicket = error.ticketId !== null) => {
    if (!may(resolveErrorGroup)) return []
    const resolved = error.state === 'RESOLVED' ? text.isResolved : undefined
    const quiet = resolved ?? (error.state === 'SILENCED' ? text.isSilenced : undefined)
    const withObstacle = (entry: MenuEntry, obstacle: string | undefined): MenuEntry =>
      obstacle === undefined ? entry : { ...entry, isDisabled: true, hint: obstacle }
    const entries: MenuEntry[] = [
      isPossible('RESOLVE', error)
        ? {
            id: 'resolve',
            label: text.resolve,
            icon: 'check',
            shortcut: 'e',
            onAction: () => void change([error], { action: 'RESOLVE' }),
          }
        : {
            id: 'reopen',
            label: text.reopen,
            icon: 'retry',
            shortcut: 'e',
            onAction: () => void change([error], { action: 'REOPEN' }),
          },
      withObstacle(
        {
          id: 'silence',
          label: text.silence,
          icon: 'hidden',
          shortcut: 's',
          onAction: () => ask({ kind: 'silence', errors: [error] }),
        },
        quiet,
      ),
      hasOpenTicket
        ? {
            id: 'openTicket',
            label: text.openTicket,
            icon: 'audit',
            shortcut: 't',
            onAction: () => openTicket(error),
          }
        : {
            id: 'ticket',
            label: text.ticket,
            icon: 'audit',
            shortcut: 't',
            onAction: () => ask({ kind: 'ticket', error }),
          },
      withObstacle(
        {
          id: 'grace',
          label: text.resolveGrace,
          icon: 'clock',
          onAction: () => ask({ kind: 'grace', errors: [error] }),
        },
        resolved,
      ),
    ]
    if (error.state !== 'SILENCED') return entries
    const reopen = () => void change([error], { action: 'REOPEN' })
    return [...entries, { id: 'reopen', label: text.reopen, icon: 'retry', onAction: reopen }]
  }
}
