import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listOpportunities, readOpportunity } from '#contract/crm/opportunities.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { opportunityBoardSearchOf, opportunityInputOf, opportunitySearchOf } from './opportunity.rules.ts'

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/opportunities',
  validateSearch: opportunitySearchOf,
  loaderDeps: ({ search }) => opportunityInputOf(search),
  loader: ({ context, deps }) => beginList(context.organization.id, listOpportunities, deps),
  component: lazyRouteComponent(() => import('./opportunities.tsx'), 'Opportunities'),
})

const boardRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/opportunities/board',
  validateSearch: opportunityBoardSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all(
      (['OPEN', 'WON', 'LOST'] as const).map(status =>
        beginList(context.organization.id, listOpportunities, opportunityInputOf({ ...deps, status })),
      ),
    ),
  component: lazyRouteComponent(() => import('./opportunity-board.tsx'), 'OpportunityBoard'),
})

const pageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/opportunities/$opportunityId',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readOpportunity, { params: { id: params.opportunityId } }),
  component: lazyRouteComponent(() => import('./opportunity-page.tsx'), 'OpportunityPage'),
})

/** The screens of opportunities. */
export const opportunityRoutes = [listRoute, boardRoute, pageRoute] as const
