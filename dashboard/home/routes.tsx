import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listInbox } from '#contract/identity/inbox.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { beginRead } from '../data/read.ts'
import { organizationRoute } from '../shell/parent-routes.tsx'
import { overviewStaleMs } from './overview.ts'

const homeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  loader: ({ context }) =>
    Promise.all([
      beginRead(context.organization.id, readOverview, undefined, { staleMs: overviewStaleMs }),
      beginRead(context.organization.id, listInbox),
    ]),
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})

const inboxRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/inbox',
  loader: ({ context }) => beginRead(context.organization.id, listInbox),
  component: lazyRouteComponent(() => import('./inbox.tsx'), 'Inbox'),
})

export const homeRoutes = [homeRoute, inboxRoute] as const
