import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../shell/parent-routes.tsx'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string; error?: string } => {
    const { to, error } = search
    return {
      // only a path of this server, never another host
      ...(typeof to === 'string' && /^\/(?![/\\])/.test(to) && { to }),
      ...(typeof error === 'string' && { error }),
    }
  },
  component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password.tsx'), 'ResetPassword'),
})

const acceptInvitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invitation',
  component: lazyRouteComponent(() => import('./accept-invitation.tsx'), 'AcceptInvitation'),
})

/** The pages of people who are not signed in. */
export const accessRoutes = [signInRoute, resetPasswordRoute, acceptInvitationRoute] as const
