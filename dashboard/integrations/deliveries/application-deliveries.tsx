import { useSearch } from '@tanstack/react-router'
import { ButtonLink } from '../../parts/button.tsx'
import { useWords } from '../../words/words.ts'
import { ApplicationFrame, useApplication } from '../application-frame.tsx'
import { useApplicationHref } from '../application-links.ts'
import { deliveriesTexts } from './deliveries.words.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { deliverySearchOf } from './delivery-search.rules.ts'
import { RecoverButton } from './recover-button.tsx'
import { useDeliveries } from './use-deliveries.ts'

/** The deliveries to one application. */
export function ApplicationDeliveries() {
  const text = useWords(deliveriesTexts)
  const hrefOf = useApplicationHref()
  const { application: _, ...search } = deliverySearchOf(
    useSearch({ from: '/o/$organization/applications/$applicationId/deliveries' }),
  )
  const { open: _open, ...filters } = search
  const { applicationId, data } = useApplication()
  const deliveries = useDeliveries(applicationId, filters)
  const { list } = deliveries
  const mayHaveFailed = list.items.some(({ status }) => status !== 'PENDING' && status !== 'DELIVERED')
  return (
    <ApplicationFrame
      tab="deliveries"
      width="full"
      actions={data && mayHaveFailed && <RecoverButton filters={filters} applications={[data]} />}
      below={<DeliveryFilters search={search} count={list.items.length} hasMore={list.hasMore} />}
    >
      {() => (
        <DeliveryList
          deliveries={deliveries}
          applicationId={applicationId}
          search={search}
          emptyAction={<ButtonLink href={hrefOf(applicationId, 'webhook')}>{text.toWebhook}</ButtonLink>}
        />
      )}
    </ApplicationFrame>
  )
}
