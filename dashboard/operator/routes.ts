import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { operatorRoute } from '../shell/parent-routes.tsx'
import { mailSearchOf } from './mails/mail-search.ts'
import { organizationSearchOf } from './organizations/organization-search.ts'
import { scopeSearchOf } from './scopes/scope-search.ts'

const startRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start/start.tsx'), 'OperatorStart'),
})

const organizationsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/organizations',
  validateSearch: organizationSearchOf,
  component: lazyRouteComponent(() => import('./organizations/organizations.tsx'), 'Organizations'),
})

const organizationRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/organizations/$organizationId',
  component: lazyRouteComponent(() => import('./organizations/organization-page.tsx'), 'OrganizationPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/people',
  validateSearch: ({ email }: Record<string, unknown>): { email?: string } =>
    typeof email === 'string' && email !== '' ? { email } : {},
  component: lazyRouteComponent(() => import('./people/people.tsx'), 'People'),
})

const operatorsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/operators',
  component: lazyRouteComponent(() => import('./operators/operators.tsx'), 'Operators'),
})

const scopesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/scopes',
  validateSearch: scopeSearchOf,
  component: lazyRouteComponent(() => import('./scopes/scopes.tsx'), 'ScopeRequests'),
})

const healthRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/health',
  component: lazyRouteComponent(() => import('./health/health.tsx'), 'Health'),
})

const mailsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/mails',
  validateSearch: mailSearchOf,
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
