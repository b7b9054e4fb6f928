import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listCollectionAssets, listCollections } from '#contract/studio/collections.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { collectionInputOf, collectionSearchOf } from './collection-search.ts'
import { collectionsInput, collectionsStaleMs } from './use-collections.ts'

/** One screen for all collections, so that its tree stays as it is when another collection is opened. */
const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/collections',
  loader: ({ context }) =>
    beginList(context.organization.id, listCollections, collectionsInput, { staleMs: collectionsStaleMs }),
  component: lazyRouteComponent(() => import('./collections.tsx'), 'Collections'),
})

const collectionRoute = createRoute({
  getParentRoute: () => listRoute,
  path: '/$collectionId',
  validateSearch: collectionSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    beginList(context.organization.id, listCollectionAssets, collectionInputOf(params.collectionId, deps)),
})

/** The screens of collections. */
export const collectionRoutes = [listRoute.addChildren([collectionRoute])] as const
