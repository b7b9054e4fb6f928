import { limits } from '#contract/limits.ts'
import { type Entry, reportEntry } from '#contract/marketplace/entries.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { entryTexts } from './entry.words.ts'

/** Reports an entry to the operators. */
export function ReportDialog({ entry: { id, name }, onClose }: { entry: Entry; onClose: () => void }) {
  const text = useWords(entryTexts)
  const report = useAction(reportEntry, { refreshes: [] })
  async function send({ reason = '' }: Readonly<Record<string, string>>): Promise<void> {
    await report.mutateAsync({ params: { id }, body: { reason } })
    showToast({ text: text.reported })
    onClose()
  }
  return (
    <Dialog title={text.reportTitle(name)} isOpen onClose={onClose} size="small">
      <p>{text.reportAbout}</p>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Reason
              {...fieldOf(reportEntry, 'reason')}
              label={text.reason}
              maxLength={limits.reportReason}
              minLength={limits.reportReasonMin}
              rows={4}
            />
            <FormActions onLeave={onClose} action={text.reportAction} kind="danger" isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
