import { limits } from '#contract/limits.ts'
import { listEntries, readEntry } from '#contract/marketplace/entries.ts'
import { hideReview } from '#contract/marketplace/review-queue.ts'
import { listMyReviews, listReviews, type Review, removeReview } from '#contract/marketplace/reviews.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { reviewTexts } from './review.words.ts'

type Props = { review: Review; onClose: () => void }

/** Asks before the person's own review is deleted. */
export function RemoveReviewDialog({ review, onClose }: Props) {
  const text = useWords(reviewTexts)
  const language = useLanguage()
  const remove = useAction(removeReview, { refreshes: [listReviews, listMyReviews, readEntry, listEntries] })
  async function confirm(): Promise<void> {
    await remove.mutateAsync({ params: { reviewId: review.id } })
    showToast({ text: text.removed })
    onClose()
  }
  return (
    <Confirm
      title={text.removeTitle}
      action={text.removeAction}
      isOpen
      isDangerous
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => confirm().catch(() => {})}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
    >
      {text.removeAbout}
    </Confirm>
  )
}

/** Hides the text of a review, for a reason that the audit log keeps. */
export function HideReviewDialog({ review, onClose }: Props) {
  const text = useWords(reviewTexts)
  const hide = useAction(hideReview, { refreshes: [listReviews] })
  async function send({ reason = '' }: Readonly<Record<string, string>>): Promise<void> {
    await hide.mutateAsync({ params: { reviewId: review.id }, body: { reason } })
    showToast({ text: text.hidden })
    onClose()
  }
  return (
    <Dialog title={text.hideTitle} isOpen onClose={onClose} size="small" role="alertdialog">
      <p>{text.hideAbout}</p>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Reason
              {...fieldOf(hideReview, 'reason')}
              label={text.reason}
              maxLength={limits.reviewQueueNote}
              minLength={limits.reviewQueueReasonMin}
            />
            <FormActions onLeave={onClose} action={text.hideAction} kind="danger" isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
