import { assetRoutes } from './assets/routes.tsx'
import { collectionRoutes } from './collections/routes.tsx'
import { transferRoutes } from './transfer/routes.tsx'
import { trashRoutes } from './trash/routes.tsx'

/** The screens of assets, versions, files, collections and shares, below `/o/:organization`. */
export const studioRoutes = [...assetRoutes, ...collectionRoutes, ...transferRoutes, ...trashRoutes] as const
