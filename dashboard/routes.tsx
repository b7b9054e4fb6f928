import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { accessRoutes } from './access/routes.tsx'
import { homeRoutes } from './home/routes.tsx'
import { organizationRoutes, personRoutes } from './identity/routes.tsx'
import { loadOrganizations, organizationRoute, personRoute, rootRoute } from './shell/parent-routes.tsx'

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location }) => {
    const [first] = await loadOrganizations(location.href)
    throw first
      ? redirect({ to: '/o/$organization', params: { organization: first.id } })
      : redirect({ to: '/me' })
  },
})

const routeTree = rootRoute.addChildren([
  startRoute,
  ...accessRoutes,
  personRoute.addChildren(personRoutes),
  organizationRoute.addChildren([...homeRoutes, ...organizationRoutes]),
])

/** Every address of the dashboard. Each area lists its screens in its own routes.tsx. */
export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
