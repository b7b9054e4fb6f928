import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { applicationStatuses } from '#contract/integrations/applications.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

type Status = (typeof applicationStatuses)[number]

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications',
  validateSearch: ({ status, open }: Record<string, unknown>): { status?: Status; open?: string } => {
    const known = applicationStatuses.find(one => one === status)
    return { ...(known && { status: known }), ...(typeof open === 'string' && { open }) }
  },
  // the inbox names the application whose webhook was paused
  beforeLoad: ({ params, search: { open } }) => {
    if (open !== undefined)
      throw redirect({
        to: '/o/$organization/applications/$applicationId/webhook',
        params: { ...params, applicationId: open },
      })
  },
  component: lazyRouteComponent(() => import('./applications.tsx'), 'Applications'),
})

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/applications/$applicationId',
  validateSearch: ({ scope }: Record<string, unknown>): { scope?: string } =>
    typeof scope === 'string' ? { scope } : {},
  component: lazyRouteComponent(() => import('./overview.tsx'), 'ApplicationOverview'),
})

/** The list of applications, and the page of one. */
export const applicationRoutes = [listRoute, overviewRoute] as const
