import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/keys',
  component: lazyRouteComponent(() => import('./keys.tsx'), 'ApplicationKeys'),
})

/** The keys of an application. */
export const keyRoutes = [keysRoute] as const
