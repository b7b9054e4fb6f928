import { createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { accessRoutes } from './access/routes.tsx'
import { billingRoutes, billingSettingsRoutes } from './billing/routes.ts'
import { crmRoutes, crmSettingsRoutes } from './crm/routes.ts'
import { readLastOrganizationId } from './data/preferences.tsx'
import { homeRoutes } from './home/routes.tsx'
import { personRoutes, settingsRoutes } from './identity/routes.tsx'
import { NotFoundScreen } from './shell/not-found.tsx'
import {
  loadOrganizations,
  operatorRoute,
  organizationRoute,
  personRoute,
  rootRoute,
  settingsRoute,
} from './shell/parent-routes.tsx'

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

type LateRoutes = typeof import('./late-routes.ts').areas

/** The whole tree. Each area lists its screens in its own routes.tsx. */
function treeWith(late: LateRoutes) {
  return rootRoute.addChildren([
    startRoute,
    ...accessRoutes,
    personRoute.addChildren(personRoutes),
    organizationRoute.addChildren([
      ...homeRoutes,
      ...crmRoutes,
      ...billingRoutes,
      ...late.ofOrganizations,
      otherRoute,
      settingsRoute.addChildren([
        settingsStartRoute,
        ...settingsRoutes,
        ...crmSettingsRoutes,
        ...billingSettingsRoutes,
      ]),
    ]),
    operatorRoute.addChildren([...late.ofOperators, otherOperatorRoute]),
  ])
}

/**
 * Stands for the addresses below a parent that no route has. Before the routes of the other areas are loaded, it loads them
 * and leads to the same address again. It stays afterwards: a navigation may have begun with it.
 */
const otherRouteOf = (parent: typeof organizationRoute | typeof operatorRoute) =>
  createRoute({
    getParentRoute: () => parent as typeof organizationRoute,
    path: '/$',
    notFoundComponent: NotFoundScreen,
    beforeLoad: async ({ location }) => {
      await loadLateRoutes()
      // this navigation may have begun before they were there
      if (isOther(router.matchRoutes(location))) throw notFound()
      throw redirect({ href: location.href, replace: true })
    },
  })
const otherRoute = otherRouteOf(organizationRoute)
const otherOperatorRoute = otherRouteOf(operatorRoute)

/**
 * Every address of the dashboard. The first screens of most people are known at the start; those of the other areas
 * would make the first script a tenth larger, and come with `loadLateRoutes`.
 */
export const router = createRouter({
  routeTree: treeWith({ ofOrganizations: [], ofOperators: [] } as unknown as LateRoutes),
  defaultPreload: 'intent',
  scrollRestoration: true,
  // the caches of the reads decide what is fresh
  defaultPreloadStaleTime: 0,
})

let loading: Promise<void> | undefined

/** Loads the routes of the other areas, once. */
export function loadLateRoutes(): Promise<void> {
  loading ??= import('./late-routes.ts').then(
    ({ areas }) => {
      treeWith(areas)
      router.setRoutes(router.buildRouteTree())
    },
    error => {
      loading = undefined
      throw error
    },
  )
  return loading
}

type Matches = readonly { routeId: keyof typeof router.routesById }[]

/** Whether no route but the substitute has the address. */
function isOther(matches: Matches): boolean {
  const others: readonly string[] = [otherRoute.id, otherOperatorRoute.id]
  return matches.some(({ routeId }) => others.includes(routeId))
}

/** Loads the scripts of the screen at the address at once, beside the first data. */
export function preloadScreen(): void {
  if (isOther(router.matchRoutes(router.latestLocation))) void loadLateRoutes().then(preloadKnown)
  else preloadKnown()
}

function preloadKnown(): void {
  const matches: Matches = router.matchRoutes(router.latestLocation)
  for (const { routeId } of matches) void router.loadRouteChunk(router.routesById[routeId])
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
