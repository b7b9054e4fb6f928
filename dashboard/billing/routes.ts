import { invoiceRoutes } from './invoices/routes.tsx'

export { billingSettingsRoutes } from './settings/routes.tsx'

/** The screens of invoices, below `/o/:organization`. Those of money are in `late-routes.ts`. */
export const billingRoutes = [...invoiceRoutes] as const
