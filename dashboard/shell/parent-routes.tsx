import { createRootRoute, createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import {
  areOrganizationsRead,
  callerQuery,
  type OwnOrganization,
  readOwnOrganizations,
} from '../data/own-organizations.ts'
import { isSignedOut, queryClient } from '../data/query-client.ts'
import { openOrganization } from '../data/session.ts'
import { NotFound } from './not-found.tsx'
import { OrganizationShell } from './organization-shell.tsx'
import { Root } from './root.tsx'
import { ScreenProblem } from './screen-problem.tsx'

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: ScreenProblem,
})

/** The organizations of the person. Sends people who are not signed in to the sign-in page, and back afterwards. */
export async function loadOrganizations(href: string): Promise<readonly OwnOrganization[]> {
  try {
    return await readOwnOrganizations()
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: href === '/' ? {} : { to: href } })
    throw error
  }
}

/** The organization that an address, a former address or an id names; all but the address lead on to it. */
async function organizationAt(part: string, href: string): Promise<OwnOrganization> {
  // a cold start gets the token beside the organizations; a refusal shows itself in the organizations
  const opening = areOrganizationsRead() ? undefined : openOrganization(part).catch(() => undefined)
  const organizations = await loadOrganizations(href)
  const named = await opening
  const found = organizations.find(({ id, address }) => part === address || part === id)
  // the server knows former addresses
  const address = found?.address ?? (named ?? (await openOrganization(part)))?.address
  if (address === undefined) throw notFound()
  if (address !== part)
    throw redirect({
      href: href.replace(/^\/o\/[^/?#]+/, `/o/${encodeURIComponent(address)}`),
      replace: true,
    })
  if (!found) throw notFound()
  return found
}

/**
 * Every screen of an organization is below this route; `$organization` is its address. The data of the screens
 * come in two steps: the organizations beside a session token, then the caller beside the first read, which the
 * `loader` of the screen begins with `beginRead` or `beginList`.
 */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$organization',
  beforeLoad: async ({ params, location }) => ({
    organization: await organizationAt(params.organization, location.href),
  }),
  loader: ({ context }) => queryClient.ensureQueryData(callerQuery(context.organization.id)),
  component: OrganizationShell,
})

/** The settings of the organization; the identity area has the pages. */
export const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings',
})

/** The screens of the person, in no organization. */
export const personRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/me',
  loader: ({ location }) => loadOrganizations(location.href),
  component: lazyRouteComponent(() => import('./person-shell.tsx'), 'PersonShell'),
})

/**
 * The screens of the operators of this server. They call their operations with the session token of the organization
 * from which the person operates the server, whichever they used last (OPR-14). Others get the page of an unknown address.
 */
export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  beforeLoad: async ({ location }) => {
    const organizations = await loadOrganizations(location.href)
    const organization = organizations.find(({ isOperator }) => isOperator)
    if (!organization) throw notFound()
    return { organization }
  },
  loader: ({ context }) => queryClient.ensureQueryData(callerQuery(context.organization.id)),
  component: lazyRouteComponent(() => import('./operator-shell.tsx'), 'OperatorShell'),
})
