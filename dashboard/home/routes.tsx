import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/parent-routes.tsx'

const homeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})

const inboxRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./inbox.tsx'), 'Inbox'),
})

export const homeRoutes = [homeRoute, inboxRoute] as const
