import { listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { useApplicationHref } from '../application-links.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { deliveryTexts } from './delivery-detail.words.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { NextFailedButton, RetryButton, useRetryKey } from './retry-button.tsx'
import { useDelivery } from './use-delivery.ts'

/** A delivery beside its list. `r` retries it, `n` opens the next failed one. */
export function DeliverySheet({
  deliveryId,
  applicationId,
  onNextFailed,
  ...sheet
}: {
  deliveryId: string
  /** Undefined if the list does not have the delivery: its application is read. */
  applicationId: string | undefined
  onClose: () => void
  onNextFailed: (() => void) | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(deliveryTexts)
  const hrefOf = useApplicationHref()
  const found = useRead(
    listOrganizationDeliveries,
    { query: { ids: [deliveryId] } },
    { enabled: applicationId === undefined },
  )
  const id = applicationId ?? found.data?.items[0]?.applicationId
  const shown = useDelivery(id, deliveryId)
  useRetryKey(shown.retry)
  const { listed } = shown
  if (!listed)
    return (
      <Sheet {...sheet} title={text.delivery}>
        {found.data?.items.length === 0 ? (
          <SheetSection>
            <p>{text.notListed}</p>
          </SheetSection>
        ) : (
          <ReadingSection error={shown.error ?? found.error} label={text.reading} />
        )}
      </Sheet>
    )
  return (
    <Sheet
      {...sheet}
      title={listed.event}
      about={
        <>
          <DeliveryStatus status={listed.status} />{' '}
          {listed.attempts > 0 && text.afterAttempts(listed.attempts)}
        </>
      }
      {...(id !== undefined && { pageHref: hrefOf(id, 'deliveries', `/${deliveryId}`) })}
      footer={
        <>
          {onNextFailed && <NextFailedButton onPress={onNextFailed} />}
          <RetryButton retry={shown.retry} status={listed.status} />
        </>
      }
    >
      <SheetSection>
        <DeliveryDetail shown={shown} listed={listed} />
      </SheetSection>
    </Sheet>
  )
}
