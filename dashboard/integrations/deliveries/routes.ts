import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../shell/parent-routes.tsx'

/** The filters of deliveries in the address. The screens leave out what is not valid: their rules are not in the first script. */
type AddressFilters = { status?: string; event?: string; application?: string; time?: string; open?: string }
const names = ['status', 'event', 'application', 'time', 'open'] as const

function textsOf(search: Record<string, unknown>): AddressFilters {
  return Object.fromEntries(
    names.flatMap(name => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
  )
}

const allRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/deliveries',
  validateSearch: textsOf,
  component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
})

const ofApplicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/deliveries',
  validateSearch: textsOf,
  component: lazyRouteComponent(() => import('./application-deliveries.tsx'), 'ApplicationDeliveries'),
})

const pageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
})

/** The deliveries of all applications, those of one, and the page of one delivery. */
export const deliveryRoutes = [allRoute, ofApplicationRoute, pageRoute] as const
