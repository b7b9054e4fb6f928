import { late } from '../../parts/late.tsx'
import type { ErrorDialog } from './error-dialog.ts'
import type { ErrorChanges } from './use-error-changes.ts'

const SilenceDialog = late(() => import('./silence-dialog.tsx').then(dialog => dialog.SilenceDialog))
const GraceDialog = late(() => import('./grace-dialog.tsx').then(dialog => dialog.GraceDialog))
const ChangeAllDialog = late(() => import('./change-all-dialog.tsx').then(dialog => dialog.ChangeAllDialog))
const CreateTicketDialog = late(() =>
  import('../tickets/create-ticket-dialog.tsx').then(dialog => dialog.CreateTicketDialog),
)

/** The dialogs of errors; their scripts are loaded when they open. */
export function ErrorDialogs({
  dialog,
  changes: { change },
  onClose,
}: {
  dialog: ErrorDialog
  changes: ErrorChanges
  onClose: () => void
}) {
  switch (dialog.kind) {
    case 'silence':
      return (
        <SilenceDialog
          errors={dialog.errors}
          onSilence={silence => void change(dialog.errors, { action: 'SILENCE', silence })}
          onClose={onClose}
        />
      )
    case 'grace':
      return (
        <GraceDialog
          errors={dialog.errors}
          onResolve={graceMinutes => void change(dialog.errors, { action: 'RESOLVE', graceMinutes })}
          onClose={onClose}
        />
      )
    case 'all':
      return <ChangeAllDialog search={dialog.search} onClose={onClose} />
    case 'ticket':
      return <CreateTicketDialog error={dialog.error} onClose={onClose} />
    default:
      return null
  }
}
