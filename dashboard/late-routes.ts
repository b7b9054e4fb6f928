import { directDebitRoutes } from './billing/direct-debits/routes.tsx'
import { paymentRoutes } from './billing/payments/routes.tsx'
import { chatRoutes } from './chat/routes.ts'
import { contactRoutes } from './crm/contacts/routes.tsx'
import { opportunityRoutes } from './crm/opportunities/routes.ts'
import { errorReportRoutes } from './error-reports/routes.ts'
import { operatorAuditRoutes } from './identity/routes.tsx'
import { integrationRoutes } from './integrations/routes.ts'
import { reviewQueueRoutes } from './marketplace/review-queue/routes.tsx'
import { marketplaceRoutes } from './marketplace/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { studioRoutes } from './studio/routes.ts'

/** The routes of areas that the browser loads after the first screen, or when one of them is opened: see `routes.tsx`. */
export const areas = {
  ofOrganizations: [
    ...contactRoutes,
    ...opportunityRoutes,
    ...paymentRoutes,
    ...directDebitRoutes,
    ...chatRoutes,
    ...studioRoutes,
    ...marketplaceRoutes,
    ...integrationRoutes,
    ...errorReportRoutes,
  ] as const,
  ofOperators: [...operatorRoutes, ...reviewQueueRoutes, ...operatorAuditRoutes] as const,
}
