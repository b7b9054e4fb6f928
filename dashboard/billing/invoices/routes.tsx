import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { invoiceSearchOf, listQueryOf } from './invoice-search.ts'

const invoicesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/invoices',
  validateSearch: invoiceSearchOf,
  loaderDeps: ({ search: { open: _open, ...list } }) => list,
  loader: ({ context, deps }) =>
    beginList(context.organization.id, listInvoices, { query: listQueryOf(deps) }, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./invoices.tsx'), 'Invoices'),
})

const invoiceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/invoices/$invoiceId',
  loader: ({ context, params }) =>
    beginRead(
      context.organization.id,
      readInvoice,
      { params: { id: params.invoiceId }, query: {} },
      { staleMs: 0 },
    ),
  component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
})

/** The screens of invoices. */
export const invoiceRoutes = [invoicesRoute, invoiceRoute] as const
