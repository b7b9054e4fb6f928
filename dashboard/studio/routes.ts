import { assetRoutes } from './assets/routes.tsx'

/** The screens of assets, versions, files, collections and shares, below `/o/:organization`. */
export const studioRoutes = [...assetRoutes] as const
