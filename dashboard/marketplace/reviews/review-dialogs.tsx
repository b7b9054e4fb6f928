import { limits } from '#contract/limits.ts'
import { listEntries, readEntry } from '#contract/marketplace/entries.ts'
import { hideReview } from '#contract/marketplace/review-queue.ts'
import { listMyReviews, listReviews, type Review, removeReview } from '#contract/marketplace/reviews.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { reviewTexts } from './review.words.ts'

type Props = { review: Review; onClose: () => void }

/** Asks before the person's own review is deleted. */
export function RemoveReviewDialog({ review, onClose }: Props) {
  const text = useWords(reviewTexts)
  return (
    <ConfirmAction
      operation={removeReview}
      input={{ params: { reviewId: review.id } }}
      refreshes={[listReviews, listMyReviews, readEntry, listEntries]}
      title={text.removeTitle}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed}
    >
      {text.removeAbout}
    </ConfirmAction>
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
