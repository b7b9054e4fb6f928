import { applicationRoutes } from './applications/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { recoveryRoutes } from './recovery/routes.ts'
import { webhookRoutes } from './webhook/routes.ts'

/** The screens of applications, webhooks and deliveries, below `/o/$organization`. */
export const integrationRoutes = [
  ...applicationRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...recoveryRoutes,
] as const
