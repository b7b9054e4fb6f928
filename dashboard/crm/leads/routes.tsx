import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listLeadImports } from '#contract/crm/lead-imports.ts'
import { readLeadSyncStatus } from '#contract/crm/lead-sync-status.ts'
import { readLeadValues } from '#contract/crm/lead-values.ts'
import { listLeads, readLead, searchLeads } from '#contract/crm/leads.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { leadFiltersOf, leadSearchOf, listInputOf, searchInputOf } from './lead-search.ts'

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/leads',
  validateSearch: leadSearchOf,
  loaderDeps: ({ search }) => leadFiltersOf(search),
  loader: ({ context, deps }) => {
    const { id } = context.organization
    const found = searchInputOf(deps)
    return Promise.all([
      found ? beginList(id, searchLeads, found) : beginList(id, listLeads, listInputOf(deps)),
      beginRead(id, readLeadValues),
    ])
  },
  component: lazyRouteComponent(() => import('./leads.tsx'), 'Leads'),
})

const leadRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/leads/$leadId',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readLead, {
      params: { id: params.leadId },
      query: { include: ['scoring', 'notes'] },
    }),
  component: lazyRouteComponent(() => import('./lead-page.tsx'), 'LeadPage'),
})

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/leads/import',
  validateSearch: (search: Record<string, unknown>): { open?: string } =>
    typeof search.open === 'string' ? { open: search.open } : {},
  loader: ({ context }) => beginList(context.organization.id, listLeadImports),
  component: lazyRouteComponent(() => import('./import-leads.tsx'), 'ImportLeads'),
})

const syncRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/leads/sync',
  loader: ({ context }) => beginRead(context.organization.id, readLeadSyncStatus, undefined, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./sync-status.tsx'), 'LeadSync'),
})

/** The screens of leads. */
export const leadRoutes = [listRoute, importRoute, syncRoute, leadRoute] as const
