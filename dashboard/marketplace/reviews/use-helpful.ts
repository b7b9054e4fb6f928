import { useQueryClient } from '@tanstack/react-query'
import { listReviews, markHelpful, type Review, unmarkHelpful } from '#contract/marketplace/reviews.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { patchRows } from '../../data/frames.patch.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, useAction } from '../../data/read.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage } from '../../words/words.ts'

/**
 * Sets or removes the helpful mark of the person, at once on the screen. If the server refuses, the former mark comes
 * back.
 */
export function useHelpful(): (review: Review) => Promise<void> {
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const language = useLanguage()
  const mark = useAction(markHelpful, { refreshes: [] })
  const unmark = useAction(unmarkHelpful, { refreshes: [] })

  function show({ id }: Review, values: Pick<Review, 'helpfulCount' | 'helpfulByMe'>): void {
    cache.setQueriesData({ queryKey: keyOf(organizationId, listReviews) }, (former: unknown) =>
      patchRows(former, id, values),
    )
  }

  return async review => {
    const { helpfulByMe, helpfulCount } = review
    show(review, { helpfulByMe: !helpfulByMe, helpfulCount: helpfulCount + (helpfulByMe ? -1 : 1) })
    try {
      const { mutateAsync } = helpfulByMe ? unmark : mark
      const { id: _, ...values } = await mutateAsync({ params: { reviewId: review.id } })
      show(review, values)
    } catch (error) {
      show(review, { helpfulByMe, helpfulCount })
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
}
