import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId/webhook',
  component: lazyRouteComponent(() => import('./webhook.tsx'), 'ApplicationWebhook'),
})

/** The webhook of an application. */
export const webhookRoutes = [webhookRoute] as const
