import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAsset } from '#contract/studio/assets.ts'
import { beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { filesSearchOf } from '../files/files-search.ts'

const loadPage = () => import('./asset-tab-page.tsx')
const readOf = ({
  context,
  params,
}: {
  context: { organization: { id: string } }
  params: { assetId: string }
}) => beginRead(context.organization.id, readAsset, { params: { id: params.assetId } })

const filesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio/$assetId/files',
  validateSearch: filesSearchOf,
  loader: readOf,
  component: lazyRouteComponent(loadPage, 'AssetFiles'),
})

const linksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio/$assetId/links',
  loader: readOf,
  component: lazyRouteComponent(loadPage, 'AssetLinks'),
})

const sharesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio/$assetId/shares',
  loader: readOf,
  component: lazyRouteComponent(loadPage, 'AssetShares'),
})

/** The tabs of an asset that are not its content. */
export const assetTabRoutes = [filesRoute, linksRoute, sharesRoute] as const
