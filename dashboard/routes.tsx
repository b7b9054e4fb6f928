import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { accessRoutes } from './access/routes.tsx'
import { addressOf } from './data/own-organizations.ts'
import { homeRoutes } from './home/routes.tsx'
import { personRoutes, settingsRoutes } from './identity/routes.tsx'
import {
  loadOrganizations,
  organizationRoute,
  personRoute,
  rootRoute,
  settingsRoute,
} from './shell/parent-routes.tsx'

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location }) => {
    const [first] = await loadOrganizations(location.href)
    throw first
      ? redirect({ to: '/o/$organization', params: { organization: addressOf(first) } })
      : redirect({ to: '/me' })
  },
})

const settingsStartRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/settings-navigation.tsx'), 'SettingsStart'),
})

const routeTree = rootRoute.addChildren([
  startRoute,
  ...accessRoutes,
  personRoute.addChildren(personRoutes),
  organizationRoute.addChildren([
    ...homeRoutes,
    settingsRoute.addChildren([settingsStartRoute, ...settingsRoutes]),
  ]),
])

/** Every address of the dashboard. Each area lists its screens in its own routes.tsx. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // the caches of the reads decide what is fresh
  defaultPreloadStaleTime: 0,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
