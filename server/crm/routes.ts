import type { ServedOperation } from '#platform/http/operation.ts'
import { budgetOperations } from './budgets/budget.routes.ts'
import { clientOperations } from './clients/client.routes.ts'
import { contactOperations } from './contacts/contact.routes.ts'
import * as issuer from './issuer/issuer.ts'
import { leadOperations } from './leads/lead.routes.ts'
import { opportunityOperations } from './opportunities/opportunity.routes.ts'
import { portalOperations } from './portal/portal.routes.ts'
import * as settings from './settings/settings.ts'
import { signatureOperations } from './signatures/signature.routes.ts'
import { signingOperations } from './signing/signing-link.routes.ts'

/** All operations of customer relations. */
export const crmRoutes: ServedOperation[] = [
  ...leadOperations,
  ...clientOperations,
  ...contactOperations,
  ...opportunityOperations,
  ...budgetOperations,
  ...signingOperations,
  ...signatureOperations,
  ...portalOperations,
  settings.read,
  settings.update,
  issuer.read,
  issuer.update,
]
