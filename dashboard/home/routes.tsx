import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/parent-routes.tsx'

const homeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})

export const homeRoutes = [homeRoute] as const
