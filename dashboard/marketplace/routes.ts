/** The screens of the marketplace, below `/o/:organization`. */
export const marketplaceRoutes = [] as const
