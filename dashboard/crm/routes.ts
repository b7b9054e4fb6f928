import { budgetRoutes } from './budgets/routes.ts'
import { clientRoutes } from './clients/routes.tsx'
import { leadBoardRoute } from './leads/board-route.ts'
import { leadRoutes } from './leads/routes.tsx'

export { crmSettingsRoutes } from './settings/routes.tsx'

/** The screens of the CRM, below `/o/:organization`. Those of contacts and opportunities are in `late-routes.ts`. */
export const crmRoutes = [...leadRoutes, leadBoardRoute, ...clientRoutes, ...budgetRoutes] as const
