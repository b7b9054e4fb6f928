import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listExternalUsers } from '#contract/billing/external-users.ts'
import {
  listAllCharges,
  listAllPayments,
  listAllRefunds,
  paymentMethods,
  paymentStatuses,
} from '#contract/billing/movements.ts'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import { chargeStatuses, refundStates } from '#contract/billing/shapes.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { movementQueryOf, movementSearchOf } from './movement-search.ts'

const paymentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/payments',
  validateSearch: (search: Record<string, unknown>) => {
    const method = paymentMethods.find(value => value === search.method)
    return { ...movementSearchOf(search, paymentStatuses), ...(method && { method }) }
  },
  loaderDeps: ({ search: { open: _, ...filters } }) => filters,
  loader: ({ context, deps: { method, ...filters } }) =>
    beginList(
      context.organization.id,
      listAllPayments,
      { query: { ...movementQueryOf(filters), ...(method && { method }) } },
      { staleMs: 0 },
    ),
  component: lazyRouteComponent(() => import('./payments.tsx'), 'Payments'),
})

const chargesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/payments/charges',
  validateSearch: (search: Record<string, unknown>) => movementSearchOf(search, chargeStatuses),
  loaderDeps: ({ search: { open: _, ...filters } }) => filters,
  loader: ({ context, deps }) =>
    beginList(context.organization.id, listAllCharges, { query: movementQueryOf(deps) }, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./charges.tsx'), 'Charges'),
})

const refundsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/payments/refunds',
  validateSearch: (search: Record<string, unknown>) => movementSearchOf(search, refundStates),
  loaderDeps: ({ search: { open: _, ...filters } }) => filters,
  loader: ({ context, deps }) =>
    beginList(context.organization.id, listAllRefunds, { query: movementQueryOf(deps) }, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./refunds.tsx'), 'Refunds'),
})

const authorizationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/payments/authorizations',
  validateSearch: ({
    application,
    open,
  }: Record<string, unknown>): { application?: string; open?: string } => ({
    ...(typeof application === 'string' && { application }),
    // the router reads digits as a number
    ...((typeof open === 'string' || typeof open === 'number') && { open: String(open) }),
  }),
  loaderDeps: ({ search: { application } }) => ({ application }),
  loader: async ({ context, deps: { application } }) => {
    if (application !== undefined)
      await beginList(context.organization.id, listExternalUsers, { params: { applicationId: application } })
  },
  component: lazyRouteComponent(() => import('./users.tsx'), 'ApplicationUsers'),
})

const reconciliationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/reconciliation',
  loader: ({ context }) => beginRead(context.organization.id, readReconciliation, undefined, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./reconciliation.tsx'), 'Reconciliation'),
})

/** The screens of payments, authorizations and reconciliation. */
export const paymentRoutes = [
  paymentsRoute,
  chargesRoute,
  refundsRoute,
  authorizationsRoute,
  reconciliationRoute,
] as const
