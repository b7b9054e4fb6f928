import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listClientImports } from '#contract/crm/client-imports.ts'
import { listClients, readClient } from '#contract/crm/clients.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type CustomerSearch, customerQueryOf, customerSearchOf } from '../customer-search.ts'

const clientsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/clients',
  validateSearch: (search: Record<string, unknown>): Omit<CustomerSearch, 'clientId'> => {
    const { clientId: _, ...rest } = customerSearchOf(search)
    return rest
  },
  loaderDeps: ({ search }) => customerQueryOf(search),
  loader: ({ context, deps }) => beginList(context.organization.id, listClients, { query: deps }),
  component: lazyRouteComponent(() => import('./clients.tsx'), 'Clients'),
})

const clientRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/clients/$clientId',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readClient, { params: { id: params.clientId } }),
  component: lazyRouteComponent(() => import('./client-page.tsx'), 'ClientPage'),
})

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/clients/import',
  validateSearch: (search: Record<string, unknown>): { open?: string } =>
    typeof search.open === 'string' ? { open: search.open } : {},
  loader: ({ context }) => beginList(context.organization.id, listClientImports),
  component: lazyRouteComponent(() => import('./import-clients.tsx'), 'ImportClients'),
})

/** The clients, their import, and the page of one. */
export const clientRoutes = [clientsRoute, importRoute, clientRoute] as const
