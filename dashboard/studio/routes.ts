import { collectionRoutes } from './collections/routes.tsx'

/** The screens of assets, versions, files, collections and shares, below `/o/:organization`. */
export const studioRoutes = [...collectionRoutes] as const
