import { limits } from '#contract/limits.ts'
import {
  listEntryReports,
  listSubmissions,
  readSubmission,
  settleEntryReport,
} from '#contract/marketplace/review-queue.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { reportTexts } from './report.words.ts'
import type { Report } from './report-status.tsx'

/** Confirms or dismisses a report, with a note for other operators. */
export function SettleDialog({
  report,
  status,
  onClose,
}: {
  report: Report
  status: 'CONFIRMED' | 'DISMISSED'
  onClose: () => void
}) {
  const text = useWords(reportTexts)
  const isConfirming = status === 'CONFIRMED'
  const settle = useAction(settleEntryReport, {
    refreshes: [listEntryReports, listSubmissions, readSubmission],
  })
  async function send({ note = '' }: Readonly<Record<string, string>>): Promise<void> {
    await settle.mutateAsync({
      params: { reportId: report.id },
      body: { status, ...(note.trim() !== '' && { note: note.trim() }) },
    })
    showToast({ text: isConfirming ? text.confirmed : text.dismissed })
    onClose()
  }
  return (
    <Dialog
      title={isConfirming ? text.confirmTitle : text.dismissTitle}
      isOpen
      onClose={onClose}
      size="small"
    >
      <p>{text.settleAbout}</p>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Reason
              {...fieldOf(settleEntryReport, 'note')}
              label={text.note}
              hint={text.noteHint}
              maxLength={limits.reviewQueueNote}
            />
            <FormActions
              onLeave={onClose}
              action={isConfirming ? text.confirmAction : text.dismissAction}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
