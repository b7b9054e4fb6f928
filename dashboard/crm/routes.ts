import { budgetRoutes } from './budgets/routes.ts'
import { clientRoutes } from './clients/routes.tsx'
import { contactRoutes } from './contacts/routes.tsx'
import { leadBoardRoute } from './leads/board-route.ts'
import { leadRoutes } from './leads/routes.tsx'
import { opportunityRoutes } from './opportunities/routes.ts'

export { crmSettingsRoutes } from './settings/routes.tsx'

/** The screens of the CRM, below `/o/:organization`. */
export const crmRoutes = [
  ...leadRoutes,
  leadBoardRoute,
  ...clientRoutes,
  ...contactRoutes,
  ...opportunityRoutes,
  ...budgetRoutes,
] as const
