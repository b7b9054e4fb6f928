import { assetTabRoutes } from './asset-tabs/routes.tsx'
import { collectionRoutes } from './collections/routes.tsx'
import { transferRoutes } from './transfer/routes.tsx'
import { trashRoutes } from './trash/routes.tsx'

/** The screens of assets, versions, files, collections and shares, below `/o/:organization`. */
export const studioRoutes = [
  ...collectionRoutes,
  ...transferRoutes,
  ...trashRoutes,
  ...assetTabRoutes,
] as const
