/** The screens of assets, versions, files, collections and shares, below `/o/:organization`. */
export const studioRoutes = [] as const
