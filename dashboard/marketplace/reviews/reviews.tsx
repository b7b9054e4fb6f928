import { useState } from 'react'
import type { Entry } from '#contract/marketplace/entries.ts'
import { listReviews, type Review, updateReview, writeReview } from '#contract/marketplace/reviews.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { reviewTexts } from './review.words.ts'
import { ReviewForm } from './review-form.tsx'
import { ReviewItem } from './review-item.tsx'
import styles from './reviews.module.css'

/** The reviews of an entry, the most helpful first, and the person's own. */
export function Reviews({ entry }: { entry: Pick<Entry, 'id' | 'isOwn' | 'installed' | 'status'> }) {
  const text = useWords(reviewTexts)
  const may = useMay()
  const list = useReviews(entry.id)
  const [isWriting, setWriting] = useState(false)
  const own = list.items.find(({ isOwn }) => isOwn)
  const mayWrite = entry.status === 'APPROVED' && may(writeReview)
  const reason = entry.isOwn ? text.ofOwn : entry.installed ? undefined : text.installFirst
  return (
    <div className={styles.reviews}>
      {mayWrite && !own && !list.isLoading && !isWriting && (
        <div className={styles.write}>
          <Button icon="star" isDisabled={reason !== undefined} onPress={() => setWriting(true)}>
            {text.write}
          </Button>
          {reason && <span className={styles.quiet}>{reason}</span>}
        </div>
      )}
      {isWriting && <ReviewForm entryId={entry.id} onClose={() => setWriting(false)} />}
      <ReviewList list={list} isLocked={!may(updateReview)} />
    </div>
  )
}

/** The list of the reviews of an entry as it is read. */
export function useReviews(entryId: string) {
  return useList(listReviews, { params: { id: entryId } })
}

/** Reviews one below the other. */
export function ReviewList({
  list,
  isLocked = false,
  headOf,
}: {
  list: Pick<
    ReturnType<typeof useReviews>,
    'items' | 'total' | 'isLoading' | 'error' | 'hasMore' | 'isLoadingMore' | 'loadMore' | 'reload'
  >
  /** The person may not change reviews, not even their own. */
  isLocked?: boolean
  /** Above each review: the entry that it is about. */
  headOf?: (review: Review) => React.ReactNode
}) {
  const text = useWords(reviewTexts)
  const market = useWords(marketTexts)
  const language = useLanguage()
  const { items, total, isLoading, error, reload, ...more } = list
  if (error)
    return (
      <Problem
        title={textOfError(error, language)}
        action={<Button onPress={reload}>{market.again}</Button>}
      />
    )
  if (isLoading) return <Skeleton rows={4} label={market.reading} />
  if (items.length === 0) return <p className={styles.quiet}>{text.none}</p>
  return (
    <>
      <ul className={styles.list} aria-label={text.reviews}>
        {items.map(review => (
          <li key={review.id} className={styles.item}>
            {headOf?.(review)}
            <ReviewItem review={review} isLocked={isLocked} />
          </li>
        ))}
      </ul>
      <LoadMore {...more} shown={items.length} total={total} />
    </>
  )
}
