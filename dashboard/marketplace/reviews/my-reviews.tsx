import { listInstalls } from '#contract/marketplace/installs.ts'
import { listMyReviews, updateReview } from '#contract/marketplace/reviews.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useWords } from '../../words/words.ts'
import { MarketTabs, WithMarketplace } from '../market-page.tsx'
import { marketTexts } from '../marketplace.words.ts'
import { reviewTexts } from './review.words.ts'
import styles from './reviews.module.css'
import { ReviewList } from './reviews.tsx'

/** The reviews that the person wrote, also of entries that are no longer listed. */
export function MyReviews() {
  return <WithMarketplace>{() => <OwnReviews />}</WithMarketplace>
}

function OwnReviews() {
  const text = useWords(reviewTexts)
  const market = useWords(marketTexts)
  const may = useMay()
  const { address } = useOrganization()
  const list = useList(listMyReviews)
  // a review names its entry by the id alone; its author has installed the entry
  const installs = useList(listInstalls, { query: { limit: 100 } })
  const names = new Map(installs.items.map(({ entryId, entryName }) => [entryId, entryName]))
  return (
    <Page title={market.title} below={<MarketTabs current="reviews" />}>
      {!list.isLoading && !list.error && list.items.length === 0 ? (
        <Empty title={text.noneMine}>{text.noneMineAbout}</Empty>
      ) : (
        <ReviewList
          list={list}
          isLocked={!may(updateReview)}
          headOf={({ entryId }) => (
            <span className={styles.entry}>
              <TextLink href={`/o/${encodeURIComponent(address)}/marketplace/${entryId}?tab=reviews`}>
                {names.get(entryId) ?? text.entry}
              </TextLink>
            </span>
          )}
        />
      )}
    </Page>
  )
}
