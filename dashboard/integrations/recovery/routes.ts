import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readApplication } from '#contract/integrations/applications.ts'
import { beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const recoveryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/recovery',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readApplication, { params: { id: params.applicationId } }),
  component: lazyRouteComponent(() => import('./recovery.tsx'), 'ApplicationRecovery'),
})

/** The recoveries and replays of a webhook. */
export const recoveryRoutes = [recoveryRoute] as const
