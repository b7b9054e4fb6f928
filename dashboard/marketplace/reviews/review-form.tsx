import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { listEntries, readEntry } from '#contract/marketplace/entries.ts'
import {
  listMyReviews,
  listReviews,
  type Review,
  updateReview,
  writeReview,
} from '#contract/marketplace/reviews.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { StarsField } from '../../parts/stars.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { reviewTexts } from './review.words.ts'
import styles from './reviews.module.css'

type Values = { rating: number | null; comment: string }
type FormProps = {
  entryId: string
  /** The review to change; without it, a new one. */
  review?: Review
  onClose: () => void
}

/** Writes or changes the person's review of an entry. The input comes back when the form opens again. */
export function ReviewForm(props: FormProps) {
  const draft = useDraft<typeof writeReview, Values>(writeReview, props.entryId)
  return draft.isLoaded && <LoadedForm {...props} draft={draft} />
}

function LoadedForm({
  entryId,
  review,
  onClose,
  draft,
}: FormProps & { draft: ReturnType<typeof useDraft<typeof writeReview, Values>> }) {
  const text = useWords(reviewTexts)
  const [values, setValues] = useState<Values>(
    draft.values ?? { rating: review?.rating ?? null, comment: review?.comment ?? '' },
  )
  const [lacksRating, setLacksRating] = useState(false)
  const refreshes = [listReviews, listMyReviews, readEntry, listEntries]
  const write = useAction(writeReview, { refreshes })
  const update = useAction(updateReview, { refreshes })
  function change(changed: Partial<Values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save(next)
  }
  function close(): void {
    draft.clear()
    onClose()
  }
  async function send(): Promise<void> {
    const { rating } = values
    if (rating === null) return setLacksRating(true)
    const body = { rating, comment: values.comment.trim() || null }
    await (review
      ? update.mutateAsync({ params: { reviewId: review.id }, body })
      : write.mutateAsync({ params: { id: entryId }, body }))
    showToast({ text: review ? text.saved : text.published })
    close()
  }
  return (
    <section className={styles.form} aria-label={text.yours}>
      <ActionForm onSubmit={send} aria-label={text.yours}>
        {({ isBusy }) => (
          <>
            {lacksRating && values.rating === null && <Notice kind="danger">{text.needsRating}</Notice>}
            <StarsField label={text.rating} value={values.rating} onChange={rating => change({ rating })} />
            <Reason
              label={text.comment}
              hint={text.commentHint}
              maxLength={limits.reviewComment}
              value={values.comment}
              onChange={comment => change({ comment })}
            />
            <FormActions onLeave={close} action={review ? text.save : text.publish} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </section>
  )
}
