import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import { isSignedOut } from '../data/query-client.ts'
import { callAccount } from '../data/session.ts'
import { NotFound } from './not-found.tsx'
import { ScreenProblem } from './screen-problem.tsx'

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ScreenProblem,
})

/** The organizations of the person. Sends people who are not signed in to the sign-in page, and back afterwards. */
export async function loadOrganizations(href: string) {
  try {
    const { items } = await callAccount(listOwnOrganizations)
    return items
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: href === '/' ? {} : { to: href } })
    throw error
  }
}

/** Every screen of an organization is below this route; `$organization` is its address. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$organization',
  loader: ({ location }) => loadOrganizations(location.href),
  component: lazyRouteComponent(() => import('./organization-shell.tsx'), 'OrganizationShell'),
})

/** The screens of the person, in no organization. */
export const personRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/me',
  loader: ({ location }) => loadOrganizations(location.href),
  component: lazyRouteComponent(() => import('./person-shell.tsx'), 'PersonShell'),
})
