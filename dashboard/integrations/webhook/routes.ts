import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readApplication } from '#contract/integrations/applications.ts'
import { beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/webhook',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readApplication, { params: { id: params.applicationId } }),
  component: lazyRouteComponent(() => import('./webhook.tsx'), 'ApplicationWebhook'),
})

/** The webhook of an application. */
export const webhookRoutes = [webhookRoute] as const
