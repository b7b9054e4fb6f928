import { useNavigate } from '@tanstack/react-router'
import { useOrganization } from '../../data/organization.tsx'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Problem } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { isOpenTicket } from '../tickets/ticket.rules.ts'
import { type ErrorGroup, type ErrorGroupItem, placeOf, titleOf } from './error.ts'
import styles from './error-body.module.css'
import { ErrorBody } from './error-body.tsx'
import type { ErrorDialog } from './error-dialog.ts'
import { ErrorSeverity } from './error-status.tsx'
import { errorTexts } from './errors.words.ts'
import { useErrorActions } from './use-error-actions.ts'
import type { ErrorChanges } from './use-error-changes.ts'
import { useError } from './use-errors.ts'

/** An error beside the list, whose keys `e`, `s` and `t` mean it. */
export function ErrorSheet({
  id,
  listed,
  changes,
  onAsk,
  ...sheet
}: {
  id: string
  /** The error, if the list has it; else it is read. */
  listed: ErrorGroupItem | undefined
  changes: ErrorChanges
  onAsk: (dialog: ErrorDialog) => void
  pageHref: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(errorTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { summary, detail, error, isMissing } = useError(id, listed)
  const actionsOf = useErrorActions(
    changes,
    onAsk,
    ({ applicationId, ticketId }) =>
      void navigate({
        href: `/o/${encodeURIComponent(address)}/errors/tickets?application=${applicationId}&open=${ticketId}`,
      }),
  )
  const shown = detail ?? summary
  const hasOpenTicket = detail ? isOpenTicket(detail.ticket) : undefined
  const [primary, ...others] = shown ? actionsOf(shown, hasOpenTicket) : []
  return (
    <Sheet
      {...sheet}
      title={shown ? titleOf(shown) : text.error}
      {...(shown && { about: <About error={shown} applicationName={summary?.applicationName} /> })}
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries: others }]} />}
      actions={
        primary && (
          <Button kind="primary" shortcut="e" onPress={() => primary.onAction?.()}>
            {primary.label}
          </Button>
        )
      }
    >
      {detail && summary ? (
        <ErrorBody error={detail} applicationName={summary.applicationName} />
      ) : isMissing ? (
        <SheetSection>
          <Problem title={text.notHere} />
        </SheetSection>
      ) : (
        <ReadingSection error={error} label={text.reading} />
      )}
    </Sheet>
  )
}

/** The line below the title: how severe, and where. */
function About({ error, applicationName }: { error: ErrorGroup; applicationName: string | undefined }) {
  return (
    <span className={styles.about}>
      <ErrorSeverity severity={error.severity} />
      <span>{[applicationName, placeOf(error)].filter(Boolean).join(' · ')}</span>
    </span>
  )
}
