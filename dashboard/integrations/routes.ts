/** The screens of applications, webhooks and deliveries, below `/o/:organization`. */
export const integrationRoutes = [] as const
