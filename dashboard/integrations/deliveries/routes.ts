import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { beginList } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { deliveryQueryOf, deliverySearchOf } from './delivery-search.rules.ts'

const allRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/deliveries',
  validateSearch: deliverySearchOf,
  loaderDeps: ({ search: { open: _, ...filters } }) => filters,
  loader: ({ context, deps: { application, ...filters } }) =>
    beginList(context.organization.id, listOrganizationDeliveries, {
      query: {
        ...(application && { applicationId: application }),
        ...deliveryQueryOf(filters, currentTime()),
      },
    }),
  component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
})

const ofApplicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/deliveries',
  validateSearch: (search: Record<string, unknown>) => {
    const { application: _, ...filters } = deliverySearchOf(search)
    return filters
  },
  component: lazyRouteComponent(() => import('./application-deliveries.tsx'), 'ApplicationDeliveries'),
})

const pageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
})

/** The deliveries of all applications, those of one, and the page of one delivery. */
export const deliveryRoutes = [allRoute, ofApplicationRoute, pageRoute] as const
