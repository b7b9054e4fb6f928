import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listEntries, readEntry } from '#contract/marketplace/entries.ts'
import { listInstalls } from '#contract/marketplace/installs.ts'
import { listMyReviews } from '#contract/marketplace/reviews.ts'
import { beginList, beginRead } from '../data/read.ts'
import { organizationRoute } from '../shell/parent-routes.tsx'
import { beginAllowed } from './begin.ts'
import { entryInputOf, entrySearchOf } from './entries/entry-search.ts'
import { entryPageSearchOf } from './entries/entry-tabs.ts'
import { mineInputOf, mineSearchOf } from './submissions/submission.rules.ts'

const catalogueRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/marketplace',
  validateSearch: entrySearchOf,
  loaderDeps: ({ search }) => entryInputOf(search),
  loader: ({ context: { organization }, deps }) =>
    beginAllowed(organization.id, listEntries, () => beginList(organization.id, listEntries, deps)),
  component: lazyRouteComponent(() => import('./entries/catalogue.tsx'), 'Catalogue'),
})

const mineRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/marketplace/mine',
  validateSearch: mineSearchOf,
  loaderDeps: ({ search }) => ({ scope: search.scope }),
  loader: ({ context: { organization }, deps }) =>
    // the screen decides whether the person may see those of the organization
    deps.scope
      ? undefined
      : beginAllowed(organization.id, listEntries, () =>
          beginList(organization.id, listEntries, mineInputOf({})),
        ),
  component: lazyRouteComponent(() => import('./submissions/mine.tsx'), 'Mine'),
})

const installsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/marketplace/installs',
  validateSearch: (given: Record<string, unknown>): { open?: string } =>
    typeof given.open === 'string' ? { open: given.open } : {},
  loader: ({ context: { organization } }) =>
    beginAllowed(organization.id, listInstalls, () => beginList(organization.id, listInstalls)),
  component: lazyRouteComponent(() => import('./installs/installs.tsx'), 'Installs'),
})

const reviewsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/marketplace/reviews',
  loader: ({ context: { organization } }) =>
    beginAllowed(organization.id, listMyReviews, () => beginList(organization.id, listMyReviews)),
  component: lazyRouteComponent(() => import('./reviews/my-reviews.tsx'), 'MyReviews'),
})

const submitRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/marketplace/submit',
  validateSearch: (given: Record<string, unknown>): { asset?: string; entry?: string } => ({
    ...(typeof given.asset === 'string' && { asset: given.asset }),
    ...(typeof given.entry === 'string' && { entry: given.entry }),
  }),
  component: lazyRouteComponent(() => import('./submissions/submit-page.tsx'), 'SubmitPage'),
})

const entryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/marketplace/$entryId',
  validateSearch: entryPageSearchOf,
  loader: ({ context: { organization }, params }) =>
    beginAllowed(organization.id, readEntry, () =>
      beginRead(organization.id, readEntry, { params: { id: params.entryId } }),
    ),
  component: lazyRouteComponent(() => import('./entries/entry-page.tsx'), 'EntryPage'),
})

/** The screens of the marketplace, below `/o/:organization`. */
export const marketplaceRoutes = [
  catalogueRoute,
  mineRoute,
  installsRoute,
  reviewsRoute,
  submitRoute,
  entryRoute,
] as const
