import { useParams } from '@tanstack/react-router'
import { textOfError } from '../../data/errors.ts'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useApplicationHref } from '../application-links.ts'
import styles from '../integrations.module.css'
import { deliveriesTexts } from './deliveries.words.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { deliveryTexts } from './delivery-detail.words.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { RetryButton, useRetryKey } from './retry-button.tsx'
import { useDelivery } from './use-delivery.ts'

/** A delivery as a page. */
export function DeliveryPage() {
  const text = useWords(deliveryTexts)
  const listText = useWords(deliveriesTexts)
  const language = useLanguage()
  const hrefOf = useApplicationHref()
  const { applicationId, deliveryId } = useParams({
    from: '/o/$organization/applications/$applicationId/deliveries/$deliveryId',
  })
  const shown = useDelivery(applicationId, deliveryId)
  useRetryKey(shown.retry)
  const { listed, error } = shown
  return (
    <Page
      title={listed?.event ?? text.delivery}
      actions={listed && <RetryButton retry={shown.retry} status={listed.status} />}
    >
      {listed ? (
        <div className={styles.stack}>
          <div className={styles.noteLine}>
            <h2>
              <DeliveryStatus status={listed.status} />{' '}
              {listed.attempts > 0 && (
                <span className={styles.quiet}>{text.afterAttempts(listed.attempts)}</span>
              )}
            </h2>
            <TextLink href={hrefOf(applicationId, 'deliveries')}>{listText.title}</TextLink>
          </div>
          <DeliveryDetail shown={shown} listed={listed} />
        </div>
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
    </Page>
  )
}
