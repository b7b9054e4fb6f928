import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listLeads } from '#contract/crm/leads.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { boardSearchOf, boardStatuses, columnInputOf } from './board-columns.ts'

/** The leads as a board. */
export const leadBoardRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/leads/board',
  validateSearch: boardSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all(
      boardStatuses.map(status => beginList(context.organization.id, listLeads, columnInputOf(status, deps))),
    ),
  component: lazyRouteComponent(() => import('./board.tsx'), 'LeadBoard'),
})
