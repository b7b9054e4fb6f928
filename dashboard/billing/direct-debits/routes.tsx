import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listMandates, listRemittances } from '#contract/billing/direct-debits.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const remittancesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/payments/direct-debits',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  loader: ({ context }) => beginList(context.organization.id, listRemittances, undefined, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./remittances.tsx'), 'Remittances'),
})

/** The filter of the mandates in an address. */
const mandateSearchOf = ({ clientId }: Record<string, unknown>): { clientId?: string } =>
  typeof clientId === 'string' ? { clientId } : {}

const mandatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/payments/mandates',
  validateSearch: mandateSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    beginList(context.organization.id, listMandates, { query: deps }, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./mandates.tsx'), 'Mandates'),
})

/** The screens of SEPA direct debits. */
export const directDebitRoutes = [remittancesRoute, mandatesRoute] as const
