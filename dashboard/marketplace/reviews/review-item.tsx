import { useState } from 'react'
import { hideReview, showReviewAgain } from '#contract/marketplace/review-queue.ts'
import {
  anonymousName,
  listReviews,
  markHelpful,
  type Review,
  removeReview,
} from '#contract/marketplace/reviews.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Icon } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Stars } from '../../parts/stars.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { reviewTexts } from './review.words.ts'
import { ReviewForm } from './review-form.tsx'
import styles from './reviews.module.css'
import { useHelpful } from './use-helpful.ts'

const RemoveDialog = late(() => import('./review-dialogs.tsx').then(dialogs => dialogs.RemoveReviewDialog))
const HideDialog = late(() => import('./review-dialogs.tsx').then(dialogs => dialogs.HideReviewDialog))

/** A review with what the person may do about it. Operators may hide its text. */
export function ReviewItem({ review, isLocked }: { review: Review; isLocked: boolean }) {
  const text = useWords(reviewTexts)
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'remove' | 'hide'>()
  const setHelpful = useHelpful()
  const operatorEntries = useOperatorEntries(review, () => setOpen('hide'))
  const { isOwn, rating, comment, user, version, createdAt, updatedAt, helpfulByMe, helpfulCount } = review
  if (open === 'edit')
    return <ReviewForm review={review} entryId={review.entryId} onClose={() => setOpen(undefined)} />
  const own: MenuEntry[] =
    isOwn && !isLocked
      ? [
          { id: 'edit', label: text.edit, icon: 'edit', onAction: () => setOpen('edit') },
          ...(may(removeReview)
            ? [
                {
                  id: 'remove',
                  label: text.remove,
                  icon: 'trash' as const,
                  isDangerous: true,
                  onAction: () => setOpen('remove'),
                },
              ]
            : []),
        ]
      : []
  return (
    <article className={styles.review}>
      <header className={styles.head}>
        <Stars rating={rating} />
        <span className={styles.author}>{authorOf(isOwn, user.name, text)}</span>
        <span className={styles.quiet}>{text.ofVersion(version)}</span>
        <span className={styles.end}>
          <span className={styles.quiet}>
            <Time value={updatedAt} />
            {updatedAt !== createdAt && ` · ${text.edited}`}
          </span>
          <MoreMenu
            label={text.moderate}
            size="small"
            groups={[
              { id: 'own', entries: own },
              { id: 'operator', entries: operatorEntries },
            ]}
          />
        </span>
      </header>
      {comment === null ? (
        <p className={styles.quiet}>{text.noText}</p>
      ) : (
        <p className={styles.comment}>{comment}</p>
      )}
      {isOwn || !may(markHelpful) ? (
        helpfulCount > 0 && <span className={styles.quiet}>{text.helpfulHint(helpfulCount)}</span>
      ) : (
        <span>
          <HelpfulButton isOn={helpfulByMe} count={helpfulCount} onPress={() => void setHelpful(review)} />
        </span>
      )}
      {open === 'remove' && <RemoveDialog review={review} onClose={() => setOpen(undefined)} />}
      {open === 'hide' && <HideDialog review={review} onClose={() => setOpen(undefined)} />}
    </article>
  )
}

type Texts = Readonly<Record<'you' | 'anonymous', string>>

/** The server's constant for authors of other organizations is Spanish. */
function authorOf(isOwn: boolean, name: string, text: Texts): string {
  if (isOwn) return text.you
  return name === anonymousName ? text.anonymous : name
}

function HelpfulButton({ isOn, count, onPress }: { isOn: boolean; count: number; onPress: () => void }) {
  const text = useWords(reviewTexts)
  return (
    <button type="button" className={styles.helpful} aria-pressed={isOn} onClick={onPress}>
      <Icon name="thumbUp" /> {text.helpful(count)}
    </button>
  )
}

/** Hides the text of a review, or shows it again: nobody but its author knows whether one without text is hidden. */
function useOperatorEntries(review: Review, hide: () => void): MenuEntry[] {
  const text = useWords(reviewTexts)
  const language = useLanguage()
  const may = useMay()
  const show = useAction(showReviewAgain, { refreshes: [listReviews] })
  async function showAgain(): Promise<void> {
    try {
      await show.mutateAsync({ params: { reviewId: review.id } })
      showToast({ text: text.shownAgain })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  if (!may(hideReview)) return []
  return review.comment === null
    ? [{ id: 'show', label: text.showAgain, icon: 'retry', onAction: () => void showAgain() }]
    : [{ id: 'hide', label: text.hide, icon: 'hidden', isDangerous: true, onAction: hide }]
}
