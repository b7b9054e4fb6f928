import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { personRoute, settingsRoute } from '../shell/parent-routes.tsx'

const profileRoute = createRoute({
  getParentRoute: () => personRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./person/profile.tsx'), 'Profile'),
})

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./members/members.tsx'), 'Members'),
})

/** The screens of the person, below `/me`. */
export const personRoutes = [profileRoute] as const

/** The screens of the organization, below `/o/:organization/settings`. */
export const settingsRoutes = [membersRoute] as const
