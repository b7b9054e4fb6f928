import { useSearch } from '@tanstack/react-router'
import { listApplications } from '#contract/integrations/applications.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/words.ts'
import { deliveriesTexts } from './deliveries.words.ts'
import type { ListedDelivery } from './delivery.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { deliverySearchOf } from './delivery-search.rules.ts'
import { RecoverButton } from './recover-button.tsx'
import { useDeliveries } from './use-deliveries.ts'

/** The deliveries to all applications of the organization (DLV-22). */
export function Deliveries() {
  const text = useWords(deliveriesTexts)
  const { address } = useOrganization()
  const search = deliverySearchOf(useSearch({ from: '/o/$organization/deliveries' }))
  const { open: _, ...filters } = search
  const deliveries = useDeliveries(undefined, filters)
  const applications = useList(listApplications, { query: { limit: 100 } })
  const { list } = deliveries
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <RecoverButton
          filters={filters}
          applications={recoverableIn(list.items, applications.items, filters.application)}
        />
      }
      below={
        <DeliveryFilters
          search={search}
          applications={applications.items}
          count={list.items.length}
          hasMore={list.hasMore}
        />
      }
    >
      <DeliveryList
        deliveries={deliveries}
        applicationId={undefined}
        search={search}
        emptyAction={
          <ButtonLink href={`/o/${encodeURIComponent(address)}/applications`}>
            {text.toApplications}
          </ButtonLink>
        }
      />
    </Page>
  )
}

/** The application of the filter, or those that have a row which can be recovered: a recovery is of one webhook. */
function recoverableIn(
  rows: readonly ListedDelivery[],
  applications: readonly { id: string; name: string }[],
  chosen: string | undefined,
): { id: string; name: string }[] {
  const recoverable = new Set(
    rows.flatMap(({ status, applicationId }) =>
      status === 'PENDING' || status === 'DELIVERED' || !applicationId ? [] : [applicationId],
    ),
  )
  return applications.filter(({ id }) => (chosen === undefined ? recoverable.has(id) : id === chosen))
}
