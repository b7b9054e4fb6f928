import type { ServedOperation } from '#platform/http/operation.ts'
import { budgetOperations } from './budgets/budget.routes.ts'
import { clientOperations } from './clients/client.routes.ts'
import { contactOperations } from './contacts/contact.routes.ts'
import * as issuer from './issuer/issuer.ts'
import { leadOperations } from './leads/lead.routes.ts'
import * as letterhead from './letterhead/letterhead.ts'
import * as logo from './letterhead/logo.ts'
import { opportunityOperations } from './opportunities/opportunity.routes.ts'
import { portalOperations } from './portal/portal.routes.ts'
import { sealOperations } from './seals/seal.routes.ts'
import * as settings from './settings/settings.ts'
import { signatureRequestOperations } from './signature-requests/signature-request.routes.ts'
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
  ...signatureRequestOperations,
  ...signatureOperations,
  ...sealOperations,
  ...portalOperations,
  settings.read,
  settings.update,
  issuer.read,
  issuer.update,
  letterhead.read,
  letterhead.update,
  logo.upload,
  logo.remove,
  logo.open,
  logo.openPublic,
]
