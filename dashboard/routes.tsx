import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { accessRoutes } from './access/routes.tsx'
import { billingRoutes, billingSettingsRoutes } from './billing/routes.ts'
import { crmRoutes, crmSettingsRoutes } from './crm/routes.ts'
import { readLastOrganizationId } from './data/preferences.tsx'
import { homeRoutes } from './home/routes.tsx'
import { personRoutes, settingsRoutes } from './identity/routes.tsx'
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
      settingsRoute.addChildren([
        settingsStartRoute,
        ...settingsRoutes,
        ...crmSettingsRoutes,
        ...billingSettingsRoutes,
      ]),
    ]),
    operatorRoute.addChildren([...late.ofOperators]),
  ])
}

/** Stand for the addresses of an area until its routes are loaded, and then lead to the same address. */
const placeholdersOf = (parent: typeof organizationRoute | typeof operatorRoute, area: string) =>
  [area || '/', `${area}/$`].map(path =>
    createRoute({
      getParentRoute: () => parent as typeof organizationRoute,
      path,
      beforeLoad: async ({ location }) => {
        await loadLateRoutes()
        throw redirect({ href: location.href, replace: true })
      },
    }),
  )
const lateAreas = [
  'agents',
  'applications',
  'channels',
  'collections',
  'contacts',
  'deliveries',
  'errors',
  'marketplace',
  'opportunities',
  'payments',
  'reconciliation',
  'studio',
]
const placeholders = {
  ofOrganizations: lateAreas.flatMap(area => placeholdersOf(organizationRoute, `/${area}`)),
  ofOperators: placeholdersOf(operatorRoute, ''),
}

/**
 * Every address of the dashboard. The first screens of most people are known at the start; those of the other areas
 * would make the first script a tenth larger, and come with `loadLateRoutes`.
 */
export const router = createRouter({
  routeTree: treeWith(placeholders as unknown as LateRoutes),
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

/** Loads the scripts of the screen at the address at once, beside the first data. */
export function preloadScreen(): void {
  const matches: { routeId: keyof typeof router.routesById }[] = router.matchRoutes(router.latestLocation)
  const isLate = matches.some(({ routeId }) =>
    Object.values(placeholders).some(routes => routes.some(({ id }) => id === routeId)),
  )
  if (isLate && !loading) return void loadLateRoutes().then(preloadScreen)
  for (const { routeId } of matches) void router.loadRouteChunk(router.routesById[routeId])
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
