import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { budgetQueryOf, budgetSearchOf } from './budget-search.ts'

const budgetsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/budgets',
  validateSearch: budgetSearchOf,
  loaderDeps: ({ search }) => budgetQueryOf(search),
  loader: ({ context, deps }) => beginList(context.organization.id, listBudgets, { query: deps }),
  component: lazyRouteComponent(() => import('./budgets.tsx'), 'Budgets'),
})

const budgetRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/budgets/$budgetId',
  validateSearch: (search: Record<string, unknown>): { tab?: 'signing' } =>
    search.tab === 'signing' ? { tab: 'signing' } : {},
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readBudget, { params: { id: params.budgetId } }),
  component: lazyRouteComponent(() => import('./budget.tsx'), 'Budget'),
})

/** The screens of budgets and their signatures. */
export const budgetRoutes = [budgetsRoute, budgetRoute] as const
