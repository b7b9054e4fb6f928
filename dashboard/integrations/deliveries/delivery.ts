import type {
  listDeliveries,
  listOrganizationDeliveries,
  readDelivery,
} from '#contract/integrations/deliveries.ts'
import type { Reply } from '#contract/route.ts'

/** A delivery in a list; only the list over all applications names the application. */
export type ListedDelivery = Reply<typeof listDeliveries>['items'][number] &
  Partial<
    Pick<Reply<typeof listOrganizationDeliveries>['items'][number], 'applicationId' | 'applicationName'>
  >
export type WholeDelivery = Reply<typeof readDelivery>
export type DeliveryStatus = ListedDelivery['status']
export type Attempt = WholeDelivery['history'][number]
