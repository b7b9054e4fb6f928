import { invoiceRoutes } from './invoices/routes.tsx'
import { paymentRoutes } from './payments/routes.tsx'

export { billingSettingsRoutes } from './settings/routes.tsx'

/** The screens of invoices and money, below `/o/:organization`. */
export const billingRoutes = [...invoiceRoutes, ...paymentRoutes] as const
