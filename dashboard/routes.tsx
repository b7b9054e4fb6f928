import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { accessRoutes } from './access/routes.tsx'
import { billingRoutes, billingSettingsRoutes } from './billing/routes.ts'
import { chatRoutes } from './chat/routes.ts'
import { crmRoutes, crmSettingsRoutes } from './crm/routes.ts'
import { readLastOrganizationId } from './data/preferences.tsx'
import { errorReportRoutes } from './error-reports/routes.ts'
import { homeRoutes } from './home/routes.tsx'
import { operatorAuditRoutes, personRoutes, settingsRoutes } from './identity/routes.tsx'
import { integrationRoutes } from './integrations/routes.ts'
import { reviewQueueRoutes } from './marketplace/review-queue/routes.tsx'
import { marketplaceRoutes } from './marketplace/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import {
  loadOrganizations,
  operatorRoute,
  organizationRoute,
  personRoute,
  rootRoute,
  settingsRoute,
} from './shell/parent-routes.tsx'
import { studioRoutes } from './studio/routes.ts'

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location }) => {
    const [organizations, lastId] = await Promise.all([
      loadOrganizations(location.href),
      readLastOrganizationId(),
    ])
    const organization = organizations.find(({ id }) => id === lastId) ?? organizations[0]
    throw organization
      ? redirect({ to: '/o/$organization', params: { organization: organization.address } })
      : redirect({ to: '/me' })
  },
})

const settingsStartRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/settings-start.tsx'), 'SettingsStart'),
})

const routeTree = rootRoute.addChildren([
  startRoute,
  ...accessRoutes,
  personRoute.addChildren(personRoutes),
  organizationRoute.addChildren([
    ...homeRoutes,
    ...crmRoutes,
    ...billingRoutes,
    ...chatRoutes,
    ...studioRoutes,
    ...marketplaceRoutes,
    ...integrationRoutes,
    ...errorReportRoutes,
    settingsRoute.addChildren([
      settingsStartRoute,
      ...settingsRoutes,
      ...crmSettingsRoutes,
      ...billingSettingsRoutes,
    ]),
  ]),
  operatorRoute.addChildren([...operatorRoutes, ...reviewQueueRoutes, ...operatorAuditRoutes]),
])

/** Every address of the dashboard. Each area lists its screens in its own routes.tsx. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // the caches of the reads decide what is fresh
  defaultPreloadStaleTime: 0,
})

/** Loads the scripts of the screen at the address at once, beside the first data. */
export function preloadScreen(): void {
  const matches: { routeId: keyof typeof router.routesById }[] = router.matchRoutes(router.latestLocation)
  for (const { routeId } of matches) void router.loadRouteChunk(router.routesById[routeId])
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
