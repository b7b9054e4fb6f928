import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listMembers } from '#contract/identity/organization.ts'
import { listRoles } from '#contract/identity/roles.ts'
import { type Permission, permissions } from '#contract/permissions.ts'
import { beginList } from '../data/read.ts'
import { operatorRoute, personRoute, settingsRoute } from '../shell/parent-routes.tsx'
import { auditSearchOf } from './audit/entry.ts'
import { unitSearchOf } from './units/unit-search.ts'

const memberRoleFilters = ['OWNER', 'ADMIN', 'MEMBER', 'CUSTOM'] as const
type MemberRoleFilter = (typeof memberRoleFilters)[number]

const profileRoute = createRoute({
  getParentRoute: () => personRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./person/profile.tsx'), 'Profile'),
})

const securityRoute = createRoute({
  getParentRoute: () => personRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('./person/security.tsx'), 'Security'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => personRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./person/sessions.tsx'), 'Sessions'),
})

const organizationSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/organization',
  component: lazyRouteComponent(() => import('./organization/organization.tsx'), 'OrganizationSettings'),
})

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  validateSearch: (
    search: Record<string, unknown>,
  ): { search?: string; role?: MemberRoleFilter; open?: string } => ({
    ...(typeof search.search === 'string' && { search: search.search }),
    ...(memberRoleFilters.includes(search.role as MemberRoleFilter) && {
      role: search.role as MemberRoleFilter,
    }),
    ...(typeof search.open === 'string' && { open: search.open }),
  }),
  loaderDeps: ({ search: { search, role } }) => ({ ...(search && { search }), ...(role && { role }) }),
  loader: ({ context, deps }) =>
    Promise.all([
      beginList(context.organization.id, listMembers, { query: deps }),
      beginList(context.organization.id, listRoles, { query: { limit: 100 } }),
    ]),
  component: lazyRouteComponent(() => import('./members/members.tsx'), 'Members'),
})

const invitationsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/invitations',
  component: lazyRouteComponent(() => import('./invitations/invitations.tsx'), 'Invitations'),
})

const unitsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/units',
  validateSearch: unitSearchOf,
  component: lazyRouteComponent(() => import('./units/units.tsx'), 'Units'),
})

const rolesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/roles',
  validateSearch: (search: Record<string, unknown>): { permission?: Permission } =>
    permissions.includes(search.permission as Permission)
      ? { permission: search.permission as Permission }
      : {},
  component: lazyRouteComponent(() => import('./roles/roles.tsx'), 'Roles'),
})

const auditRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/audit',
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import('./audit/audit.tsx'), 'Audit'),
})

const tokensRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./tokens/tokens.tsx'), 'Tokens'),
})

const provisioningRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/provisioning',
  component: lazyRouteComponent(() => import('./provisioning/provisioning.tsx'), 'Provisioning'),
})

const operatorAuditRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/audit',
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import('./audit/operator-audit.tsx'), 'OperatorAudit'),
})

/** The audit log of the organization of the operators. */
export const operatorAuditRoutes = [operatorAuditRoute] as const

/** The screens of the person, below `/me`. */
export const personRoutes = [profileRoute, securityRoute, sessionsRoute] as const

/** The screens of the organization, below `/o/:organization/settings`. */
export const settingsRoutes = [
  organizationSettingsRoute,
  membersRoute,
  invitationsRoute,
  unitsRoute,
  rolesRoute,
  auditRoute,
  tokensRoute,
  provisioningRoute,
] as const
