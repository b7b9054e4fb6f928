import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listLeads, searchLeads } from '#contract/crm/leads.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { boardSearchOf, boardStatuses, columnInputOf, columnSearchOf } from './board-columns.ts'
import { leadFiltersOf } from './lead-search.ts'

/** The leads as a board. */
export const leadBoardRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/leads/board',
  validateSearch: boardSearchOf,
  loaderDeps: ({ search }) => leadFiltersOf(search),
  loader: ({ context, deps }) =>
    Promise.all(
      boardStatuses.map(status => {
        const { id } = context.organization
        const found = columnSearchOf(status, deps)
        return found
          ? beginList(id, searchLeads, found)
          : beginList(id, listLeads, columnInputOf(status, deps))
      }),
    ),
  component: lazyRouteComponent(() => import('./board.tsx'), 'LeadBoard'),
})
