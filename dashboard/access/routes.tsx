import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../shell/parent-routes.tsx'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string } => {
    const { to } = search
    // only a path of this server, never another host
    return typeof to === 'string' && /^\/(?!\/)/.test(to) ? { to } : {}
  },
  component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
})

/** The pages of people who are not signed in. */
export const accessRoutes = [signInRoute] as const
