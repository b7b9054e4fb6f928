import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { listEntries, readEntry } from '#contract/marketplace/entries.ts'
import {
  delistEntry,
  featureEntry,
  listSubmissions,
  readSubmission,
  type SubmissionDetail,
} from '#contract/marketplace/review-queue.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { dayAfter, endOfDay } from './queue.rules.ts'
import { queueTexts } from './queue.words.ts'

type Props = { submission: SubmissionDetail; onClose: () => void }

/** Features a listed entry until the end of a day. */
export function FeatureDialog({ submission: { entryId, name }, onClose }: Props) {
  const text = useWords(queueTexts)
  const [until, setUntil] = useState(() => dayAfter(currentTime(), 30))
  const feature = useAction(featureEntry, { refreshes: [readEntry, listEntries] })
  async function send(): Promise<void> {
    await feature.mutateAsync({ params: { entryId }, body: { until: endOfDay(until) } })
    showToast({ text: text.featured(name) })
    onClose()
  }
  return (
    <Dialog title={text.featureTitle(name)} isOpen onClose={onClose} size="small">
      <p>{text.featureAbout}</p>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <DateField
              label={text.until}
              name="until"
              value={until}
              onChange={setUntil}
              minimum={dayAfter(currentTime(), 0)}
              maximum={dayAfter(currentTime(), limits.featuredDays - 1)}
              isRequired
            />
            <FormActions onLeave={onClose} action={text.featureAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Removes a listed entry from the catalogue, with a reason for its publisher. */
export function DelistDialog({ submission: { entryId, name }, onClose }: Props) {
  const text = useWords(queueTexts)
  // not readEntry: the entry is no longer there for the operator's organization
  const delist = useAction(delistEntry, {
    refreshes: [readSubmission, listSubmissions, listEntries],
  })
  async function send({ reason = '' }: Readonly<Record<string, string>>): Promise<void> {
    await delist.mutateAsync({ params: { entryId }, body: { reason } })
    showToast({ text: text.delisted(name) })
    onClose()
  }
  return (
    <Dialog title={text.delistTitle(name)} isOpen onClose={onClose} size="small" role="alertdialog">
      <p>{text.delistAbout}</p>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Reason
              {...fieldOf(delistEntry, 'reason')}
              label={text.reasonLabel}
              maxLength={limits.reviewQueueNote}
              minLength={limits.reviewQueueReasonMin}
            />
            <FormActions onLeave={onClose} action={text.delistAction} kind="danger" isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
