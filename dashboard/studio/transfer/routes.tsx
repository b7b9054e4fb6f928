import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio/import',
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPackages'),
})

/** The screen that imports packages. */
export const transferRoutes = [importRoute] as const
