import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listAssets, readAsset, readAssetBySlug } from '#contract/studio/assets.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { isAssetId } from './asset.ts'
import { assetPageSearchOf } from './asset-page-search.ts'
import { assetFiltersOf, assetInputOf, assetSearchOf } from './asset-search.ts'

const catalogueRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio',
  validateSearch: assetSearchOf,
  loaderDeps: ({ search }) => assetFiltersOf(search),
  loader: ({ context, deps }) => beginList(context.organization.id, listAssets, assetInputOf(deps)),
  component: lazyRouteComponent(() => import('./assets.tsx'), 'Assets'),
})

/** An asset by its id or its slug. */
const assetRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio/$assetId',
  validateSearch: assetPageSearchOf,
  loader: ({ context: { organization }, params: { assetId } }) =>
    isAssetId(assetId)
      ? beginRead(organization.id, readAsset, { params: { id: assetId } })
      : beginRead(organization.id, readAssetBySlug, { params: { slug: assetId } }),
  component: lazyRouteComponent(() => import('./asset-page.tsx'), 'AssetPage'),
})

/** The catalogue and the page of an asset. */
export const assetRoutes = [catalogueRoute, assetRoute] as const
