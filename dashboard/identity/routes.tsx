import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listMembers } from '#contract/identity/organization.ts'
import { listRoles } from '#contract/identity/roles.ts'
import { beginList } from '../data/read.ts'
import { personRoute, settingsRoute } from '../shell/parent-routes.tsx'

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

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  validateSearch: (search: Record<string, unknown>): { search?: string; role?: MemberRoleFilter } => ({
    ...(typeof search.search === 'string' && { search: search.search }),
    ...(memberRoleFilters.includes(search.role as MemberRoleFilter) && {
      role: search.role as MemberRoleFilter,
    }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    beginList(context.organization.id, listMembers, { query: deps })
    beginList(context.organization.id, listRoles, { query: { limit: 100 } })
  },
  component: lazyRouteComponent(() => import('./members/members.tsx'), 'Members'),
})

const invitationsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/invitations',
  component: lazyRouteComponent(() => import('./invitations/invitations.tsx'), 'Invitations'),
})

/** The screens of the person, below `/me`. */
export const personRoutes = [profileRoute, securityRoute, sessionsRoute] as const

/** The screens of the organization, below `/o/:organization/settings`. */
export const settingsRoutes = [membersRoute, invitationsRoute] as const
