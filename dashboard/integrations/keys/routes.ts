import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listKeys } from '#contract/integrations/keys.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/keys',
  loader: ({ context, params }) =>
    beginList(context.organization.id, listKeys, { params: { id: params.applicationId } }),
  component: lazyRouteComponent(() => import('./keys.tsx'), 'ApplicationKeys'),
})

/** The keys of an application. */
export const keyRoutes = [keysRoute] as const
