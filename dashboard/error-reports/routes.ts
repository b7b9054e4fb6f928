import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listErrorGroups, listOrganizationErrors, readErrorTab } from '#contract/error-reports/tab.ts'
import { listErrorTickets } from '#contract/error-reports/tickets.ts'
import { beginList, beginRead } from '../data/read.ts'
import { currentTime } from '../parts/clock.ts'
import { organizationRoute } from '../shell/parent-routes.tsx'
import { errorFiltersOf, errorSearchOf } from './groups/error.rules.ts'
import { reportingSearchOf } from './reporting/reporting-search.ts'
import { ticketSearchOf, ticketStatuses } from './tickets/ticket.rules.ts'

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/errors',
  validateSearch: errorSearchOf,
  loaderDeps: ({ search: { open: _open, ...filters } }) => filters,
  loader: ({ context, deps }) => {
    const { id } = context.organization
    const query = errorFiltersOf(deps, currentTime())
    return deps.application === undefined
      ? beginList(id, listOrganizationErrors, { query })
      : beginList(id, listErrorGroups, { params: { id: deps.application }, query })
  },
  component: lazyRouteComponent(() => import('./groups/errors.tsx'), 'Errors'),
})

const pageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/errors/$errorId',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, listOrganizationErrors, {
      query: { ids: [params.errorId], limit: 1 },
    }),
  component: lazyRouteComponent(() => import('./groups/error-page.tsx'), 'ErrorPage'),
})

const boardRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/errors/tickets',
  validateSearch: ticketSearchOf,
  loaderDeps: ({ search: { application } }) => ({ application }),
  loader: ({ context, deps: { application: id } }) =>
    id === undefined
      ? undefined
      : Promise.all(
          ticketStatuses.map(status =>
            beginList(context.organization.id, listErrorTickets, { params: { id }, query: { status } }),
          ),
        ),
  component: lazyRouteComponent(() => import('./tickets/ticket-board.tsx'), 'TicketBoard'),
})

const ticketListRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/errors/tickets/list',
  validateSearch: ticketSearchOf,
  loaderDeps: ({ search: { application, status } }) => ({ application, status }),
  loader: ({ context, deps: { application: id, status } }) =>
    id === undefined
      ? undefined
      : beginList(context.organization.id, listErrorTickets, {
          params: { id },
          query: { ...(status && { status }) },
        }),
  component: lazyRouteComponent(() => import('./tickets/ticket-list.tsx'), 'TicketList'),
})

const reportingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/errors/reporting',
  validateSearch: reportingSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { application: id, hours = 24 } }) =>
    id === undefined
      ? undefined
      : beginRead(context.organization.id, readErrorTab, { params: { id }, query: { hours } }),
  component: lazyRouteComponent(() => import('./reporting/reporting.tsx'), 'Reporting'),
})

/** The screens of errors and their tickets, below `/o/:organization`. */
export const errorReportRoutes = [listRoute, boardRoute, ticketListRoute, reportingRoute, pageRoute] as const
