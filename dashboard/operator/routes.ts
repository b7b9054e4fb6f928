import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listOperatedMails, readHealth } from '#contract/identity/health.ts'
import {
  findPeople,
  getOperatedOrganization,
  listOperators,
  listOrganizations,
} from '#contract/identity/operator.ts'
import { listOperatedScopeRequests } from '#contract/integrations/critical-scopes.ts'
import { beginList, beginRead } from '../data/read.ts'
import { operatorRoute } from '../shell/parent-routes.tsx'
import { mailQueryOf, mailSearchOf } from './mails/mail-search.ts'
import { organizationQueryOf, organizationSearchOf } from './organizations/organization-search.ts'
import { scopeQueryOf, scopeSearchOf } from './scopes/scope-search.ts'

const startRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  loader: ({ context }) => beginRead(context.organization.id, readHealth),
  component: lazyRouteComponent(() => import('./start/start.tsx'), 'OperatorStart'),
})

const organizationsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/organizations',
  validateSearch: organizationSearchOf,
  loaderDeps: ({ search }) => organizationQueryOf(search),
  loader: ({ context, deps }) => beginList(context.organization.id, listOrganizations, { query: deps }),
  component: lazyRouteComponent(() => import('./organizations/organizations.tsx'), 'Organizations'),
})

const organizationRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/organizations/$organizationId',
  loader: ({ context, params }) =>
    beginRead(context.organization.id, getOperatedOrganization, { params: { id: params.organizationId } }),
  component: lazyRouteComponent(() => import('./organizations/organization-page.tsx'), 'OrganizationPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/people',
  validateSearch: ({ email }: Record<string, unknown>): { email?: string } =>
    typeof email === 'string' && email !== '' ? { email } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { email } }) =>
    email === undefined ? undefined : beginRead(context.organization.id, findPeople, { query: { email } }),
  component: lazyRouteComponent(() => import('./people/people.tsx'), 'People'),
})

const operatorsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/operators',
  loader: ({ context }) => beginList(context.organization.id, listOperators),
  component: lazyRouteComponent(() => import('./operators/operators.tsx'), 'Operators'),
})

const scopesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/scopes',
  validateSearch: scopeSearchOf,
  loaderDeps: ({ search }) => scopeQueryOf(search),
  loader: ({ context, deps }) =>
    beginList(context.organization.id, listOperatedScopeRequests, { query: deps }, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./scopes/scopes.tsx'), 'ScopeRequests'),
})

const healthRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/health',
  loader: ({ context }) => beginRead(context.organization.id, readHealth),
  component: lazyRouteComponent(() => import('./health/health.tsx'), 'Health'),
})

const mailsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/mails',
  validateSearch: mailSearchOf,
  loaderDeps: ({ search }) => mailQueryOf(search),
  loader: ({ context, deps }) =>
    beginList(context.organization.id, listOperatedMails, { query: deps }, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./mails/mails.tsx'), 'Mails'),
})

/** The screens of the operators of this server, below `/operator`. */
export const operatorRoutes = [
  startRoute,
  organizationsRoute,
  organizationRoute,
  peopleRoute,
  operatorsRoute,
  scopesRoute,
  healthRoute,
  mailsRoute,
] as const
