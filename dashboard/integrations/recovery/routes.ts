import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const recoveryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/recovery',
  component: lazyRouteComponent(() => import('./recovery.tsx'), 'ApplicationRecovery'),
})

/** The recoveries and replays of a webhook. */
export const recoveryRoutes = [recoveryRoute] as const
